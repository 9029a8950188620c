/// The state of a simulated machine. Private.
#pragma once

#include "arrival_order.hpp"
#include "collective_schedule.hpp"
#include "deviations.hpp"
#include "event_queue.hpp"
#include "simulated_rank.hpp"
#include "simulated_watcher.hpp"

#include <weft/extend/transport/simulated_machine.hpp>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace weft {

class simulated_machine::state {
public:
    state(machine_model const& machine, int ranks);

    [[nodiscard]] int size() const noexcept { return static_cast<int>(ranks_.size()); }
    [[nodiscard]] int node_of(int rank) const noexcept { return rank / machine_.simulation.ranks_per_node; }
    [[nodiscard]] transport& at(int rank);
    /// Makes a transport for one member of a group.
    [[nodiscard]] std::unique_ptr<transport> make_door(int rank, int group, int place);
    /// Makes a group of these ranks, in this order; returns its number.
    [[nodiscard]] int add_group(std::vector<int> members);
    /// Removes a group whose transports are all gone.
    void remove_group(int number) noexcept;
    [[nodiscard]] simulated_rank& rank(int number) { return ranks_[static_cast<std::size_t>(number)]; }
    [[nodiscard]] double seconds() const noexcept { return seconds_; }
    [[nodiscard]] std::int64_t messages() const noexcept { return count_; }
    void copy(int rank, std::size_t bytes);
    void write(int from, int to, std::size_t bytes);
    void run(progress (*step)(void* body, int rank), void* body, foresight const* known);

    /// Called before ranks poll. Ranks that are programs with a stack wait within their steps.
    class looker {
    public:
        looker() = default;
        looker(looker const&) = delete;
        looker& operator=(looker const&) = delete;
        virtual ~looker() = default;
        /// Called before this rank polls.
        virtual void before_look(int rank) = 0;
        /// Called before this rank begins to send or to receive.
        virtual void before_send(int rank) = 0;
        /// Called after this rank has polled, sent or begun to receive.
        virtual void after_call() = 0;
        /// Returns true if ranks are charged with the processor time that they use, copies included.
        [[nodiscard]] virtual bool is_charged() const noexcept = 0;
        /// Called when nothing is under way; returns false if nothing can change.
        [[nodiscard]] virtual bool nothing_comes() = 0;
        /// Returns another number if ranks have begun or ended calls, or handlers have run on other ranks
        /// than `receiver`.
        [[nodiscard]] virtual std::uint64_t seen_beside(int receiver) const = 0;
    };
    void set_looker(looker* whose) noexcept { looker_ = whose; }
    /// Sets deviations from the usual order. `whose` must live as long.
    void deviate(deviations* whose) noexcept { deviates_ = whose; }
    void set_watcher(simulated_watcher* whose) noexcept { watcher_ = whose; }
    /// Lets a rank compute after the work that it has begun.
    void compute(int number, double seconds) { occupy(rank(number), rank(number).clock, seconds); }
    /// Sets the order of messages from any source. `whose` must live as long.
    void order(arrival_order* whose) noexcept { order_ = whose; }
    /// Sets the record for tags that are probed with `any_source`, and for what ended too early; it must live
    /// as long.
    void note_into(arrival_order::record* into) noexcept { notes_ = into; }
    /// The program itself has sent, so held messages stay held longer.
    void goes_on() noexcept { went_on_ = injected_; }
    /// Returns true if messages and turns held since this number of messages must be released.
    [[nodiscard]] bool is_over(std::int64_t since) const noexcept {
        // Else a rank that polls until a message arrives would wait for ever.
        return injected_ - std::max(since, went_on_) > 1000 + 100 * std::int64_t{size()};
    }
    [[nodiscard]] std::int64_t injected() const noexcept { return injected_; }
    [[nodiscard]] double now() const noexcept { return now_; }
    /// Lets this rank poll again after `seconds`.
    void wake_after(int number, double seconds) {
        events_.push(now_ + seconds, event_queue::kind::looks, static_cast<std::uint32_t>(number));
    }
    [[nodiscard]] machine_model const& machine() const noexcept { return machine_; }

private:
    class door;

