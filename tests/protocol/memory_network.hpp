/// A machine of P ranks inside one process, as mean as MPI's rules allow and the same for the same seed.
///
/// What happens, and when, is drawn: which message arrives next, when its bytes move, when a send counts as
/// complete, when a finished thing is admitted by `test` or `probe`. What is kept is what MPI keeps: messages
/// of one source, destination and tag are matched in the order of sending; a synchronous send is complete
/// only after its receive has begun; a collective only after all ranks have begun it. The bytes of a send are
/// read, and those of a receive written, as late as the rules allow, so that buffers reused too early show.
///
/// A call that breaks the contract of `transport` throws std::logic_error.
#pragma once

#include <weft/transport/transport.hpp>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace weft_test {

/// How mean a network is.
struct adversary {
    enum class taste { any, newest, oldest };

    double denial = 0.2; ///< the chance that `test` or `probe` keeps to itself what it could tell
    double eager = 0.5;  ///< the chance that a standard send is buffered
    taste next = taste::any;

    /// One of the many that a seed stands for.
    static adversary drawn(std::mt19937_64& random) {
        std::uniform_real_distribution<double> chance;
        adversary made;
        made.denial = 0.6 * chance(random) * chance(random);
        made.eager = chance(random);
        made.next = std::array{taste::any, taste::newest, taste::oldest}[random() % 3];
        return made;
    }
};

class memory_network {
public:
    memory_network(int ranks, std::uint64_t seed, adversary manners)
        : random_(seed), manners_(manners), rank_(static_cast<std::size_t>(ranks)) {
        for (int r = 0; r < ranks; ++r)
            rank_[static_cast<std::size_t>(r)].entrance = std::make_unique<door>(*this, r);
    }

    [[nodiscard]] int size() const noexcept { return static_cast<int>(rank_.size()); }
    [[nodiscard]] weft::transport& at(int rank) { return *state(rank).entrance; }

    /// One thing happens; false when nothing can.
    bool act() {
        if (due_.empty()) return false;
        std::size_t place = random_() % due_.size();
        // Mostly the newest, or the oldest; never always, so that nothing waits for ever.
        if (manners_.next != adversary::taste::any && random_() % 8 != 0)
            place = manners_.next == adversary::taste::newest ? due_.size() - 1 : 0;
        event const now = due_[place];
        due_.erase(due_.begin() + static_cast<std::ptrdiff_t>(place));
        ++now_;
        happen(now);
        return true;
    }

    /// What is left over when all should be done: "" or a complaint.
    [[nodiscard]] std::string left_over() const {
        for (std::size_t r = 0; r < rank_.size(); ++r) {
            std::string const where = " on rank " + std::to_string(r);
            if (!rank_[r].unexpected.empty()) return "a message that nobody received" + where;
            if (!rank_[r].posted.empty()) return "a receive that no message came for" + where;
            if (rank_[r].open != 0) return "a request that was not tested to its end" + where;
        }
        return due_.empty() ? "" : "a message in flight";
    }

private:
    struct operation {
        bool complete = false;
        bool tested = false;
    };

    struct posted_receive {
        int source = 0;
        int tag = 0;
        std::span<std::byte> room;
        operation* done = nullptr;
    };

    struct transfer {
        int source = 0;
        int destination = 0;
        int tag = 0;
        weft::send_mode mode = weft::send_mode::standard;
        std::span<std::byte const> from;
        std::vector<std::byte> copy;
        bool copied = false;
        operation* sent = nullptr;
        posted_receive into = {};

        void keep_copy() {
            if (copied) return;
            copy.assign(from.begin(), from.end());
            copied = true;
        }
    };

    struct collective {
        enum class kind { all_to_all, reduce_scatter, all_reduce } what = kind::all_to_all;
        int entered = 0;
        std::vector<std::span<std::int64_t const>> words_in;
        std::vector<std::vector<std::int64_t>> words;
        std::vector<std::span<std::int64_t>> words_out;
        std::vector<std::int64_t*> sum_out;
        std::vector<weft::census_value const*> value_in;
        weft::census_value value = weft::census_value::identity();
        std::vector<weft::census_value*> value_out;
        std::vector<operation*> done;
    };

    struct addition {
        int target = 0;
        int counter = 0;
        std::int64_t amount = 0;
        operation* applied = nullptr;
    };

    enum class happening { arrives, moves, is_sent, collective_ends, is_added };
    struct event {
        happening what;
        transfer* message;
        collective* common;
        int rank;
        addition added = {};
    };

