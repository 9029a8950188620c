#include <weft/blocks/block_reduction.hpp>
#include <weft/blocks/block_scan.hpp>

#include <collective/merge_engine.hpp>
#include <collective/scan_engine.hpp>
#include <weft/detail/core/hash.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/machine/machine_model.hpp>
#include <weft/observe/counters.hpp>
#include <weft/protocol/agreement.hpp>

#include "collective/collective_tags.hpp"
#include "collective/combining_threads.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <new>
#include <optional>

namespace weft {

namespace {

participants blocks_of(communicator const& comm, assignment const& where) {
    participants who;
    for (std::int64_t place = 0; place < where.blocks_of(comm.rank()); ++place)
        who.mine.push_back(index_of(where.block_at(comm.rank(), place)));
    who.rank_of = [&where](std::int64_t id) { return where.rank_of(block_id{id}); };
    return who;
}

/// Adds the first and last group of each round to the comparison of the gate: ranks with different rounds
/// would deadlock.
void check_rounds(gate& call, assignment const& where, schedule const& rounds, bool keepers) {
    if (rounds.participants() != where.blocks())
        throw usage_error("blocks: the rounds of the reduction are for " +
                          std::to_string(rounds.participants()) + " participants; there are " +
                          std::to_string(where.blocks()) + " blocks");
    for (int round = 0; keepers && round < rounds.rounds(); ++round)
        if (rounds.group_of(round, 0).keeper == each_keeps_a_share)
            throw usage_error("blocks: merge_reduce needs rounds with a keeper; make them by merge_schedule");
    call.same("the number of rounds", rounds.rounds());
    std::uint64_t print = 0;
    auto const add = [&](std::int64_t value) {
        print = detail::mixed(print + static_cast<std::uint64_t>(value));
    };
    for (int round = 0; round < rounds.rounds(); ++round)
        for (std::int64_t const participant : {std::int64_t{0}, where.blocks() - 1}) {
            round_group const group = rounds.group_of(round, participant);
            std::ranges::for_each(group.members, add);
            add(group.keeper);
        }
    call.same("a print of the groups of the rounds", print);
}

/// Agrees on errors kept in the gate, and returns the common length of the arrays of all blocks; 0 without
/// blocks. Collective.
std::size_t agreed_length(gate& call, std::span<std::size_t const> elements) {
    constexpr std::size_t largest = census_slot::first_free;
    constexpr std::size_t least = census_slot::load_messages; // complemented
    census_value mine = census_value::identity();
    for (std::size_t const each : elements) {
        mine.max[largest] = std::max(mine.max[largest], static_cast<std::int64_t>(each));
        mine.max[least] = std::max(mine.max[least], ~static_cast<std::int64_t>(each));
    }
    census_value const all = call.agree(mine);
    if (all.max[largest] == INT64_MIN) return 0;
    call.guard([&] {
        if (all.max[largest] != ~all.max[least])
            throw usage_error("blocks: the arrays of a reduction have from " +
                              std::to_string(~all.max[least]) + " to " + std::to_string(all.max[largest]) +
                              " elements; all must have as many");
    });
    return static_cast<std::size_t>(all.max[largest]);
}

/// The arrays of a scan. Two arrays are combined in the memory of the right one, so that the result of a
/// block is in its own array; received arrays are freed after they are combined.
class scanned_arrays final : public detail::merged_values {
public:
    scanned_arrays(block_arrays const& arrays, std::size_t elements, array_operator& how)
        : elements_(elements), bytes_(elements * arrays.element_bytes), how_(how) {
        for (std::byte* const data : arrays.data) held_.push_back({data});
    }

    void write(std::size_t value, buffer& to) override { to.append(held_[value].data, bytes_); }
    std::size_t read(std::span<std::byte const> from) override {
        held received;
        received.own.append(from.data(), from.size());
        received.data = received.own.data();
        held_.push_back(std::move(received));
        return held_.size() - 1;
    }
    [[nodiscard]] bool reading_may_throw() const noexcept override { return false; }
    void combine(std::size_t left, std::size_t right) override {
        how_.combine(held_[right].data, held_[left].data, elements_, true);
        std::swap(held_[left], held_[right]);
        held_[right] = {};
    }

private:
    struct held {
        std::byte* data = nullptr;
        buffer own = {}; // empty for an array of a block
    };

