/* Arguments that are wrong on one rank: the same status on all ranks, and the next call works. */
#include "check.h"

#include <stdlib.h>

static weft_comm* comm;
static int rank, size, wrong; /* on this rank */

static void keep_left(void* state, void const* left, void const* right, void* into, size_t elements) {
    (void)right;
    if (state != NULL && *(int*)state) weft_fail("the operator has failed");
    memmove(into, left, elements * sizeof(int64_t));
}

static void exchanges(void) {
    int const nowhere = wrong ? size : 0;
    int64_t one = 1, sum;
    weft_outgoing const out = {1, &nowhere, NULL, &one, sizeof one};
    weft_open_exchange* open;
    weft_inbox* box;
    CHECK(weft_exchange_and_sum(comm, &out, 1, &sum, &box) == weft_usage_error && said("is not a rank"));
    OK(weft_exchange_start(comm, &out, &open));
    CHECK(weft_exchange_finish(open, &box) == weft_usage_error && said("is not a rank"));
    CHECK(weft_exchange_each(comm, &out, NULL, NULL) == weft_usage_error);
}

static void reductions(void) {
    int64_t value = rank;
    int fails = 1;
    weft_array const array = {&value, 1, sizeof value};
    if (size > 1) {
        CHECK(weft_reduce_by(comm, array, keep_left, &fails, 0) == weft_failed &&
              said("the operator has failed"));
        CHECK(weft_scan_by(comm, array, keep_left, &fails) == weft_failed && said("the operator has failed"));
    }
    CHECK(weft_reduce_by(comm, array, wrong ? NULL : keep_left, NULL, 0) == weft_usage_error);
    CHECK(weft_scan_by(comm, array, wrong ? NULL : keep_left, NULL) == weft_usage_error);
    CHECK(weft_reduce_by(comm, array, keep_left, NULL, wrong ? size : 0) == weft_usage_error);
    CHECK(weft_broadcast(comm, array, wrong ? size : 0) == weft_usage_error);
}

static void frames(void) {
    int64_t ids[4] = {0, 1, 2, 1}, offsets[5] = {0, 1, 2, 3, 4}, of_ids[4] = {7, 8, 9, 9}, all[64];
    int64_t const sizes[1] = {4};
    weft_parts parts = {1, sizes, ids};
    weft_parts const without_sizes = {1, NULL, ids};
    weft_lists_of const given = {offsets, ids, sizeof(int64_t)}, none = {offsets, NULL, sizeof(int64_t)},
                        of_no_bytes = {offsets, ids, 0};
    weft_blocks* blocks;
    weft_part_to_block* to_block;
    weft_block_to_part* to_part;
    weft_lists* lists;
    weft_directory* directory;
    OK(weft_blocks_of_sizes(comm, rank == 0 ? 3 : 0, &blocks)); /* all ids on rank 0 */
    CHECK(weft_part_to_block_make(comm, blocks, wrong ? &without_sizes : &parts, &to_block) ==
          weft_usage_error);
    CHECK(weft_part_to_block_make(comm, wrong ? NULL : blocks, &parts, &to_block) == weft_usage_error);
    ids[3] = wrong ? 3 : 1;
    CHECK(weft_part_to_block_make(comm, blocks, &parts, &to_block) == weft_usage_error);
    ids[3] = 1;
    OK(weft_part_to_block_make(comm, blocks, &parts, &to_block));
    OK(weft_block_to_part_make(comm, blocks, &parts, &to_part));
    CHECK(weft_part_to_block_keep(to_block, wrong ? NULL : ids, all, 8) == weft_usage_error);
    CHECK(weft_part_to_block_reverse(to_block, of_ids, wrong ? NULL : all, 8) == weft_usage_error);
    CHECK(weft_part_to_block_reverse_kept(to_block, all, wrong ? NULL : all, 8) == weft_usage_error);
    CHECK(weft_part_to_block_keep_lists(to_block, wrong ? &none : &given, &lists) == weft_usage_error);
    CHECK(
        weft_part_to_block_merge_lists(to_block, wrong ? &of_no_bytes : &given, &lists) == weft_usage_error);
    CHECK(weft_part_to_block_lowest_lists(to_block, wrong ? NULL : &given, &lists) == weft_usage_error);
    CHECK(weft_part_to_block_reverse_lists(to_block, wrong ? NULL : &given, &lists) == weft_usage_error);
    CHECK(weft_block_to_part_reverse_lists(to_part, wrong ? NULL : &given, &lists) == weft_usage_error);
    CHECK(weft_block_to_part_reverse_by(to_part, ids, of_ids, 1, 8, wrong ? NULL : keep_left, NULL) ==
          weft_usage_error);
    int fails = 1;
    CHECK(weft_block_to_part_reverse_by(to_part, ids, of_ids, 1, 8, keep_left, &fails) == weft_failed);
    of_ids[0] = 70;
    OK(weft_block_to_part_reverse_by(to_part, ids, of_ids, 1, 8, keep_left, NULL));
    CHECK(of_ids[0] == 70 && of_ids[1] == 8);
    offsets[2] = wrong ? 0 : 2;
    CHECK(weft_part_to_block_keep_lists(to_block, &given, &lists) == weft_usage_error);
    offsets[2] = 2;
    OK(weft_part_to_block_merge_lists(to_block, &given, &lists));
    CHECK(weft_lists_count(lists) == (rank == 0 ? 3 : 0));
    weft_lists_free(lists);
    weft_part_to_block_free(to_block);
    weft_block_to_part_free(to_part);
    weft_blocks_free(blocks);

    int64_t count;
    CHECK(weft_number_ids(comm, 4, wrong ? NULL : ids, all, &count) == weft_usage_error);
    CHECK(weft_number_ids(comm, 4, ids, all, wrong ? NULL : &count) == weft_usage_error);
    CHECK(weft_directory_make(comm, wrong ? &without_sizes : &parts, &directory) == weft_usage_error);
    OK(weft_directory_make(comm, &parts, &directory));
    CHECK(weft_directory_find(directory, 2, wrong ? NULL : ids, &lists) == weft_usage_error);
    OK(weft_directory_find(directory, 2, ids, &lists));
    CHECK(weft_lists_offsets(lists)[2] == 3 * size);
    weft_lists_free(lists);
    weft_directory_free(directory);
}