    /// A transfer that is begun many times; `under_way` is null while it is not.
    struct prepared {
        bool sends = false;
        int peer = 0;
        int tag = 0;
        std::span<std::byte const> from;
        std::span<std::byte> room;
        weft::request under_way = {};
    };
    static constexpr std::int32_t prepared_slots = 1 << 30; // above those of other requests

    class door;
    struct rank_state {
        std::unique_ptr<door> entrance;
        std::vector<std::unique_ptr<operation>> operations;
        std::deque<transfer*> unexpected;  // in the order of arrival
        std::deque<posted_receive> posted; // in the order of posting
        transfer* probed = nullptr;
        std::deque<prepared> prepared_transfers;
        std::map<int, std::int64_t> counters;
        std::size_t collectives = 0;
        int open = 0;
    };

    using channel = std::tuple<int, int, int>; // source, destination, tag

    rank_state& state(int rank) { return rank_.at(static_cast<std::size_t>(rank)); }
    bool by_chance(double chance) { return std::uniform_real_distribution<double>()(random_) < chance; }

    weft::request make(int rank, operation*& made) {
        auto& own = state(rank).operations;
        made = own.emplace_back(std::make_unique<operation>()).get();
        ++state(rank).open;
        return {static_cast<std::int32_t>(own.size() - 1)};
    }

    void happen(event const& now) {
        switch (now.what) {
        case happening::arrives: {
            // The first of its channel, whichever message drew this event.
            auto& flying = flying_[{now.message->source, now.message->destination, now.message->tag}];
            transfer* const first = flying.front();
            flying.pop_front();
            arrive(*first);
            break;
        }
        case happening::moves: {
            transfer& message = *now.message;
            auto const& from = message.copied ? std::span<std::byte const>(message.copy) : message.from;
            std::ranges::copy(from, message.into.room.begin());
            message.into.done->complete = true;
            message.copied = true; // whatever happens to the sender's bytes now
            if (!message.sent->complete && message.mode == weft::send_mode::standard)
                due_.push_back({happening::is_sent, &message, nullptr, message.source});
            break;
        }
        case happening::is_sent:
            now.message->keep_copy();
            now.message->sent->complete = true;
            break;
        case happening::is_added:
            state(now.added.target).counters[now.added.counter] += now.added.amount;
            now.added.applied->complete = true;
            break;
        case happening::collective_ends:
            end_collective(*now.common, static_cast<std::size_t>(now.rank));
            break;
        }
    }

    void arrive(transfer& message) {
        auto& posted = state(message.destination).posted;
        auto const match = std::ranges::find_if(posted, [&](posted_receive const& each) {
            return each.source == message.source && each.tag == message.tag;
        });
        if (match == posted.end()) {
            state(message.destination).unexpected.push_back(&message);
            return;
        }
        posted_receive const found = *match;
        posted.erase(match);
        begin_to_receive(message, found);
    }

    void begin_to_receive(transfer& message, posted_receive const& into) {
        if (into.room.size() < message.from.size())
            throw std::logic_error("a message of " + std::to_string(message.from.size()) +
                                   " bytes for a room of " + std::to_string(into.room.size()));
        message.into = into;
        due_.push_back({happening::moves, &message, nullptr, message.destination});
        if (message.mode == weft::send_mode::synchronous)
            due_.push_back({happening::is_sent, &message, nullptr, message.source});
    }

    weft::request send(
        int source, int destination, int tag, std::span<std::byte const> bytes, weft::send_mode mode) {
        if (destination < 0 || destination >= size()) throw std::logic_error("a send to nobody");
        transfer& message = *transfers_.emplace_back(std::make_unique<transfer>());
        message.source = source;
        message.destination = destination;
        message.tag = tag;
        message.mode = mode;
        message.from = bytes;
        weft::request const made = make(source, message.sent);
        flying_[{source, destination, tag}].push_back(&message);
        due_.push_back({happening::arrives, &message, nullptr, destination});
        if (mode == weft::send_mode::standard && by_chance(manners_.eager)) {
            message.keep_copy();
            message.sent->complete = true;
        }
        return made;
    }

    weft::request receive(int rank, int source, int tag, std::span<std::byte> room) {
        if (source < 0 || source >= size()) throw std::logic_error("a receive from nobody");
        posted_receive wanted{source, tag, room, nullptr};
        weft::request const made = make(rank, wanted.done);
        std::ranges::fill(room, std::byte{0xa5});
        auto& waiting = state(rank).unexpected;
        auto const found = std::ranges::find_if(
            waiting, [&](transfer const* each) { return each->source == source && each->tag == tag; });
        if (found == waiting.end()) {
            state(rank).posted.push_back(wanted);
        } else {
            transfer& message = **found;
            waiting.erase(found);
            begin_to_receive(message, wanted);
        }
        return made;
    }

