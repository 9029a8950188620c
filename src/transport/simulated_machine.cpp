#include <weft/extend/transport/simulated_machine.hpp>

#include "shared_cores.hpp"
#include "simulated_state.hpp"

#include <core/cache_lines.hpp>
#include <machine/message_costs.hpp>
#include <weft/core/error.hpp>
#include <weft/core/topology.hpp>
#include <weft/detail/core/prefetch.hpp>

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <new>
#include <numeric>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace weft {

/// The machine, as seen by one rank of a group.
class simulated_machine::state::door final : public transport {
public:
    door(state& machine, int rank, int group, int place)
        : machine_(machine), group_(machine.of(group)), rank_(rank), number_(group), place_(place) {}

    [[nodiscard]] int rank() const noexcept override { return place_; }
    [[nodiscard]] int size() const noexcept override { return machine_.size_of(group_); }
    [[nodiscard]] request send(
        int destination, int tag, std::span<std::byte const> bytes, send_mode mode) override {
        begin();
        return left([&] {
            return machine_.send(rank_, machine_.rank_at(group_, destination), tag, number_, bytes, mode);
        });
    }
    [[nodiscard]] request receive(int source, int tag, std::span<std::byte> room) override {
        begin();
        return left(
            [&] { return machine_.receive(rank_, machine_.rank_at(group_, source), tag, number_, room); });
    }
    [[nodiscard]] std::optional<envelope> probe(int source, int tag) override {
        look();
        int const from = source == any_source ? any_source : machine_.rank_at(group_, source);
        std::optional<envelope> found = left([&] { return machine_.probe(rank_, from, tag, number_); });
        if (found) found->source = machine_.place_of(group_, found->source);
        return found;
    }
    [[nodiscard]] request receive(envelope const&, std::span<std::byte> room) override {
        begin();
        return left([&] { return machine_.receive_probed(rank_, room); });
    }
    [[nodiscard]] bool test(request& pending) override {
        if (!pending) return true;
        look();
        return left([&] { return machine_.test(rank_, pending); });
    }
    [[nodiscard]] request prepare_send(int destination, int tag, std::span<std::byte const> bytes) override {
        return machine_.rank(rank_).prepare(
            {true, machine_.rank_at(group_, destination), tag, number_, bytes, {}, {}});
    }
    [[nodiscard]] request prepare_receive(int source, int tag, std::span<std::byte> room) override {
        return machine_.rank(rank_).prepare(
            {false, machine_.rank_at(group_, source), tag, number_, {}, room, {}});
    }
    void start(request prepared) override { machine_.start(rank_, prepared); }
    void discard(request& prepared) override { prepared = {}; }
    [[nodiscard]] request all_to_all(
        std::span<std::int64_t const> mine, std::span<std::int64_t> theirs) override {
        participant own;
        own.words = mine.data();
        own.into_words = theirs.data();
        return machine_.enter(number_, place_, collective_kind::all_to_all, own);
    }
    [[nodiscard]] request reduce_scatter(std::span<std::int64_t const> mine, std::int64_t& sum) override {
        participant own;
        own.words = mine.data();
        own.into_words = &sum;
        return machine_.enter(number_, place_, collective_kind::reduce_scatter, own);
    }
    [[nodiscard]] request all_reduce(census_value const& mine, census_value& combined) override {
        participant own;
        own.value = &mine;
        own.into_value = &combined;
        return machine_.enter(number_, place_, collective_kind::all_reduce, own);
    }
    // Counters belong to the ranks, not to a group.
    [[nodiscard]] bool open_counters(int) override { return number_ == 0; }
    [[nodiscard]] request add_remote(int target, int counter, std::int64_t amount) override {
        return machine_.add_remote(rank_, target, counter, amount);
    }
    [[nodiscard]] std::int64_t take_counter(int counter) override {
        return std::exchange(machine_.rank(rank_).counter(counter), 0);
    }
    [[nodiscard]] shared_memory share(topology const& nodes, std::size_t bytes) override {
        if (machine_.looker_ != nullptr && !has_shared_memory(machine_.machine_))
            return shared_memory("the model of the machine tells nothing of shared memory");
        if (machine_.looker_ != nullptr && machine_.deviates_ != nullptr) // what memory holds is never late
            return shared_memory("under WEFT_ADVERSARY ranks of a node send messages");
        return machine_.share(group_, place_, nodes, bytes);
    }
    void account_copy(std::size_t bytes) override {
        if (machine_.looker_ == nullptr || !machine_.looker_->is_charged()) machine_.copy(rank_, bytes);
    }
    void account_write(int reader, std::size_t bytes) override {
        machine_.write(rank_, machine_.rank_at(group_, reader), bytes);
    }
    [[nodiscard]] double seconds() const noexcept override { return machine_.rank(rank_).clock; }

private:
    /// Returns what the machine returns, and tells who looks that the rank goes on.
    template <class Call>
    std::invoke_result_t<Call> left(Call&& call) {
        auto result = call();
        if (machine_.looker_ != nullptr) machine_.looker_->after_call();
        return result;
    }
    void begin() {
        if (machine_.looker_ != nullptr) machine_.looker_->before_send(rank_);
    }
    void look() {
        if (machine_.looker_ != nullptr) machine_.looker_->before_look(rank_);
    }

