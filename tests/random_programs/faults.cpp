#include "faults.hpp"

#include <cstdio>
#include <iterator>
#include <vector>

namespace random_programs {

namespace {

char const* const same = "agreement: the same `usage_error` on all ranks";
char const* const agreed = "agreement: the original there, `remote_error` elsewhere";
char const* const drained = "`drain`, `test_empty`: the original there, `remote_error` elsewhere";
char const* const next = "the next collective call of the set: the original there, `remote_error` elsewhere";

constexpr char const* exchanges = "`exchange`, `exchange_and_sum`";

constexpr char const* frames = "`block_to_part`, `part_to_block`, `part_to_part`, `directory`, `halo`";
constexpr char const* runs = "runs of `block_to_part`, `part_to_block`, `part_to_part`, `block_to_block`";
constexpr char const* before = "agreement, before values move: the same `usage_error` on all ranks";

constexpr char const* folds =
    "`merge_reduce`, `swap_reduce`, `all_reduce_arrays`, `scan`, `broadcast`, `all_to_all` of blocks";
constexpr char const* cuts = "`contour`, `slice`, `threshold`";
constexpr char const* reduced = "the end of the call: the original there, `remote_error` elsewhere";
constexpr char const* file = "agreement: the same `io_error` on all ranks";

fault const table[] = {
    {"exchange", "no_such_destination", exchanges, "a destination is not a rank", same},
    {"exchange", "unequal_lengths", "`exchange`, flat", "there are more items than destinations", same},
    {"exchange", "unequal_types", exchanges, "the items have another size than elsewhere", same},
    {"exchange", "callback_throws", "`exchange` with a callback", "the callback throws", agreed},
    {"exchange", "decoding_throws", exchanges, "an item does not decode, or its hook throws", agreed},
    {"start_exchange", "no_such_destination", "`start_exchange`", "a destination is not a rank",
        "`get`: the same `usage_error` on all ranks; a rank that drops the handle does not learn of it"},
    {"start_exchange", "handle_decoding_throws", "`start_exchange`",
        "an item does not decode, or its hook throws",
        "`get`: the original there, `remote_error` elsewhere; a rank that drops the handle does not learn of "
        "it"},
    {"agree", "body_throws", "`agreed`, `agree`", "the body throws", agreed},
    {"split", "negative_color", "`communicator::split`", "the color is negative", same},
    {"with", "bad_setting", "`communicator::with`", "a knob would not take the value, on all ranks",
        "all ranks see it themselves"},
    {"make_mailbox", "unequal_options", "`mailbox`", "an option differs from that of other ranks", same},
    {"send", "handler_throws", "`channel`", "a handler throws", drained},
    {"send", "message_decoding_throws", "`channel`", "a message does not decode, or its hook throws",
        drained},
    {"send", "async_throws", "`mailbox::async`", "the function throws", drained},
    {"send", "handler_asks", "`service::ask`", "a handler of a mailbox asks",
        "`drain`, `test_empty`: the same `usage_error` on all ranks"},
    {"send", "no_such_rank", "`channel::send`, `mailbox::async`, `service::ask`",
        "the destination is not a rank", "not at all: nothing was sent, `usage_error` where it was called"},
    {"send", "merge_throws", "`combining_channel`", "a merge throws",
        "`drain`, `test_empty`: the original there, `remote_error` elsewhere; within `send` nobody needs to "
        "know"},
    {"ask", "service_throws", "`service`", "the handler of a query throws",
        "answers are A{}; then `drain`: the original there, `remote_error` elsewhere"},
    {"make_plan", "plan_to_no_rank", "`exchange_plan`", "a destination is not a rank", same},
    {"make_plan", "plan_to_a_rank_twice", "`exchange_plan`", "a destination occurs twice", same},
    {"make_plan", "plan_of_negative_count", "`exchange_plan`", "a count is negative", same},
    {"make_plan", "plan_of_unequal_lengths", "`exchange_plan`", "there are more destinations than counts",
        same},
    {"run_plan", "run_of_other_length", "`exchange_plan::exchange`, `planned_exchange`",
        "a span has another length than the plan",
        "the ranks that it would have sent to get the same `usage_error`; the others have what they should"},
    {"make_frame", "id_outside", frames, "an id that no block has, or a link to no item", same},
    {"make_frame", "ghost_twice", "`halo`", "a ghost occurs twice", same},
    {"make_frame", "distributions_differ", "`block_to_part`, `part_to_block`, `block_to_block`, `halo`",
        "the distribution differs from that of other ranks", same},
    {"run_frame", "array_of_wrong_length", runs, "an array has another length than the items", before},
    {"run_frame", "strides_differ", runs, "the stride differs from that of other ranks", before},
    {"run_frame", "stride_of_0", runs, "the stride is 0", before},
    {"run_frame", "offsets_outside", "the same with lists", "an offset lies outside of the values", before},
    {"run_frame", "operator_of_frame_throws", "`part_to_block::reduce`, `block_to_part::reverse`",
        "the operator throws", agreed},
    {"run_frame", "value_of_frame_does_not_decode", "`part_to_block::keep`",
        "a value does not decode, or its hook throws", agreed},
    {"order_items", "negative_key", "`sort_by_key`, `sort_keys`, `number_ids`", "a key is negative", same},
    {"order_items", "tolerances_differ", "`sort_by_key`, `sort_keys`",
        "the tolerance differs from that of other ranks", same},
    {"order_items", "more_values_than_keys", "`sort_by_key`", "there are more values than keys", same},
    {"make_blocks", "factory_throws", "`block_set`", "what makes a block throws", agreed},
    {"make_blocks", "link_throws", "`block_set`", "the decomposition throws", agreed},
    {"make_blocks", "links_not_symmetric", "`block_set`", "a block names a neighbour that does not name it",
        same},
    {"fill_blocks", "callback_throws_before_a_round", "`block_set::for_each_port`", "the callback throws",
        next},
    {"block_round", "callback_of_round_throws", "`block_set::exchange`", "the callback throws", agreed},
    {"block_round", "no_such_block", "`block_port::send`", "there is no such block",
        "the next collective call of the set: the same `usage_error` on all ranks"},
    {"neighbor_round", "callback_among_neighbors_throws", "`block_set::exchange_neighbors`",
        "the callback throws", next},
    {"iexchange", "callback_of_iexchange_throws", "`block_set::iexchange`", "the callback throws", agreed},
    {"move_blocks", "move_to_no_rank", "`block_set::move`", "the new rank is invalid", same},
    {"move_blocks", "move_of_another_ranks_block", "`block_set::move`", "the block is not of this rank",
        same},
    {"assign_blocks", "assignment_of_other_blocks", "`block_set::assign`",
        "the assignment has more blocks, on all ranks", "all ranks see it themselves"},
    {"balance_blocks", "cost_throws", "`block_set::balance`", "the cost of a block throws", agreed},
    {"balance_blocks", "cost_is_negative", "`block_set::balance`", "a cost is negative", same},
    {"save_blocks", "save_to_no_folder", "`block_set::save`", "the file cannot be written", file},
    {"visit_blocks", "callback_of_for_each_throws", "`block_set::for_each`", "the callback throws", agreed},
    {"fold_blocks", "value_of_fold_throws", folds, "the value or the array of a block throws", agreed},
    {"fold_blocks", "operator_of_fold_throws",
        "`merge_reduce`, `swap_reduce`, `all_reduce_arrays`, `scan`, `scan_arrays`, `reduce_scatter` of "
        "blocks",
        "the operator throws", agreed},
    {"fold_blocks", "result_of_fold_throws", "`scan`, `broadcast`, `all_to_all`, `reduce_scatter` of blocks",
        "what takes the result throws", agreed},
    {"fold_blocks", "arrays_of_unequal_lengths",
        "`swap_reduce`, `all_reduce_arrays`, `scan_arrays`, `broadcast_arrays`",
        "the array of a block has another length than those of others", same},
    {"fold_blocks", "no_thread", "`merge_reduce`, `swap_reduce`, `all_reduce_arrays`",
        "`reduction_options::threads` is 0", same},
    {"fold_blocks", "no_such_root", "`broadcast`, `broadcast_arrays` of blocks",
        "the root is not a block, on all ranks", same},
    {"fold_ranks", "operator_of_ranks_throws", "`all_reduce`, `reduce`, `scan`, `reduce_scatter` of ranks",
        "the operator throws", reduced},
    {"fold_ranks", "value_of_ranks_does_not_decode", "`broadcast`, `all_gatherv` of ranks",
        "a value does not decode, or its hook throws", reduced},
    {"fold_ranks", "root_is_no_rank", "`reduce`, `broadcast` of ranks",
        "the root is not a rank, on all ranks", same},
    {"files", "no_such_folder",
        "`write_text`, `write_graph`, `write_built_graph`, `write_particles`, `write_checkpoint`",
        "the file cannot be written", file},
    {"files", "no_such_file", "`read_graph`, `load_graph`, `read_particles`",
        "there is no such file, for any rank", file},
    {"files", "index_twice", "`write_particles`, `write_checkpoint`", "an index occurs twice", same},
    {"label", "values_of_other_number", "`label_volume`", "there are more values than cells of the blocks",
        same},
    {"label", "threshold_is_no_number", "`label_volume`", "the threshold is NaN", same},
    {"label", "grids_differ", "`label_volume`", "the grid differs from that of other ranks", same},
    {"cut_volume", "box_of_other_values", cuts, "a box has not as many values as points", same},
    {"cut_volume", "bound_is_no_number", cuts, "a value, a plane or a range is NaN", same},
    {"cut_volume", "plane_without_normal", "`slice`", "the normal of the plane has no length", same},
    {"cut_volume", "lap_throws", cuts, "`lap` throws", reduced},
    {"reduce_blocks", "value_throws", "`block_set::all_reduce`", "the value of a block throws", agreed},
    {"reduce_blocks", "combine_throws", "`block_set::all_reduce`", "the combination throws", agreed},
};

} // namespace

std::span<fault const> faults() noexcept {
    return table;
}

void draw_fault(draws& random, operation& line) {
    std::vector<char const*> names;
    for (fault const& each : table)
        if (line.verb == each.verb) names.push_back(each.name);
    if (names.empty() || !random.chance(15)) return;
    line.set("fault", names[static_cast<std::size_t>(random.below(static_cast<int>(names.size())))]);
    line.set("by", random.below(24));
}

void print_faults() {
    std::puts(
        "| call | what goes wrong on one rank | how the others learn of it | drawn as |\n|---|---|---|---|");
    for (fault const& each : table)
        std::printf("| %s | %s | %s | `%s` |\n", each.call, each.trouble, each.others, each.name);
}

} // namespace random_programs
