/// A machine of P ranks in one process, as adversarial as MPI's rules allow, and reproducible by its choices.
///
/// Choices: the message that arrives next, when its bytes move, when a send is complete, and when `test` or
/// `probe` reports a completion. Rules, as in MPI: messages of one source, destination and tag are matched in
/// the order of sending; a synchronous send completes only after its receive has begun; a collective only
/// after all ranks have begun it. The bytes of a send are read, and those of a receive written, as late as
/// allowed, to reveal buffers that are reused too early. Shared memory is memory of the process: writes are
/// visible at once.
///
/// A call that breaks the contract of `transport` throws std::logic_error.
#pragma once

#include "adversary.hpp"
#include "chooser.hpp"
#include "message_matching.hpp"
#include "pending_collectives.hpp"
#include "pending_requests.hpp"
#include "shared_areas.hpp"

#include <weft/extend/transport/transport.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace weft_test {

class memory_network {
public:
    memory_network(int ranks, chooser& choices, adversary manners);
    ~memory_network();
    memory_network(memory_network const&) = delete;
    memory_network& operator=(memory_network const&) = delete;

    [[nodiscard]] int size() const noexcept { return static_cast<int>(rank_.size()); }
    [[nodiscard]] weft::transport& at(int rank);
    /// From now on ranks share no memory.
    void share_no_memory() { areas_.switch_off(); }
    /// Returns the number of events that could happen now.
    [[nodiscard]] std::size_t due() const noexcept { return due_.size(); }

    /// Lets one event happen; returns false if there is none.
    bool act() {
        if (due_.empty()) return false;
        auto const place = due_.begin() + static_cast<std::ptrdiff_t>(next_place());
        event const now = *place;
        due_.erase(place);
        ++now_;
        happen(now);
        return true;
    }

    /// Returns a complaint about anything left over when all should be done, or "".
    [[nodiscard]] std::string left_over() const {
        if (auto const complaint = messages_.left_over(); !complaint.empty()) return complaint;
        if (requests_.open_count() != 0) return "a request that was not tested to its end";
        return due_.empty() ? "" : "a message in flight";
    }

    /// Returns true if a rank has requests that were not tested until complete.
    [[nodiscard]] bool waits_for_something(int rank) const { return requests_.open_count(rank) != 0; }

    /// Returns the greatest number of messages and requests at one time.
    [[nodiscard]] std::size_t capacity() const noexcept {
        return messages_.capacity() + requests_.capacity();
    }

private:
    struct addition {
        int counter = 0;
        std::int64_t amount = 0;
    };

    enum class happening { arrives, moves, is_sent, collective_ends, is_added };
    struct event {
        happening what;
        int source; // the rank of a request, or the sender
        int destination = 0;
        int tag = 0;
        transfer* message = nullptr;
        collective* common = nullptr;
        operation* applied = nullptr;
        addition added = {};
    };

    class door;
    struct rank_state {
        std::unique_ptr<door> entrance;
        transfer* probed = nullptr;
        std::vector<std::int64_t> counters = {};
    };

    rank_state& state(int rank) { return rank_.at(static_cast<std::size_t>(rank)); }

    std::size_t next_place() {
        // Mostly the newest event, or the oldest; but not always, so that every event happens at last.
        bool const tasteless = manners_.next == adversary::taste::any || choices_.enumerates();
        if (tasteless || choices_.happens("whatever comes", 1.0 / 8))
            return choices_.pick("what happens", due_.size());
        return manners_.next == adversary::taste::newest ? due_.size() - 1 : 0;
    }

    void happen(event const& now) {
        switch (now.what) {
        case happening::arrives:
            arrive(now.source, now.destination, now.tag);
            break;
        case happening::moves:
            move(*now.message);
            break;
        case happening::is_sent:
            now.message->keep_copy();
            choices_.tell([&] { return now.message->name() + " is sent"; });
            sent(*now.message);
            break;
        case happening::is_added: {
            auto& counters = state(now.destination).counters;
            auto const place = static_cast<std::size_t>(now.added.counter);
            if (place >= counters.size()) counters.resize(place + 1, 0);
            counters[place] += now.added.amount;
            now.applied->complete = true;
            choices_.tell([&] {
                return "rank " + std::to_string(now.source) + "'s addition to counter " +
                       std::to_string(now.added.counter) + " of rank " + std::to_string(now.destination);
            });
            break;
        }
        case happening::collective_ends:
            now.common->parts[static_cast<std::size_t>(now.source)].done->complete = true;
            collectives_.end(*now.common, static_cast<std::size_t>(now.source));
            choices_.tell([&] { return "a collective ends for rank " + std::to_string(now.source); });
            break;
        }
    }

    void arrive(int source, int destination, int tag) {
        std::optional<posted_receive> matched;
        transfer& message = messages_.arrive(source, destination, tag, matched);
        choices_.tell([&] { return message.name() + (matched ? " arrives and is received" : " arrives"); });
        if (matched) begin_to_receive(message, *matched);
    }