    state& machine_;
    group& group_;
    int rank_;
    int number_;
    int place_;
};

simulated_machine::state::state(machine_model const& machine, int ranks)
    : machine_(with_costs_of(machine, ranks)),
      while_others_work_(costs_of_shared_cores(machine, ranks)),
      ranks_(static_cast<std::size_t>(ranks)) {
    groups_.push_back(std::make_unique<group>());
    groups_.front()->begun.resize(ranks_.size());
    groups_.front()->shares.resize(ranks_.size());
    for (int each = 0; each < ranks; ++each) doors_.push_back(make_door(each, 0, each));
    auto const nodes = static_cast<std::size_t>(node_of(ranks - 1)) + 1;
    node_sends_at_.assign(nodes, 0);
    node_hears_at_.assign(nodes, 0);
}

std::unique_ptr<transport> simulated_machine::state::make_door(int rank, int group, int place) {
    return std::make_unique<door>(*this, rank, group, place);
}

int simulated_machine::state::add_group(std::vector<int> members) {
    auto made = std::make_unique<group>();
    made->begun.resize(members.size());
    made->shares.resize(members.size());
    made->places.resize(members.size());
    std::iota(made->places.begin(), made->places.end(), 0);
    std::ranges::sort(made->places, {}, [&](int place) { return members[static_cast<std::size_t>(place)]; });
    made->members = std::move(members);
    groups_.push_back(std::move(made));
    return static_cast<int>(groups_.size()) - 1;
}

void simulated_machine::state::remove_group(int number) noexcept {
    groups_[static_cast<std::size_t>(number)].reset();
}

int simulated_machine::state::place_of(group const& of, int rank) const noexcept {
    if (of.members.empty()) return rank;
    return *std::ranges::lower_bound(
        of.places, rank, {}, [&](int place) { return of.members[static_cast<std::size_t>(place)]; });
}

transport& simulated_machine::state::at(int rank) {
    return *doors_.at(static_cast<std::size_t>(rank));
}

void simulated_machine::state::copy(int rank_of_copy, std::size_t bytes) {
    work(rank(rank_of_copy), static_cast<double>(bytes) * machine_.copy_per_byte);
}

/// Polling ranks see shared memory at once; a sleeping rank is woken when the bytes would have arrived.
void simulated_machine::state::write(int from, int to, std::size_t bytes) {
    if (from == to) return;
    simulated_rank& writer = rank(from);
    network_model const& inside = machine_.inside;
    std::size_t const passed = (bytes + line_bytes - 1) / line_bytes * line_bytes;
    work(writer, static_cast<double>(passed) * machine_.handover_per_byte);
    writer.sends_at = std::max({writer.clock, now_, writer.sends_at}) +
                      static_cast<double>(bytes) * inside.parameters.gap_per_byte;
    events_.push(writer.sends_at + inside.parameters.latency, event_queue::kind::looks,
        static_cast<std::uint32_t>(to));
}

