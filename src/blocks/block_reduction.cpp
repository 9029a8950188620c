#include <weft/blocks/block_reduction.hpp>

#include <weft/collective/merge_engine.hpp>
#include <weft/core/machine_model.hpp>
#include <weft/observe/counters.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include "collective/collective_tags.hpp"

#include <algorithm>
#include <bit>

namespace weft {

namespace {

participants blocks_of(communicator const& comm, assignment const& where) {
    participants who;
    for (std::int64_t place = 0; place < where.blocks_of(comm.rank()); ++place)
        who.mine.push_back(index_of(where.block_at(comm.rank(), place)));
    who.rank_of = [&where](std::int64_t id) { return where.rank_of(block_id{id}); };
    return who;
}

void check_rounds(assignment const& where, schedule const& rounds, bool keepers) {
    if (rounds.participants() != where.blocks())
        throw usage_error("blocks: the rounds of the reduction are for " +
                          std::to_string(rounds.participants()) + " participants; there are " +
                          std::to_string(where.blocks()) + " blocks");
    for (int round = 0; keepers && round < rounds.rounds(); ++round)
        if (rounds.group_of(round, 0).keeper == each_keeps_a_share)
            throw usage_error("blocks: merge_reduce needs rounds with a keeper; make them by merge_schedule");
}

/// The one length of the arrays of all blocks; 0 without blocks. Collective.
std::size_t common_length(communicator const& comm, std::span<std::size_t const> elements) {
    census_value mine = census_value::identity();
    for (std::size_t const each : elements) {
        mine.max[0] = std::max(mine.max[0], static_cast<std::int64_t>(each));
        mine.max[1] = std::max(mine.max[1], ~static_cast<std::int64_t>(each));
    }
    census_value const all = combine_all(comm, mine);
    if (all.max[0] == INT64_MIN) return 0;
    if (all.max[0] != ~all.max[1])
        throw usage_error("blocks: the arrays of a reduction have from " + std::to_string(~all.max[1]) +
                          " to " + std::to_string(all.max[0]) + " elements; all must have as many");
    return static_cast<std::size_t>(all.max[0]);
}

} // namespace

std::vector<kept_value> merge_blocks(
    communicator const& comm, assignment const& where, schedule const& rounds, merged_values& values) {
    check_rounds(where, rounds, true);
    operation_context& context = context_of(comm);
    merge_engine joint(context.via, collective_tags::up, rounds, blocks_of(comm, where), values,
        collective_tags::of(comm).begin());
    complete(context, joint, "merge_reduce");
    context.count.control_messages += joint.messages();
    agree(comm, joint.thrown());
    std::vector<kept_value> kept;
    for (auto const [place, value] : joint.results()) kept.push_back({place, value});
    return kept;
}

std::vector<element_range> reduce_block_arrays(communicator const& comm, assignment const& where,
    schedule const& rounds, block_arrays const& arrays, array_operator& how, bool may_throw) {
    check_rounds(where, rounds, false);
    std::size_t const elements = common_length(comm, arrays.elements);
    participants const who = blocks_of(comm, where);
    reduce_arrays(
        comm, {rounds, who, arrays.data, elements, arrays.element_bytes}, how, may_throw, "swap_reduce");
    std::vector<element_range> kept;
    for (std::int64_t const id : who.mine) kept.push_back(kept_elements(rounds, id, elements));
    return kept;
}

void all_reduce_block_arrays(communicator const& comm, assignment const& where, block_arrays const& arrays,
    array_operator& how, bool may_throw) {
    if (where.blocks() == 0) return;
    std::size_t const elements = common_length(comm, arrays.elements);
    // One k for all machines: it is part of the brackets.
    constexpr int k = 4;
    auto const rounds = swap_schedule(where.blocks(), k);
    participants const who = blocks_of(comm, where);
    array_call const call{rounds, who, arrays.data, elements, arrays.element_bytes};
    reduce_arrays(comm, call, how, may_throw, "all_reduce_arrays");
    spread_arrays(comm, call, "all_reduce_arrays");
}

} // namespace weft