    void move(transfer& message) {
        std::ranges::copy(message.bytes(), message.into.room.begin());
        message.into.done->complete = true;
        message.moved = true;
        choices_.tell([&] { return message.name() + " has been copied"; });
        if (message.sent == nullptr)
            messages_.finish(message);
        else if (message.mode == weft::send_mode::standard)
            due_.push_back({.what = happening::is_sent, .source = message.source, .message = &message});
    }

    void sent(transfer& message) {
        std::exchange(message.sent, nullptr)->complete = true;
        if (message.moved) messages_.finish(message);
    }

    void begin_to_receive(transfer& message, posted_receive const& into) {
        if (into.room.size() < message.from.size())
            throw std::logic_error("a message of " + std::to_string(message.from.size()) +
                                   " bytes for a room of " + std::to_string(into.room.size()));
        message.into = into;
        due_.push_back({.what = happening::moves, .source = message.source, .message = &message});
        if (message.mode == weft::send_mode::synchronous)
            due_.push_back({.what = happening::is_sent, .source = message.source, .message = &message});
    }

    weft::request send(
        int source, int destination, int tag, std::span<std::byte const> bytes, weft::send_mode mode) {
        if (destination < 0 || destination >= size()) throw std::logic_error("a send to nobody");
        transfer& message = messages_.begin(source, destination, tag, bytes, mode);
        weft::request const made = requests_.open(source, "send", message.sent);
        due_.push_back({happening::arrives, source, destination, tag});
        choices_.tell([&] { return message.name() + " is begun"; });
        if (mode == weft::send_mode::standard && choices_.happens("it is buffered", manners_.eager)) {
            message.keep_copy();
            std::exchange(message.sent, nullptr)->complete = true;
        }
        return made;
    }

    weft::request receive(int rank, int source, int tag, std::span<std::byte> room) {
        if (source < 0 || source >= size()) throw std::logic_error("a receive from nobody");
        posted_receive wanted{source, tag, room, nullptr};
        weft::request const made = requests_.open(rank, "receive", wanted.done);
        std::ranges::fill(room, std::byte{0xa5});
        choices_.tell([&] {
            return "rank " + std::to_string(rank) + " receives from " + std::to_string(source) + " (tag " +
                   std::to_string(tag) + ")";
        });
        if (transfer* const here = messages_.post(rank, wanted)) begin_to_receive(*here, wanted);
        return made;
    }

    std::optional<weft::envelope> probe(int rank, int source, int tag) {
        if (state(rank).probed != nullptr) throw std::logic_error("a probe before the last one was received");
        messages_.waiting(rank, source, tag, candidates_);
        if (candidates_.empty() || choices_.happens("probe says no", manners_.denial)) return std::nullopt;
        transfer* const found = candidates_[choices_.pick("what probe finds", candidates_.size())];
        messages_.take(found);
        state(rank).probed = found;
        choices_.tell([&] { return found->name() + " is probed"; });
        return weft::envelope{found->source, found->tag, static_cast<std::int64_t>(found->from.size())};
    }

    weft::request receive_probed(int rank, weft::envelope const& message, std::span<std::byte> room) {
        transfer* const found = std::exchange(state(rank).probed, nullptr);
        if (found == nullptr || found->source != message.source || found->tag != message.tag)
            throw std::logic_error("a receive of a message that was not probed");
        if (room.size() != found->from.size())
            throw std::logic_error("a room that is not the message's size");
        posted_receive wanted{message.source, message.tag, room, nullptr};
        weft::request const made = requests_.open(rank, "receive", wanted.done);
        std::ranges::fill(room, std::byte{0xa5});
        begin_to_receive(*found, wanted);
        return made;
    }

    bool test(int rank, weft::request& pending) {
        if (!pending) return true;
        operation& asked = requests_.at(rank, pending);
        if (!asked.complete || choices_.happens("test says no", manners_.denial)) return false;
        choices_.tell([&] {
            return "rank " + std::to_string(rank) + " learns that its " + asked.what + " is complete";
        });
        requests_.close(asked);
        pending = {};
        return true;
    }

    weft::request enter(int rank, collective::kind what, collective::part part) {
        weft::request const made = requests_.open(rank, "collective", part.done);
        collective& common = collectives_.enter(rank, what, part);
        choices_.tell([&] { return "rank " + std::to_string(rank) + " enters a collective"; });
        if (common.entered == rank_.size())
            for (int r = 0; r < size(); ++r)
                due_.push_back({.what = happening::collective_ends, .source = r, .common = &common});
        return made;
    }

    chooser& choices_;
    adversary manners_;
    std::vector<rank_state> rank_;
    message_matching messages_;
    pending_collectives collectives_;
    pending_requests requests_;
    shared_areas areas_;
    std::vector<event> due_; // in the order in which they became possible
    std::vector<transfer*> candidates_;
    std::int64_t now_ = 0;
};

} // namespace weft_test

#include "network_door.hpp"