namespace {

std::byte* expect_mapping(void* mapping) {
    if (mapping == MAP_FAILED)
        throw error("simulated ranks share memory: the operating system refuses a mapping for each rank "
                    "(sysctl vm.max_map_count); with WEFT_SHARED_MEMORY=off they send messages");
    return static_cast<std::byte*>(mapping);
}

std::byte* map_memory(std::size_t bytes, int for_whom) {
    return expect_mapping(
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, for_whom | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
}

/// One more mapping of memory that is mapped with MAP_SHARED.
std::byte* map_again(std::byte* shared, std::size_t bytes) {
    return expect_mapping(mremap(shared, 0, bytes, MREMAP_MAYMOVE));
}

} // namespace

/// Pretended nodes may consist of ranks of several nodes of the machine.
bool simulated_machine::state::are_nodes(group const& of, topology const& nodes) const noexcept {
    for (int node = 0; node < nodes.node_count(); ++node)
        for (int const each : nodes.ranks_of(node))
            if (node_of(rank_at(of, each)) != node_of(rank_at(of, nodes.leader_of(node)))) return false;
    return true;
}

/// The first rank of a node to call makes the memory; the n-th calls of all its ranks return the same memory.
/// Programs release it, each rank by a mapping of its own. Engines may be more than a process has mappings,
/// so their memory lives as long as the group.
shared_memory simulated_machine::state::share(
    group& of, int place, topology const& nodes, std::size_t bytes) {
    constexpr std::size_t page = 4096;
    std::size_t const part = (bytes + page - 1) / page * page;
    bool const are_programs = looker_ != nullptr;
    std::size_t const call = of.shares[static_cast<std::size_t>(place)]++;
    auto [found, is_first] = of.memories.try_emplace(call);
    common_memory& common = found->second;
    if (is_first) {
        common.is_possible = are_nodes(of, nodes);
        common.awaited = size_of(of);
    }
    shared_memory mine("ranks of several nodes of the machine pretend to be of one");
    if (common.is_possible) {
        auto const cores = static_cast<int>(nodes.ranks_of(nodes.node()).size());
        std::size_t const total = part * static_cast<std::size_t>(cores);
        shared_memory& of_node = common.by_node[nodes.node()];
        if (!of_node)
            of_node = shared_memory(map_memory(total, are_programs ? MAP_SHARED : MAP_PRIVATE), part, cores);
        std::span<std::byte* const> const parts = of_node.parts();
        mine = are_programs ? shared_memory(map_again(parts.front(), total), part, cores)
                            : shared_memory(std::vector(parts.begin(), parts.end()));
    }
    if (--common.awaited == 0 && are_programs) of.memories.erase(found);
    return mine;
}

/// Begins to load what the next events read, from the pointer that is known first to those that it leads to:
/// of many ranks, nothing is in the cache when it is the next one's turn.
void simulated_machine::state::look_ahead() {
    constexpr std::size_t bytes_of_message = 128; // all but what a long one needs
    constexpr std::size_t bytes_of_rank = 168;    // all but counters and persistent transfers
    constexpr std::array<std::size_t, 1 + foresight::stages> ahead{56, 48, 40, 32, 24, 16, 8};
    for (std::size_t stage = 0; stage < ahead.size(); ++stage) {
        if (ahead[stage] >= events_.known()) continue;
        event_queue::event const& coming = events_.next(ahead[stage]);
        using enum event_queue::kind;
        bool const is_message = coming.what != looks && coming.what != wakes;
        if (stage == 0) {
            if (is_message) detail::prefetch(&all_[coming.subject], bytes_of_message);
            continue;
        }
        simulated_message const* const message = is_message ? &all_[coming.subject] : nullptr;
        bool const to_source = coming.what == acknowledged || coming.what == clear;
        std::size_t const number = message == nullptr ? coming.subject
                                   : to_source        ? static_cast<std::size_t>(message->source)
                                                      : static_cast<std::size_t>(message->destination);
        simulated_rank const& whose = ranks_[number];
        if (stage == 1) {
            detail::prefetch(&whose, bytes_of_rank);
            detail::prefetch(&doors_[number], sizeof(void*));
        }
        if (stage == 2) {
            whose.prefetch_lists();
            detail::prefetch(doors_[number].get(), sizeof(door));
        }
        using data = simulated_message::kind;
        if (stage == 4 && message != nullptr && !to_source &&
            (message->what == data::eager || message->what == data::answered))
            whose.prefetch_receive(*message);
        if (known_ != nullptr) known_->prefetch(static_cast<int>(number), static_cast<int>(stage) - 1);
    }
}

void simulated_machine::state::run(
    progress (*step)(void* body, int rank), void* body, foresight const* known) {
    step_ = step;
    body_ = body;
    known_ = known;
    left_ = size();
    for (int each = 0; each < size(); ++each) {
        rank(each).done = false;
        rank(each).wakes = true;
        events_.push(rank(each).clock, event_queue::kind::wakes, static_cast<std::uint32_t>(each));
    }
    while (true) {
        if (events_.empty()) {
            if (release_held() || arrive_in_order()) continue;
            if (left_ == 0 || looker_ == nullptr || !looker_->nothing_comes()) break;
            continue;
        }
        event_queue::event const next = events_.pop();
        look_ahead();
        now_ = next.time;
        order_now_ = next.order;
        switch (next.what) {
        case event_queue::kind::reaches:
            reach(next.subject);
            break;
        case event_queue::kind::arrives:
            arrive(next.subject);
            break;
        case event_queue::kind::acknowledged:
            acknowledge(next.subject);
            break;
        case event_queue::kind::clear:
            send_payload(next.subject);
            break;
        case event_queue::kind::looks:
            tell(static_cast<int>(next.subject));
            break;
        case event_queue::kind::wakes:
            rank(static_cast<int>(next.subject)).wakes = false;
            wake(static_cast<int>(next.subject));
            break;
        }
    }
    if (left_ == 0) return;
    auto const stuck = std::ranges::find(ranks_, false, &simulated_rank::done) - ranks_.begin();
    throw std::runtime_error("simulated_machine: rank " + std::to_string(stuck) + " and " +
                             std::to_string(left_ - 1) + " others wait for messages that never come");
}

/// Wakes a rank whose state has changed: it is stepped now, or when it is no longer busy.
void simulated_machine::state::wake(int number) {
    simulated_rank& who = rank(number);
    if (who.done || who.wakes) return;
    bool const rests = who.rests_until > now_ || (who.rests_until == now_ && who.rest_order > order_now_);
    if (rests) { // it is woken as if an event had been queued when it began to rest
        who.wakes = true;
        events_.push({std::exchange(who.rests_until, -1), who.rest_order, event_queue::kind::wakes,
            static_cast<std::uint32_t>(number)});
        return;
    }
    if (who.clock > now_) {
        who.wakes = true;
        events_.push(who.clock, event_queue::kind::wakes, static_cast<std::uint32_t>(number));
        return;
    }
    who.clock = now_;
    step(number);
}

void simulated_machine::state::step(int number) {
    simulated_rank& who = rank(number);
    // Set, so that effects of its own steps do not wake it.
    who.wakes = true;
    progress result = progress::some;
    while (result == progress::some && who.clock <= now_) {
        who.acted = false;
        result = step_(body_, number);
        // An engine may have acted although it reports no progress.
        if (result == progress::none && who.acted) result = progress::some;
    }
    who.wakes = false;
    if (result == progress::done) {
        who.done = true;
        --left_;
        seconds_ = std::max(seconds_, who.clock);
    } else if (result == progress::some && known_ != nullptr && known_->rests(number)) {
        who.rests_until = who.clock;
        who.rest_order = events_.reserve();
    } else if (result == progress::some) {
        wake(number); // when it is no longer busy, and has received messages that arrive meanwhile
    }
}

simulated_machine::simulated_machine(machine_model const& machine, int ranks) {
    if (ranks < 1)
        throw usage_error("simulated_machine: " + std::to_string(ranks) + " ranks; at least 1 is needed");
    state_ = detail::owned(new state(machine, ranks));
}

int simulated_machine::size() const noexcept {
    return state_->size();
}

int simulated_machine::node_of(int rank) const noexcept {
    return state_->node_of(rank);
}

transport& simulated_machine::at(int rank) {
    return state_->at(rank);
}

void simulated_machine::compute(int rank, double seconds) {
    state_->compute(rank, seconds);
}

double simulated_machine::seconds() const noexcept {
    return state_->seconds();
}

std::int64_t simulated_machine::messages() const noexcept {
    return state_->messages();
}

void simulated_watcher::watch(simulated_machine& machine, simulated_watcher& whose, deviations* also) {
    machine.state_->set_watcher(&whose);
    machine.state_->deviate(also);
}

void simulated_machine::run_with(progress (*step)(void* body, int rank), void* body, foresight const* known) {
    state_->run(step, body, known);
}

} // namespace weft