    /// The values of one rank in a collective, and its progress.
    struct participant {
        std::int64_t const* words = nullptr;
        std::int64_t* into_words = nullptr;
        census_value const* value = nullptr;
        census_value* into_value = nullptr;
        std::int32_t slot = -1; // slot of its request; negative: it has not entered
        std::int32_t round = 0;
        bool sent = false;         // in this round
        std::uint64_t arrived = 0; // a bit for each round
    };
    struct collective {
        collective_kind what;
        collective_schedule schedule;
        int entered = 0;
        int finished = 0;
        std::vector<participant> ranks; // by place in the group
    };
    /// The memory of one call of `share` by all ranks of a group; kept here until all have called.
    struct common_memory {
        bool is_possible = false;
        int awaited = 0;                      // ranks that have not called yet
        std::map<int, shared_memory> by_node; // of the topology of the group
    };
    /// Ranks with tags, collectives and memory of their own. Group 0 has all ranks, each in its place.
    struct group {
        std::vector<int> members;           // by place; empty: all ranks
        std::vector<int> places;            // of the members, sorted by rank
        std::deque<collective> collectives; // from the oldest that is not complete
        std::int64_t retired = 0;
        std::vector<std::int64_t> begun;               // number of collectives, by place
        std::vector<std::size_t> shares;               // number of calls of `share`, by place
        std::map<std::size_t, common_memory> memories; // by number of the call
    };
    [[nodiscard]] group& of(int number) { return *groups_[static_cast<std::size_t>(number)]; }
    [[nodiscard]] int size_of(group const& of) const noexcept { return static_cast<int>(of.begun.size()); }
    [[nodiscard]] int rank_at(group const& of, int place) const noexcept {
        return of.members.empty() ? place : of.members[static_cast<std::size_t>(place)];
    }
    [[nodiscard]] int place_of(group const& of, int rank) const noexcept;
    [[nodiscard]] bool are_nodes(group const& of, topology const& nodes) const noexcept;
    [[nodiscard]] shared_memory share(group& of, int place, topology const& nodes, std::size_t bytes);

    // Messages: simulated_messages.cpp; deviations from the usual order: simulated_deviations.cpp.

    [[nodiscard]] network_model const& network(int a, int b) const noexcept {
        machine_model const& now =
            while_others_work_.empty() ? machine_ : while_others_work_[working_beside(a, b)];
        return node_of(a) == node_of(b) ? now.inside : now.between;
    }
    /// The number of other ranks that work now.
    [[nodiscard]] std::size_t working_beside(int a, int b) const noexcept {
        std::size_t working = 0;
        for (int each = 0; each < size(); ++each)
            if (each != a && each != b && ranks_[static_cast<std::size_t>(each)].clock > now_) ++working;
        return std::min(working, while_others_work_.size() - 1); // of a message to itself there is one more
    }
    [[nodiscard]] request send(
        int from, int to, int tag, int group, std::span<std::byte const> bytes, send_mode mode);
    [[nodiscard]] request receive(int at, int source, int tag, int group, std::span<std::byte> room);
    [[nodiscard]] request receive_probed(int at, std::span<std::byte> room);
    [[nodiscard]] std::optional<envelope> probe(int at, int source, int tag, int group);
    [[nodiscard]] bool test(int at, request& pending);
    void start(int at, request prepared);
    [[nodiscard]] request add_remote(int from, int to, int counter, std::int64_t amount);

