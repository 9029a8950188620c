/// One rank of a simulated machine: its clock, requests, and waiting messages. Private.
#pragma once

#include <weft/detail/core/prefetch.hpp>
#include <weft/extend/transport/transport.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace weft {

/// A message under way, or waiting to be received.
struct alignas(64) simulated_message {
    enum class kind : std::uint8_t {
        eager,      ///< the data are sent at once, and the send is complete
        answered,   ///< the data are sent at once, and the sender is told when the message is matched
        asked,      ///< a request is sent; the data follow when it is matched
        payload,    ///< the data that follow a request
        addition,   ///< to a counter of the receiver
        collective, ///< part of a collective: `tag` is its number, `round` its round
        finished,   ///< no message: the network has completed the collective `tag` for this rank
    };

    kind what = kind::eager;
    std::int32_t source = 0;
    std::int32_t destination = 0;
    std::int32_t tag = 0;
    std::int32_t group = 0; ///< group of ranks in which it is sent
    std::int32_t round = 0;
    std::int32_t send_slot = -1;    ///< slot of the sender's request
    std::int32_t receive_slot = -1; ///< slot of the receiver's request, once matched
    std::uint32_t next = 0;         ///< next one in the list of waiting messages
    std::int64_t index = 0;         ///< number by which `deviations` count
    std::int64_t bytes = 0;         ///< bytes of data; for `addition`, the amount
    std::array<std::byte, 64> few;  ///< the data that are sent at once, unless they are in `copy`
    std::unique_ptr<std::byte[]> copy = {};
    std::span<std::byte const> from = {};
    std::span<std::byte> room = {};

    /// Copies data that are sent at once.
    void copy_from(std::span<std::byte const> data) {
        if (data.size() > few.size()) copy = std::make_unique_for_overwrite<std::byte[]>(data.size());
        std::ranges::copy(data, copy ? copy.get() : few.data());
    }
    void copy_to(std::span<std::byte> into) const noexcept {
        std::copy_n(copy ? copy.get() : few.data(), bytes, into.begin());
    }
};

/// Messages by number. Numbers of deleted messages are reused.
class simulated_messages {
public:
    static constexpr std::uint32_t none = UINT32_MAX;

    std::uint32_t add(simulated_message&& made) {
        if (free_.empty()) {
            if (made_ % of_block == 0)
                blocks_.push_back(std::make_unique_for_overwrite<simulated_message[]>(of_block));
            free_.push_back(made_++);
        }
        std::uint32_t const number = free_.back();
        free_.pop_back();
        (*this)[number] = std::move(made);
        return number;
    }
    void remove(std::uint32_t number) {
        (*this)[number].copy.reset();
        free_.push_back(number);
    }
    simulated_message& operator[](std::uint32_t number) {
        return blocks_[number / of_block][number % of_block];
    }

private:
    static constexpr std::uint32_t of_block = 1024;
    std::vector<std::unique_ptr<simulated_message[]>> blocks_; // messages do not move
    std::uint32_t made_ = 0;
    std::vector<std::uint32_t> free_;
};

class alignas(64) simulated_rank {
public:
    double clock = 0;    ///< end of the processor's last work
    double sends_at = 0; ///< earliest time at which the next message can leave
    double hears_at = 0; ///< earliest time at which the next message can come in
    bool wakes = false;  ///< an event to wake it is queued
    /// Until then it does nothing unless something comes: no event is queued to wake it, as there would be
    /// otherwise, with this order.
    double rests_until = -1;
    std::uint64_t rest_order = 0;
    std::uint64_t told = 0; ///< of how many things that came it has been told
    bool done = false;      ///< its program has ended
    bool acted = false;     ///< it sent, received or completed something in this step
    std::uint32_t probed = simulated_messages::none;
    double computed = 0;       ///< seconds of the program's own work
    std::int64_t messages = 0; ///< sent by the rank
    std::int64_t bytes = 0;    ///< bytes in these messages

    // Requests.

    /// `cost`: the time of the processor when it notices the completion.
    [[nodiscard]] request begin(double cost) {
        if (free_.empty()) {
            free_.push_back(static_cast<std::int32_t>(slots_.size()));
            slots_.emplace_back();
        }
        request const made{free_.back()};
        free_.pop_back();
        slots_[static_cast<std::size_t>(made.slot)] = {false, cost};
        return made;
    }
    void complete(std::int32_t slot) { slots_[static_cast<std::size_t>(slot)].complete = true; }
    [[nodiscard]] bool is_complete(request made) const {
        return slots_[static_cast<std::size_t>(made.slot)].complete;
    }
    /// Ends a complete request; returns its cost.
    double end(request made) {
        free_.push_back(made.slot);
        return slots_[static_cast<std::size_t>(made.slot)].cost;
    }