    std::optional<weft::envelope> probe(int rank, int source, int tag) {
        if (state(rank).probed != nullptr) throw std::logic_error("a probe before the last one was received");
        if (by_chance(manners_.denial)) return std::nullopt;
        std::vector<transfer*> candidates; // the first of each source
        for (transfer* const each : state(rank).unexpected) {
            bool const wanted =
                each->tag == tag && (source == weft::transport::any_source || source == each->source);
            bool const first =
                std::ranges::find(candidates, each->source, &transfer::source) == candidates.end();
            if (wanted && first) candidates.push_back(each);
        }
        if (candidates.empty()) return std::nullopt;
        transfer* const found = candidates[random_() % candidates.size()];
        std::erase(state(rank).unexpected, found);
        state(rank).probed = found;
        return weft::envelope{found->source, found->tag, static_cast<std::int64_t>(found->from.size())};
    }

    weft::request receive_probed(int rank, weft::envelope const& message, std::span<std::byte> room) {
        transfer* const found = std::exchange(state(rank).probed, nullptr);
        if (found == nullptr || found->source != message.source || found->tag != message.tag)
            throw std::logic_error("a receive of a message that was not probed");
        if (room.size() != found->from.size())
            throw std::logic_error("a room that is not the message's size");
        posted_receive wanted{message.source, message.tag, room, nullptr};
        weft::request const made = make(rank, wanted.done);
        std::ranges::fill(room, std::byte{0xa5});
        begin_to_receive(*found, wanted);
        return made;
    }

    prepared& prepared_of(int rank, weft::request const& made) {
        return state(rank).prepared_transfers.at(static_cast<std::size_t>(made.slot - prepared_slots));
    }

    weft::request prepare(int rank, prepared const& what) {
        auto& all = state(rank).prepared_transfers;
        all.push_back(what);
        return {prepared_slots + static_cast<std::int32_t>(all.size() - 1)};
    }

    void start(int rank, weft::request made) {
        prepared& what = prepared_of(rank, made);
        if (what.under_way) throw std::logic_error("a start of what is under way");
        what.under_way = what.sends ? send(rank, what.peer, what.tag, what.from, weft::send_mode::standard)
                                    : receive(rank, what.peer, what.tag, what.room);
    }

    bool test(int rank, weft::request& pending) {
        if (!pending) return true;
        if (pending.slot >= prepared_slots) return test(rank, prepared_of(rank, pending).under_way);
        operation& asked = *state(rank).operations.at(static_cast<std::size_t>(pending.slot));
        if (asked.tested) throw std::logic_error("a test of a request that was complete before");
        if (!asked.complete || by_chance(manners_.denial)) return false;
        asked.tested = true;
        --state(rank).open;
        pending = {};
        return true;
    }

    /// The place of this rank in its next collective.
    collective& enter(int rank, collective::kind what, weft::request& made) {
        std::size_t const number = state(rank).collectives++;
        if (number == collectives_.size()) {
            collective& fresh = *collectives_.emplace_back(std::make_unique<collective>());
            fresh.what = what;
            fresh.words_in.resize(rank_.size());
            fresh.words_out.resize(rank_.size());
            fresh.sum_out.resize(rank_.size());
            fresh.value_in.resize(rank_.size());
            fresh.value_out.resize(rank_.size());
            fresh.done.resize(rank_.size());
        }
        collective& common = *collectives_[number];
        if (common.what != what) throw std::logic_error("ranks begin different collectives");
        made = make(rank, common.done[static_cast<std::size_t>(rank)]);
        return common;
    }

    void entered(collective& common) {
        if (++common.entered < size()) return;
        for (auto const& each : common.words_in) common.words.emplace_back(each.begin(), each.end());
        for (auto const* each : common.value_in)
            if (each != nullptr) common.value = combine(common.value, *each);
        for (int r = 0; r < size(); ++r) due_.push_back({happening::collective_ends, nullptr, &common, r});
    }