    std::size_t elements_;
    std::size_t bytes_;
    array_operator& how_;
    std::vector<held> held_;
};

} // namespace

std::vector<kept_value> merge_blocks(gate& call, assignment const& where, schedule const& rounds,
    detail::merged_values& values, reduction_options const& options) try {
    communicator const& comm = call.comm();
    operation_context& context = context_of(comm);
    std::unique_ptr<combining_threads> threads;
    std::optional<merge_engine> joint;
    std::vector<kept_value> kept;
    call.guard([&] {
        check_rounds(call, where, rounds, true);
        threads = threads_for(options.threads, "merge_reduce");
        joint.emplace(context.via, collective_tags::up, rounds, blocks_of(comm, where), values,
            collective_tags::of(comm).begin());
        if (threads) joint->combine_by(*threads);
        kept.reserve(static_cast<std::size_t>(where.blocks_of(comm.rank())));
    });
    call.agree();
    complete(context, *joint, "merge_reduce");
    context.count.control_messages += joint->messages();
    call.fail(joint->thrown());
    call.agree();
    for (auto const [place, value] : joint->results()) kept.push_back({place, value});
    return kept;
} catch (std::bad_alloc const&) {
    alone_unless_agreed("merge_reduce");
    throw;
}

std::vector<element_range> reduce_block_arrays(gate& call, assignment const& where, schedule const& rounds,
    block_arrays const& arrays, array_operator& how, bool may_throw, reduction_options const& options) try {
    communicator const& comm = call.comm();
    call.guard([&] { check_rounds(call, where, rounds, false); });
    std::size_t const elements = agreed_length(call, arrays.elements);
    participants who;
    std::vector<element_range> kept;
    call.guard([&] {
        who = blocks_of(comm, where);
        for (std::int64_t const id : who.mine) kept.push_back(kept_elements(rounds, id, elements));
    });
    reduce_arrays(call, {rounds, who, arrays.data, elements, arrays.element_bytes, segment_bytes_on(comm)},
        how, may_throw, options.threads);
    return kept;
} catch (std::bad_alloc const&) {
    alone_unless_agreed("swap_reduce");
    throw;
}

void all_reduce_block_arrays(gate& call, assignment const& where, block_arrays const& arrays,
    array_operator& how, bool may_throw, reduction_options const& options) try {
    communicator const& comm = call.comm();
    std::size_t const elements = agreed_length(call, arrays.elements);
    if (where.blocks() == 0) return;
    // The same k on all machines, since it determines the order of combinations.
    constexpr int k = 4;
    auto const rounds = swap_schedule(where.blocks(), k);
    participants const who = blocks_of(comm, where);
    array_call const what{rounds, who, arrays.data, elements, arrays.element_bytes, segment_bytes_on(comm)};
    reduce_arrays(call, what, how, may_throw, options.threads);
    spread_arrays(call, what);
} catch (std::bad_alloc const&) {
    alone_unless_agreed("all_reduce");
    throw;
}

void broadcast_block_arrays(gate& call, assignment const& where, block_arrays const& arrays, block_id root) {
    communicator const& comm = call.comm();
    std::size_t const elements = agreed_length(call, arrays.elements);
    std::size_t const bytes = elements * arrays.element_bytes;
    buffer passed_on; // for a rank without a block
    call.guard([&] {
        if (arrays.data.empty()) passed_on.resize(bytes);
    });
    call.agree();
    int const from = where.rank_of(root);
    std::size_t const place =
        comm.rank() == from ? static_cast<std::size_t>(where.local_place(root)) : std::size_t{0};
    std::byte* const mine = arrays.data.empty() ? passed_on.data() : arrays.data[place];
    broadcast_array(comm, {mine, elements, arrays.element_bytes}, from);
    for (std::byte* const other : arrays.data)
        if (other != mine && bytes > 0) std::memcpy(other, mine, bytes);
}

std::vector<std::size_t> scan_blocks(gate& call, assignment const& where, detail::merged_values& values) try {
    communicator const& comm = call.comm();
    operation_context& context = context_of(comm);
    std::optional<scan_engine> over;
    std::vector<std::size_t> results;
    call.guard([&] {
        over.emplace(context.via, collective_tags::up, blocks_of(comm, where), where.blocks(), values,
            collective_tags::of(comm).begin());
    });
    call.agree();
    complete(context, *over, call.call());
    context.count.control_messages += over->messages();
    // No rank receives from all others, so an error in the last round of one may be unknown to others.
    call.fail(over->thrown());
    call.guard([&] { results = over->results(); });
    call.agree();
    return results;
} catch (std::bad_alloc const&) {
    alone_unless_agreed("scan");
    throw;
}

void scan_block_arrays(
    gate& call, assignment const& where, block_arrays const& arrays, array_operator& how) try {
    scanned_arrays values(arrays, agreed_length(call, arrays.elements), how);
    static_cast<void>(scan_blocks(call, where, values));
} catch (std::bad_alloc const&) {
    alone_unless_agreed("scan");
    throw;
}

} // namespace weft