    void inject(std::uint32_t number);
    /// Lets the message reach its node at this time, or as deviations require.
    void travel(std::uint32_t number, double until);
    /// Holds the message, or what its sender is told of it, which is released before the `overtaken` last
    /// ones, as far as its channel allows. Returns the largest number that this could be.
    std::int64_t hold(std::uint32_t number, std::int32_t overtaken, bool is_answer);
    /// Releases the first of the held messages; returns false if there is none.
    bool release_held();
    /// Notes that a message arrives although other things can happen.
    void note_hurry() noexcept {
        if (notes_ != nullptr) notes_->has_hurried = true;
    }
    /// Lets the next message of the order arrive; returns false if there is none.
    bool arrive_in_order();
    void reach(std::uint32_t number);
    void arrive(std::uint32_t number);
    /// Gives a message to its receive, or keeps it for one.
    void take_in(std::uint32_t number);
    void match(std::uint32_t number, std::int32_t slot, std::span<std::byte> room, bool is_probed);
    void answer(simulated_message const& message, double travel);
    void send_payload(std::uint32_t number);
    void acknowledge(std::uint32_t number);

    // Collectives: simulated_collectives.cpp.

    [[nodiscard]] request enter(int group, int place, collective_kind what, participant const& mine);
    /// The seconds by which a collective took longer, when it was measured, than its messages would.
    [[nodiscard]] double start_seconds(group const& in, collective_kind what) const;
    void move_data(collective& common);
    void advance(int group, std::int64_t number, int place);
    void finish(int group, std::int64_t number, int place);

    // Scheduling: simulated_machine.cpp.

    /// Lets the processor of a rank work for `seconds`, from now or from the end of its work.
    void work(simulated_rank& who, double seconds) { occupy(who, std::max(who.clock, now_), seconds); }
    void occupy(simulated_rank& who, double begin, double seconds) {
        who.clock = begin + seconds;
        if (watcher_ != nullptr) watcher_->works(static_cast<int>(&who - ranks_.data()), begin, who.clock);
    }
    void wake(int number);
    /// Wakes a rank for which something has come.
    void tell(int number) {
        ++rank(number).told;
        wake(number);
    }
    void step(int number);
    void look_ahead();

    machine_model machine_;
    std::vector<machine_model> while_others_work_; // empty: ranks have cores of their own
    std::vector<simulated_rank> ranks_;
    std::vector<std::unique_ptr<transport>> doors_;
    std::vector<double> node_sends_at_;
    std::vector<double> node_hears_at_;
    simulated_messages all_;
    event_queue events_;
    std::vector<std::unique_ptr<group>> groups_; // null if it was removed
    looker* looker_ = nullptr;
    simulated_watcher* watcher_ = nullptr;

    // The state for deviations.
    struct channel {
        double last = 0; // arrival time of its last message
        int held = 0;
    };
    using channel_name = std::array<std::int32_t, 4>; // source, destination, group, tag
    [[nodiscard]] channel* channel_of(simulated_message const& message);
    deviations* deviates_ = nullptr;
    arrival_order* order_ = nullptr;
    std::vector<std::uint32_t> joined_; // messages that are found at one look with the next one
    std::uint32_t joined_by_ = simulated_messages::none;
    arrival_order::record* notes_ = nullptr;
    std::int64_t arrived_at_ = 0;   // `injected_` when the last message of the order arrived
    std::uint64_t seen_before_ = 0; // of `looker`, then
    std::int64_t injected_ = 0;
    std::int64_t went_on_ = 0; // `injected_` when the program last sent
    std::map<channel_name, channel> channels_;
    struct held_message {
        std::uint32_t number;
        std::int64_t since; // `injected_` when it was sent, or when one that overtook it was released
        bool is_answer;     // the message has arrived, and its sender is not told yet
    };
    std::deque<held_message> held_; // in the order of their release
    std::int64_t count_ = 0;
    double now_ = 0;
    std::uint64_t order_now_ = 0; // of the event that happens now
    double seconds_ = 0;
    int left_ = 0;
    progress (*step_)(void* body, int rank) = nullptr;
    foresight const* known_ = nullptr; // null: nothing is loaded for the program
    void* body_ = nullptr;
};

} // namespace weft