    void end_collective(collective& common, std::size_t rank) {
        switch (common.what) {
        case collective::kind::all_to_all:
            for (std::size_t from = 0; from < rank_.size(); ++from)
                common.words_out[rank][from] = common.words[from][rank];
            break;
        case collective::kind::reduce_scatter: {
            std::uint64_t sum = 0; // wraps, as the sums of MPI's unsigned words do
            for (auto const& words : common.words) sum += static_cast<std::uint64_t>(words[rank]);
            *common.sum_out[rank] = static_cast<std::int64_t>(sum);
            break;
        }
        case collective::kind::all_reduce:
            *common.value_out[rank] = common.value;
            break;
        }
        common.done[rank]->complete = true;
    }

    class door final : public weft::transport {
    public:
        door(memory_network& network, int rank) : network_(network), rank_(rank) {}

        [[nodiscard]] int rank() const noexcept override { return rank_; }
        [[nodiscard]] int size() const noexcept override { return network_.size(); }
        [[nodiscard]] weft::request send(
            int destination, int tag, std::span<std::byte const> bytes, weft::send_mode mode) override {
            return network_.send(rank_, destination, tag, bytes, mode);
        }
        [[nodiscard]] weft::request receive(int source, int tag, std::span<std::byte> room) override {
            return network_.receive(rank_, source, tag, room);
        }
        [[nodiscard]] std::optional<weft::envelope> probe(int source, int tag) override {
            return network_.probe(rank_, source, tag);
        }
        [[nodiscard]] weft::request receive(
            weft::envelope const& message, std::span<std::byte> room) override {
            return network_.receive_probed(rank_, message, room);
        }
        [[nodiscard]] bool test(weft::request& pending) override { return network_.test(rank_, pending); }
        [[nodiscard]] weft::request prepare_send(
            int destination, int tag, std::span<std::byte const> bytes) override {
            return network_.prepare(rank_, {true, destination, tag, bytes, {}});
        }
        [[nodiscard]] weft::request prepare_receive(int source, int tag, std::span<std::byte> room) override {
            return network_.prepare(rank_, {false, source, tag, {}, room});
        }
        void start(weft::request made) override { network_.start(rank_, made); }
        void discard(weft::request& made) override {
            if (network_.prepared_of(rank_, made).under_way)
                throw std::logic_error("a discard of what is under way");
            made = {};
        }
        [[nodiscard]] weft::request all_to_all(
            std::span<std::int64_t const> mine, std::span<std::int64_t> theirs) override {
            weft::request made;
            collective& common = network_.enter(rank_, collective::kind::all_to_all, made);
            common.words_in[static_cast<std::size_t>(rank_)] = mine;
            common.words_out[static_cast<std::size_t>(rank_)] = theirs;
            network_.entered(common);
            return made;
        }
        [[nodiscard]] weft::request reduce_scatter(
            std::span<std::int64_t const> mine, std::int64_t& sum) override {
            weft::request made;
            collective& common = network_.enter(rank_, collective::kind::reduce_scatter, made);
            common.words_in[static_cast<std::size_t>(rank_)] = mine;
            common.sum_out[static_cast<std::size_t>(rank_)] = &sum;
            network_.entered(common);
            return made;
        }
        [[nodiscard]] weft::request all_reduce(
            weft::census_value const& mine, weft::census_value& combined) override {
            weft::request made;
            collective& common = network_.enter(rank_, collective::kind::all_reduce, made);
            common.value_in[static_cast<std::size_t>(rank_)] = &mine;
            common.value_out[static_cast<std::size_t>(rank_)] = &combined;
            network_.entered(common);
            return made;
        }
        [[nodiscard]] bool open_counters(int) override { return true; }
        [[nodiscard]] weft::request add_remote(int target, int counter, std::int64_t amount) override {
            addition wanted{target, counter, amount, nullptr};
            weft::request const made = network_.make(rank_, wanted.applied);
            network_.due_.push_back({happening::is_added, nullptr, nullptr, rank_, wanted});
            return made;
        }
        [[nodiscard]] std::int64_t take_counter(int counter) override {
            return std::exchange(network_.state(rank_).counters[counter], 0);
        }
        [[nodiscard]] double seconds() const noexcept override {
            return 1e-6 * static_cast<double>(network_.now_);
        }

    private:
        memory_network& network_;
        int rank_;
    };

    std::mt19937_64 random_;
    adversary manners_;
    std::vector<rank_state> rank_;
    std::vector<std::unique_ptr<transfer>> transfers_;
    std::map<channel, std::deque<transfer*>> flying_;
    std::vector<std::unique_ptr<collective>> collectives_;
    std::vector<event> due_;
    std::int64_t now_ = 0;
};

} // namespace weft_test