static size_t no_neighbors(void* state, int64_t block, int64_t* neighbors, size_t room) {
    (void)state, (void)block, (void)neighbors, (void)room;
    return 0;
}
static int fail_where_wrong(void* state, void* data, weft_port* port) {
    (void)state, (void)data, (void)port;
    if (wrong) weft_fail("a block has failed");
    return 1;
}
static int do_nothing(void* state, void* data, weft_port* port) {
    (void)state, (void)data, (void)port;
    return 1;
}
static void negative_cost(void* state, int64_t block, void const* data, void* into) {
    (void)state, (void)data;
    *(double*)into = block == 0 ? -1 : 1;
}

static void blocks(void) {
    weft_cut* cut;
    weft_block_set* set;
    weft_block_options const options = {8, 8, 0, 0};
    int64_t left;
    OK(weft_cut_links(2 * size, no_neighbors, NULL, &cut));
    OK(weft_block_set_make(comm, cut, &options, &set));
    OK(weft_block_set_exchange_neighbors(set, fail_where_wrong, NULL, 1)); /* tells later, as in C++ */
    CHECK(weft_block_set_exchange(set, do_nothing, NULL, &left) == weft_failed && said("a block has failed"));
    CHECK(weft_block_set_balance(set, negative_cost, NULL, 0.05, NULL) == weft_usage_error);
    CHECK(weft_block_set_balance(set, NULL, NULL, 0.05, NULL) == weft_usage_error);
    CHECK(weft_block_set_each(set, wrong ? NULL : do_nothing, NULL) == weft_usage_error);
    OK(weft_block_set_exchange(set, do_nothing, NULL, &left));
    weft_block_set_free(set);
    weft_cut_free(cut);
}

/// Null handles are errors of their rank, and frees take them.
static void null_handles(void) {
    double imbalance;
    weft_blocks* blocks_made;
    CHECK(weft_blocks_uniform(NULL, 1, &blocks_made) == weft_usage_error && said("comm is a null pointer"));
    CHECK(weft_blocks_balanced(NULL, NULL, NULL, 0, &blocks_made, &imbalance) == weft_usage_error);
    CHECK(weft_block_to_part_move(NULL, NULL, NULL, 1, NULL) == weft_usage_error);
    CHECK(weft_part_to_block_keep(NULL, NULL, NULL, 1) == weft_usage_error);
    CHECK(weft_block_set_iexchange(NULL, do_nothing, NULL) == weft_usage_error);
    CHECK(
        weft_blocks_begin(NULL, 0) == -1 && weft_blocks_owner(NULL, 0) == -1 && weft_lists_count(NULL) == 0);
    CHECK(weft_sorted_items(NULL) == 0 && weft_block_set_size(NULL) == 0 &&
          weft_block_set_owner(NULL, 0) == -1);
    weft_blocks_free(NULL);
    weft_lists_free(NULL);
    weft_block_to_part_free(NULL);
    weft_part_to_block_free(NULL);
    weft_sorted_free(NULL);
    weft_directory_free(NULL);
    weft_cut_free(NULL);
    weft_block_set_free(NULL);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    OK(weft_comm_make(MPI_COMM_WORLD, &comm));
    rank = weft_comm_rank(comm);
    size = weft_comm_size(comm);
    wrong = rank == size - 1;
    exchanges();
    reductions();
    frames();
    blocks();
    null_handles();
    weft_comm_free(comm);
    MPI_Finalize();
    return 0;
}