    // Posted receives that wait for messages, in order.

    struct posted_receive {
        std::int32_t source;
        std::int32_t tag;
        std::int32_t group;
        std::int32_t slot;
        std::span<std::byte> room;
    };
    void post(posted_receive const& wanted) { posted_.push_back(wanted); }
    /// Removes the first one that matches this message.
    [[nodiscard]] bool take_posted(simulated_message const& with, posted_receive& into) {
        std::size_t const found = find_posted(with);
        if (found == posted_.size()) return false;
        into = posted_[found];
        // The first ones match most often, so those before it move, and not those behind.
        auto const first = posted_.begin() + static_cast<std::ptrdiff_t>(first_posted_);
        std::move_backward(first, posted_.begin() + static_cast<std::ptrdiff_t>(found),
            posted_.begin() + static_cast<std::ptrdiff_t>(found) + 1);
        ++first_posted_;
        if (2 * first_posted_ >= posted_.size()) {
            posted_.erase(posted_.begin(), posted_.begin() + static_cast<std::ptrdiff_t>(first_posted_));
            first_posted_ = 0;
        }
        return true;
    }

    // Messages that wait for receives, in the order of arrival.

    void keep(std::uint32_t number, simulated_messages& all) {
        all[number].next = simulated_messages::none;
        (first_ == simulated_messages::none ? first_ : all[last_].next) = number;
        last_ = number;
    }
    /// Removes the first message with this tag from `source`, or from any rank; returns `none` if absent.
    [[nodiscard]] std::uint32_t take(int source, int tag, int group, simulated_messages& all) {
        std::uint32_t before = simulated_messages::none;
        for (std::uint32_t each = first_; each != simulated_messages::none;
             before = each, each = all[each].next) {
            simulated_message const& here = all[each];
            if (here.tag != tag || here.group != group ||
                (source != transport::any_source && here.source != source))
                continue;
            (before == simulated_messages::none ? first_ : all[before].next) = here.next;
            if (last_ == each) last_ = before;
            return each;
        }
        return simulated_messages::none;
    }

    // Counters to which other ranks add.

    std::int64_t& counter(int which) {
        for (auto& [number, value] : counters_)
            if (number == which) return value;
        return counters_.emplace_back(which, 0).second;
    }

    // Persistent transfers.

    struct prepared_transfer {
        bool sends = false;
        std::int32_t peer = 0;
        std::int32_t tag = 0;
        std::int32_t group = 0;
        std::span<std::byte const> from = {};
        std::span<std::byte> room = {};
        request under_way = {};
    };
    static constexpr std::int32_t prepared_slots = 1 << 30; ///< above the slots of other requests
    request prepare(prepared_transfer const& what) {
        prepared_.push_back(what);
        return {prepared_slots + static_cast<std::int32_t>(prepared_.size() - 1)};
    }
    prepared_transfer& prepared(request made) {
        return prepared_[static_cast<std::size_t>(made.slot - prepared_slots)];
    }

    /// Begins to load its lists into the cache.
    void prefetch_lists() const noexcept {
        detail::prefetch(slots_.data(), sizeof(slot_state));
        detail::prefetch(free_.data(), sizeof(std::int32_t));
        if (!posted_.empty()) detail::prefetch(&posted_[first_posted_], 2 * sizeof(posted_receive));
    }
    /// Begins to load what the arrival of a message writes.
    void prefetch_receive(simulated_message const& with) const noexcept {
        std::size_t const found = find_posted(with);
        if (found == posted_.size()) return;
        detail::prefetch(posted_[found].room.data(), static_cast<std::size_t>(with.bytes));
        detail::prefetch(&slots_[static_cast<std::size_t>(posted_[found].slot)], sizeof(slot_state));
    }

private:
    [[nodiscard]] std::size_t find_posted(simulated_message const& with) const noexcept {
        std::size_t at = first_posted_;
        for (; at < posted_.size(); ++at) {
            posted_receive const& each = posted_[at];
            if (each.source == with.source && each.tag == with.tag && each.group == with.group) break;
        }
        return at;
    }

    struct slot_state {
        bool complete = false;
        double cost = 0;
    };

    std::vector<slot_state> slots_;
    std::vector<std::int32_t> free_;
    std::vector<posted_receive> posted_;
    std::size_t first_posted_ = 0; // those before it have matched
    std::uint32_t first_ = simulated_messages::none;
    std::uint32_t last_ = simulated_messages::none;
    std::vector<std::pair<int, std::int64_t>> counters_;
    std::vector<prepared_transfer> prepared_;
};

} // namespace weft
