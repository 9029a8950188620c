/// The inside of a simulated machine. Private.
#pragma once

#include "collective_schedule.hpp"
#include "deviations.hpp"
#include "event_queue.hpp"
#include "simulated_rank.hpp"

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
    /// A door of its own for one member of a group.
    [[nodiscard]] std::unique_ptr<transport> make_door(int rank, int group, int place);
    /// A group of these ranks, in this order; returns its number.
    [[nodiscard]] int add_group(std::vector<int> members);
    /// None of its doors is left.
    void remove_group(int number) noexcept;
    [[nodiscard]] simulated_rank& rank(int number) { return ranks_[static_cast<std::size_t>(number)]; }
    [[nodiscard]] double seconds() const noexcept { return seconds_; }
    [[nodiscard]] std::int64_t messages() const noexcept { return count_; }
    void copy(int rank, std::size_t bytes);
    void write(int from, int to, std::size_t bytes);
    [[nodiscard]] shared_memory share(int at, std::size_t bytes);
    void run(progress (*step)(void* body, int rank), void* body);

    /// Ranks that do not return from their steps while they wait, because they are programs with a stack.
    class looker {
    public:
        looker() = default;
        looker(looker const&) = delete;
        looker& operator=(looker const&) = delete;
        virtual ~looker() = default;
        /// Before this rank asks if something has come.
        virtual void before_look(int rank) = 0;
        /// Before this rank begins to send or to receive.
        virtual void before_send(int rank) = 0;
        /// Nothing is under way any more; false if nothing can change.
        [[nodiscard]] virtual bool nothing_comes() = 0;
    };
    void set_looker(looker* whose) noexcept { looker_ = whose; }
    /// From now on the order of things is another one. `whose` must live as long.
    void deviate(deviations* whose) noexcept { deviates_ = whose; }
    /// The program itself sends: what is held stays so, until it comes to an end or sends too much.
    void goes_on() noexcept { went_on_ = injected_; }
    /// The messages and turns that were held since this number of messages come again.
    [[nodiscard]] bool is_over(std::int64_t since) const noexcept {
        // A rank that polls until a message is there would wait for ever.
        return injected_ - std::max(since, went_on_) > 1000 + 100 * std::int64_t{size()};
    }
    [[nodiscard]] std::int64_t injected() const noexcept { return injected_; }
    [[nodiscard]] double now() const noexcept { return now_; }
    /// Lets this rank look again after `seconds`.
    void wake_after(int number, double seconds) {
        events_.push(now_ + seconds, event_queue::kind::looks, static_cast<std::uint32_t>(number));
    }
    [[nodiscard]] machine_model const& machine() const noexcept { return machine_; }

private:
    class door;

    /// The value of one rank for a collective, and its progress.
    struct participant {
        std::int64_t const* words = nullptr;
        std::int64_t* into_words = nullptr;
        census_value const* value = nullptr;
        census_value* into_value = nullptr;
        std::int32_t slot = -1; // of its request; before, it has not entered
        std::int32_t round = 0;
        bool sent = false;         // in this round
        std::uint64_t arrived = 0; // by round
    };
    struct collective {
        collective_kind what;
        collective_schedule schedule;
        int entered = 0;
        int finished = 0;
        std::vector<participant> ranks; // by place in the group
    };
    /// Ranks with tags and collectives of their own. Group 0 is all ranks, each in its place.
    struct group {
        std::vector<int> members;           // by place; empty: all
        std::vector<int> places;            // of the members, ordered by rank
        std::deque<collective> collectives; // from the oldest that is not over
        std::int64_t retired = 0;
        std::vector<std::int64_t> begun; // collectives, by place
    };
    [[nodiscard]] group& of(int number) { return *groups_[static_cast<std::size_t>(number)]; }
    [[nodiscard]] int size_of(group const& of) const noexcept { return static_cast<int>(of.begun.size()); }
    [[nodiscard]] int rank_at(group const& of, int place) const noexcept {
        return of.members.empty() ? place : of.members[static_cast<std::size_t>(place)];
    }
    [[nodiscard]] int place_of(group const& of, int rank) const noexcept;

    // Messages: simulated_messages.cpp.

    [[nodiscard]] network_model const& network(int a, int b) const noexcept {
        return node_of(a) == node_of(b) ? machine_.inside : machine_.between;
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
    /// It reaches its node at this time, or when the deviations say so.
    void travel(std::uint32_t number, double until);
    /// Lets go of the message that was held first; false if there is none.
    bool release_held();
    void reach(std::uint32_t number);
    void arrive(std::uint32_t number);
    void match(std::uint32_t number, std::int32_t slot, std::span<std::byte> room, bool is_probed);
    void send_payload(std::uint32_t number);
    void acknowledge(std::uint32_t number);

    // Collectives: simulated_collectives.cpp.

    [[nodiscard]] request enter(int group, int place, collective_kind what, participant const& mine);
    void move_data(collective& common);
    void advance(int group, std::int64_t number, int place);
    void finish(int group, std::int64_t number, int place);

    // The order of things: simulated_machine.cpp.

    /// The processor of a rank works for so long, from now or from when it is free.
    void work(simulated_rank& who, double seconds) { who.clock = std::max(who.clock, now_) + seconds; }
    void wake(int number);
    void step(int number);

    machine_model machine_;
    std::vector<simulated_rank> ranks_;
    std::vector<std::unique_ptr<transport>> doors_;
    std::vector<double> node_sends_at_;
    std::vector<double> node_hears_at_;
    std::vector<std::vector<shared_memory>> node_memory_; // by node and call
    simulated_messages all_;
    event_queue events_;
    std::vector<std::unique_ptr<group>> groups_; // null where it was removed
    looker* looker_ = nullptr;

    // Where messages may come late.
    struct channel {
        double last = 0; // when its last message comes
        int held = 0;
    };
    using channel_name = std::array<std::int32_t, 4>; // source, destination, group, tag
    [[nodiscard]] channel* channel_of(simulated_message const& message);
    deviations* deviates_ = nullptr;
    std::int64_t injected_ = 0;
    std::int64_t went_on_ = 0; // `injected_` when the program last sent something of its own
    std::map<channel_name, channel> channels_;
    struct held_message {
        std::uint32_t number;
        std::int64_t index; // as `deviations` count
    };
    std::deque<held_message> held_;
    std::int64_t count_ = 0;
    double now_ = 0;
    double seconds_ = 0;
    int left_ = 0;
    progress (*step_)(void* body, int rank) = nullptr;
    void* body_ = nullptr;
};

} // namespace weft
