/* Frames from C: values between blocks and parts, against what each rank works out for all of them. */
#include "check.h"

#include <math.h>
#include <stdlib.h>

enum { most = 400 }; /* items of all ranks, at most */

static weft_comm* comm; /* on which the cases run */
static int rank, size;
static int64_t total; /* of ids */
static weft_blocks* blocks;
static int64_t first, own; /* ids of this rank's block */

/* The parts of a rank: one of some ids, an empty one, and one more, with ids that occur several times. */
static int64_t sizes_of(int r, int part) {
    return part == 0 ? 5 + r % 3 : part == 1 ? 0 : 4 + r % 2;
}
static int64_t id_of(int r, int part, int64_t i) {
    return (13 * r + 7 * part + 3 * i * i) % total;
}

/* The items of all ranks, by (rank, part, position). */
static struct {
    int64_t ids[most];
    int ranks[most];
    int numbers[most]; /* among the items of its rank */
    int items;
    int begin; /* of this rank's */
    int mine;
} all;

static int64_t my_sizes[3];
static weft_parts parts;

static void set_up(void) {
    total = 9 * size + 2;
    weft_blocks_free(blocks); /* of an earlier call */
    OK(weft_blocks_uniform(comm, total, &blocks));
    first = weft_blocks_begin(blocks, rank);
    own = weft_blocks_size(blocks, rank);
    all.items = 0;
    for (int r = 0; r < size; ++r) {
        int number = 0;
        if (r == rank) all.begin = all.items;
        for (int part = 0; part < 3; ++part)
            for (int64_t i = 0; i < sizes_of(r, part); ++i) {
                all.ids[all.items] = id_of(r, part, i);
                all.ranks[all.items] = r;
                all.numbers[all.items++] = number++;
            }
        if (r == rank) all.mine = number;
    }
    for (int part = 0; part < 3; ++part) my_sizes[part] = sizes_of(rank, part);
    parts.parts = 3;
    parts.sizes = my_sizes;
    parts.ids = all.ids + all.begin;
}

/* The value of item i of all, as two doubles, and as an int. */
static double value_of(int item, int component) {
    return 100.0 * all.ranks[item] + all.numbers[item] + 0.5 * component;
}

static int here(int item) {
    return all.ids[item] >= first && all.ids[item] < first + own;
}

static void distributions(void) {
    CHECK(weft_blocks_begin(blocks, size) == total && weft_blocks_begin(blocks, size + 1) == -1);
    CHECK(weft_blocks_owner(blocks, total) == -1 && weft_blocks_owner(blocks, -1) == -1);
    for (int64_t id = 0; id < total; ++id) {
        int const owner = weft_blocks_owner(blocks, id);
        CHECK(weft_blocks_begin(blocks, owner) <= id && id < weft_blocks_begin(blocks, owner + 1));
    }
    weft_blocks* other;
    OK(weft_blocks_of_sizes(comm, rank + 1, &other));
    CHECK(
        weft_blocks_begin(other, rank) == rank * (rank + 1) / 2 && weft_blocks_size(other, rank) == rank + 1);
    weft_blocks_free(other);
    CHECK(weft_blocks_of_sizes(comm, rank == size - 1 ? -1 : 1, &other) == weft_usage_error);

    /* One id has a tenth of the weight of all the others; blocks of equal weight. */
    double imbalance = -1;
    int64_t ids[20];
    double weights[20];
    int64_t const sizes[1] = {20};
    for (int i = 0; i < 20; ++i) {
        ids[i] = 20 * rank + i;
        weights[i] = rank == 0 ? 3 : 1;
    }
    weft_parts const heavy = {1, sizes, ids};
    OK(weft_blocks_balanced(comm, &heavy, weights, 0.1, &other, &imbalance));
    CHECK(imbalance >= 0 && imbalance <= 0.16);
    CHECK(weft_blocks_begin(other, 0) == 0 && weft_blocks_begin(other, size) == 20 * size);
    weft_blocks_free(other);
    weft_parts const nothing = {0, NULL, NULL}; /* a rank without ids has no weights either */
    OK(weft_blocks_balanced(
        comm, rank == 0 ? &heavy : &nothing, rank == 0 ? weights : NULL, 0.1, &other, NULL));
    weft_blocks_free(other);
    weights[3] = rank == 0 ? -1 : 1;
    CHECK(weft_blocks_balanced(comm, &heavy, weights, 0.1, &other, NULL) == weft_usage_error);
    ids[7] = rank == size - 1 ? -5 : 7;
    CHECK(weft_blocks_balanced(comm, &heavy, NULL, 0.1, &other, NULL) == weft_usage_error && said("-5"));
}

static void values_to_parts(void) {
    weft_block_to_part* frame;
    OK(weft_block_to_part_make(comm, blocks, &parts, &frame));
    CHECK(weft_block_to_part_block_items(frame) == own && weft_block_to_part_part_items(frame) == all.mine);
    double block[2 * most], moved[2 * most];
    for (int64_t i = 0; i < own; ++i) {
        block[2 * i] = (double)(first + i);
        block[2 * i + 1] = (double)(first + i) + 0.25;
    }
    OK(weft_block_to_part_move(frame, block, moved, 2 * sizeof(double), NULL));
    for (int i = 0; i < all.mine; ++i)
        CHECK(moved[2 * i] == (double)parts.ids[i] && moved[2 * i + 1] == (double)parts.ids[i] + 0.25);

    /* Lists: id % 3 items for each id. */
    int64_t offsets[most] = {0}, items[3 * most];
    for (int64_t i = 0; i < own; ++i) {
        offsets[i + 1] = offsets[i] + (first + i) % 3;
        for (int64_t k = offsets[i]; k < offsets[i + 1]; ++k) items[k] = 10 * (first + i) + k - offsets[i];
    }
    weft_lists_of const given = {offsets, items, sizeof(int64_t)};
    weft_lists* lists;
    OK(weft_block_to_part_move_lists(frame, &given, &lists));
    CHECK(weft_lists_count(lists) == (size_t)all.mine);
    int64_t const* const at = weft_lists_offsets(lists);
    for (int i = 0; i < all.mine; ++i) {
        CHECK(at[i + 1] - at[i] == parts.ids[i] % 3);
        for (int64_t k = at[i]; k < at[i + 1]; ++k)
            CHECK(((int64_t const*)weft_lists_items(lists))[k] == 10 * parts.ids[i] + k - at[i]);
    }
    weft_lists_free(lists);

    /* Back: sums of what parts have, on top of 1000; then the lists of each id, joined. */
    double sums[most], values[most];
    for (int64_t i = 0; i < own; ++i) sums[i] = 1000;
    for (int i = 0; i < all.mine; ++i) values[i] = value_of(all.begin + i, 0);
    OK(weft_block_to_part_reverse(frame, values, sums, 1, weft_double, weft_sum));
    for (int i = 0; i < all.items; ++i)
        if (here(i)) sums[all.ids[i] - first] -= value_of(i, 0);
    for (int64_t i = 0; i < own; ++i) CHECK(sums[i] == 1000);
    for (int i = 0; i <= all.mine; ++i) offsets[i] = i;
    weft_lists_of const of_parts = {offsets, values, sizeof(double)};
    OK(weft_block_to_part_reverse_lists(frame, &of_parts, &lists));
    CHECK(weft_lists_count(lists) == (size_t)own);
    int64_t next = 0;
    for (int64_t id = first; id < first + own; ++id)
        for (int i = 0; i < all.items; ++i)
            if (all.ids[i] == id) CHECK(((double const*)weft_lists_items(lists))[next++] == value_of(i, 0));
    CHECK(weft_lists_offsets(lists)[own] == next);
    weft_lists_free(lists);

    /* An error of one rank is one of all, and the frame goes on. */
    int const wrong = rank == size - 1;
    CHECK(weft_block_to_part_move(frame, block, wrong ? NULL : moved, 8, NULL) == weft_usage_error);
    CHECK(weft_block_to_part_move(frame, block, moved, wrong ? 0 : 8, NULL) == weft_usage_error);
    CHECK(weft_block_to_part_move(frame, block, moved, wrong ? SIZE_MAX / 4 : 8, NULL) == weft_usage_error);
    weft_lists_of const none = {NULL, NULL, 8};
    CHECK(weft_block_to_part_move_lists(frame, wrong ? &none : &given, &lists) == weft_usage_error);
    CHECK(weft_block_to_part_reverse(frame, values, sums, 1, weft_double, wrong ? weft_xor : weft_sum) ==
          weft_usage_error);
    if (size > 1)
        CHECK(weft_block_to_part_reverse(frame, values, sums, 1, weft_double, wrong ? weft_max : weft_sum) ==
              weft_usage_error);
    OK(weft_block_to_part_move(frame, block, moved, 2 * sizeof(double), NULL));
    weft_block_to_part_free(frame);
    my_sizes[1] = wrong ? -1 : 0;
    CHECK(weft_block_to_part_make(comm, blocks, &parts, &frame) == weft_usage_error && said("a size of -1"));
    my_sizes[1] = 0;
    all.ids[all.begin] = wrong ? total : all.ids[all.begin];
    CHECK(weft_block_to_part_make(comm, blocks, &parts, &frame) == weft_usage_error);
    set_up();
}

/* Only even ids exist, and stand in the blocks from the last to the first. */
static void some_ids(void) {
    int64_t even[most], values[most], moved[most], missing = -7;
    size_t count = 0;
    for (int64_t id = first + own - 1; id >= first; --id)
        if (id % 2 == 0) {
            values[count] = 3 * id;
            even[count++] = id;
        }
    weft_block_to_part* frame;
    CHECK(weft_block_to_part_make_of(comm, blocks, &parts, count, even, 0, &frame) == weft_usage_error);
    OK(weft_block_to_part_make_of(comm, blocks, &parts, count, even, 1, &frame));
    CHECK(weft_block_to_part_block_items(frame) == (int64_t)count);
    OK(weft_block_to_part_move(frame, values, moved, sizeof(int64_t), &missing));
    for (int i = 0; i < all.mine; ++i) CHECK(moved[i] == (parts.ids[i] % 2 == 0 ? 3 * parts.ids[i] : -7));
    OK(weft_block_to_part_move(frame, values, moved, sizeof(int64_t), NULL));
    for (int i = 0; i < all.mine; ++i) CHECK(moved[i] == (parts.ids[i] % 2 == 0 ? 3 * parts.ids[i] : 0));
    int64_t offsets[most];
    for (int i = 0; i <= all.mine; ++i) offsets[i] = i;
    weft_lists_of const of_parts = {offsets, parts.ids, sizeof(int64_t)};
    weft_lists* lists; /* those of ids that do not exist go nowhere */
    OK(weft_block_to_part_reverse_lists(frame, &of_parts, &lists));
    CHECK(weft_lists_count(lists) == count);
    for (size_t i = 0; i < count; ++i)
        for (int64_t k = weft_lists_offsets(lists)[i]; k < weft_lists_offsets(lists)[i + 1]; ++k)
            CHECK(((int64_t const*)weft_lists_items(lists))[k] == even[i]);
    weft_lists_free(lists);
    weft_block_to_part_free(frame);
}

/* Does not commute: the left one, in decimal, with a digit of the right one behind it. */
static void append_digit(void* state, void const* left, void const* right, void* into, size_t elements) {
    for (size_t i = 0; i < elements; ++i) {
        int64_t const tail = ((int64_t const*)right)[i];
        ((int64_t*)into)[i] = ((int64_t const*)left)[i] * 10 + tail % 10;
    }
    if (state != NULL && *(int*)state) weft_fail("the digits are used up");
}

static void values_to_blocks(void) {
    weft_part_to_block* frame;
    OK(weft_part_to_block_make(comm, blocks, &parts, &frame));
    int64_t const count = weft_part_to_block_count(frame), arrivals = weft_part_to_block_arrivals(frame);
    int64_t const *ids = weft_part_to_block_ids(frame), *offsets = weft_part_to_block_offsets(frame);
    int arrived[most], come = 0; /* items that come here */
    for (int i = 0; i < all.items; ++i)
        if (here(i)) arrived[come++] = i;
    CHECK(arrivals == come && offsets[count] == come && weft_part_to_block_part_items(frame) == all.mine);

    double values[2 * most], kept[2 * most], merged[2 * most], lowest[2 * most], sums[2 * most];
    for (int i = 0; i < all.mine; ++i)
        for (int k = 0; k < 2; ++k) values[2 * i + k] = value_of(all.begin + i, k);
    int64_t arrival_ids[most];
    OK(weft_part_to_block_arrival_ids(frame, arrival_ids));
    OK(weft_part_to_block_keep(frame, values, kept, 2 * sizeof(double)));
    for (int i = 0; i < come; ++i)
        CHECK(kept[2 * i + 1] == value_of(arrived[i], 1) && arrival_ids[i] == all.ids[arrived[i]]);
    OK(weft_part_to_block_merge(frame, values, merged, 2 * sizeof(double)));
    OK(weft_part_to_block_lowest(frame, values, lowest, 2 * sizeof(double)));
    OK(weft_part_to_block_reduce(frame, values, sums, 2, weft_double, weft_sum));
    int64_t digits[most], of_ids[most];
    for (int i = 0; i < all.mine; ++i) digits[i] = 1 + (all.ranks[all.begin + i] + i) % 9;
    OK(weft_part_to_block_reduce_by(frame, digits, of_ids, 1, sizeof(int64_t), append_digit, NULL));
    int64_t next = 0;
    for (int64_t k = 0; k < count; ++k) {
        double sum = 0;
        int64_t number = 0;
        CHECK(
            ids[k] >= first && ids[k] < first + own && (k == 0 || ids[k - 1] < ids[k]) && offsets[k] == next);
        for (int i = 0; i < come; ++i) {
            if (all.ids[arrived[i]] != ids[k]) continue;
            int64_t const digit = 1 + (all.ranks[arrived[i]] + all.numbers[arrived[i]]) % 9;
            if (next == offsets[k]) CHECK(lowest[2 * k] == value_of(arrived[i], 0));
            number = next == offsets[k] ? digit : number * 10 + digit;
            sum += value_of(arrived[i], 1);
            CHECK(merged[2 * next] == value_of(arrived[i], 0));
            ++next;
        }
        CHECK(sums[2 * k + 1] == sum && of_ids[k] == number);
    }

    /* Back to the parts: the first value of each id, and each arrival to where it came from. */
    double back[2 * most];
    OK(weft_part_to_block_reverse_kept(frame, kept, back, 2 * sizeof(double)));
    for (int i = 0; i < 2 * all.mine; ++i) CHECK(back[i] == values[i]);
    OK(weft_part_to_block_reverse(frame, lowest, back, 2 * sizeof(double)));
    for (int i = 0; i < all.mine; ++i) {
        int k = 0;
        while (all.ids[k] != parts.ids[i]) ++k;
        CHECK(back[2 * i] == value_of(k, 0));
    }

    /* Lists of 0 to 2 items. */
    int64_t lengths[most] = {0}, items[2 * most];
    for (int i = 0; i < all.mine; ++i) {
        lengths[i + 1] = lengths[i] + i % 3;
        for (int64_t k = lengths[i]; k < lengths[i + 1]; ++k) items[k] = 100 * rank + i;
    }
    weft_lists_of const given = {lengths, items, sizeof(int64_t)};
    weft_lists *each, *joined, *firsts, *returned;
    OK(weft_part_to_block_keep_lists(frame, &given, &each));
    OK(weft_part_to_block_merge_lists(frame, &given, &joined));
    OK(weft_part_to_block_lowest_lists(frame, &given, &firsts));
    CHECK(weft_lists_count(each) == (size_t)come && weft_lists_count(joined) == (size_t)count);
    int64_t in_joined = 0, in_firsts = 0;
    for (int i = 0; i < come; ++i)
        CHECK(weft_lists_offsets(each)[i + 1] - weft_lists_offsets(each)[i] == all.numbers[arrived[i]] % 3);
    for (int64_t k = 0; k < count; ++k) {
        int seen = 0;
        for (int i = 0; i < come; ++i) {
            if (all.ids[arrived[i]] != ids[k]) continue;
            for (int copy = 0; copy < all.numbers[arrived[i]] % 3; ++copy) {
                int64_t const expected = 100 * all.ranks[arrived[i]] + all.numbers[arrived[i]];
                CHECK(((int64_t const*)weft_lists_items(joined))[in_joined++] == expected);
                if (!seen) CHECK(((int64_t const*)weft_lists_items(firsts))[in_firsts++] == expected);
            }
            seen = 1;
        }
        CHECK(
            weft_lists_offsets(joined)[k + 1] == in_joined && weft_lists_offsets(firsts)[k + 1] == in_firsts);
    }
    weft_lists_of const of_blocks = {weft_lists_offsets(firsts), weft_lists_items(firsts), sizeof(int64_t)};
    OK(weft_part_to_block_reverse_lists(frame, &of_blocks, &returned));
    CHECK(weft_lists_count(returned) == (size_t)all.mine);
    weft_lists_free(each);
    weft_lists_free(joined);
    weft_lists_free(firsts);
    weft_lists_free(returned);

    /* Errors of one rank. */
    int const wrong = rank == size - 1;
    int fails = rank == 0;
    CHECK(weft_part_to_block_merge(frame, wrong ? NULL : values, merged, 8) == weft_usage_error);
    CHECK(weft_part_to_block_lowest(frame, values, wrong ? NULL : lowest, 8) ==
          (arrivals == 0 ? weft_ok : weft_usage_error));
    CHECK(weft_part_to_block_reduce(frame, values, sums, wrong ? 0 : 1, weft_double, weft_sum) ==
          weft_usage_error);
    CHECK(weft_part_to_block_reduce_by(frame, digits, of_ids, 1, 8, wrong ? NULL : append_digit, NULL) ==
          weft_usage_error);
    CHECK(weft_part_to_block_reduce_by(frame, digits, of_ids, 1, 8, append_digit, &fails) == weft_failed &&
          said("the digits are used up"));
    OK(weft_part_to_block_keep(frame, values, kept, 16));
    weft_part_to_block_free(frame);
}

static void numbers(void) {
    int64_t made[most], count;
    OK(weft_number_ids(comm, (size_t)all.mine, parts.ids, made, &count));
    char occurs[most] = {0};
    for (int i = 0; i < all.items; ++i) occurs[all.ids[i]] = 1;
    for (int i = 0; i < all.mine; ++i) {
        int64_t number = 0;
        for (int64_t id = 0; id < parts.ids[i]; ++id) number += occurs[id];
        CHECK(made[i] == number);
    }
    int64_t tuples[2 * most];
    for (int i = 0; i < all.mine; ++i) {
        tuples[2 * i] = 5;
        tuples[2 * i + 1] = parts.ids[i];
    }
    int64_t again[most], as_many;
    OK(weft_number_tuples(comm, (size_t)all.mine, tuples, 2, again, &as_many));
    CHECK(as_many == count && memcmp(made, again, sizeof(int64_t) * (size_t)all.mine) == 0);
    CHECK(weft_number_tuples(comm, (size_t)all.mine, tuples, rank == 0 ? 0 : 2, again, &as_many) ==
          weft_usage_error);

    /* Corners of a chain of squares: each rank has those of its own, so two are of two ranks. */
    double corners[12];
    for (int k = 0; k < 4; ++k) {
        corners[2 * k] = rank + k % 2 + 1e-9 * (rank % 2);
        corners[2 * k + 1] = k / 2;
    }
    OK(weft_number_points(comm, 4, corners, 2, 1e-6, made, &count));
    CHECK(count == 2 * size + 2);
    int64_t to_right[2] = {made[1], made[3]}, left[2] = {-1, -1};
    int const next = (rank + 1) % size;
    weft_outgoing const out = {1, &next, (int64_t[]){2}, to_right, sizeof(int64_t)};
    weft_inbox* box;
    OK(weft_exchange(comm, &out, &box));
    weft_inbox_copy(box, left);
    weft_inbox_free(box);
    CHECK(rank == 0 || (left[0] == made[0] && left[1] == made[2]));
    CHECK(weft_number_points(comm, 4, corners, rank == 0 ? 4 : 2, 0, made, &count) == weft_usage_error);
    corners[3] = rank == 0 ? HUGE_VAL : 0;
    CHECK(weft_number_points(comm, 4, corners, 2, 0, made, &count) == weft_usage_error);
}

static void orders(void) {
    int64_t keys[100];
    struct keyed {
        int64_t key;
        char text[4];
    } values[100];
    for (int i = 0; i < 100; ++i) {
        keys[i] = values[i].key = (37 * i + 11 * rank) % 101;
        memcpy(values[i].text, "abc", 4);
    }
    weft_sorted* sorted;
    OK(weft_sort_by_key(comm, 100, keys, values, sizeof values[0], 0.05, &sorted));
    struct keyed const* const sorted_values = weft_sorted_values(sorted);
    size_t const here_now = weft_sorted_items(sorted);
    int64_t const* const run = weft_sorted_keys(sorted);

    int64_t count = (int64_t)here_now, least = here_now > 0 ? run[0] : 1000, before;
    for (size_t i = 0; i < here_now; ++i)
        CHECK(sorted_values[i].key == run[i] && strcmp(sorted_values[i].text, "abc") == 0 &&
              (i == 0 || run[i - 1] <= run[i]));
    int64_t total_count;
    OK(weft_exclusive_sum(comm, count, &before, &total_count));
    CHECK(total_count == 100 * size && here_now <= 110);
    int64_t greatest = here_now > 0 ? run[here_now - 1] : -1;
    OK(weft_scan(comm, &greatest, 1, weft_int64, weft_max));
    CHECK(here_now == 0 || greatest == run[here_now - 1]);
    CHECK(here_now == 0 || least <= greatest);
    weft_sorted_free(sorted);
    OK(weft_sort_by_key(comm, 100, keys, NULL, 0, 0.05, &sorted));
    CHECK(weft_sorted_items(sorted) == here_now);
    weft_sorted_free(sorted);
    keys[5] = rank == size - 1 ? -1 : 5;
    CHECK(weft_sort_by_key(comm, 100, keys, NULL, 0, 0.05, &sorted) == weft_usage_error);
    keys[5] = 5;
    if (size > 1)
        CHECK(
            weft_sort_by_key(comm, 100, keys, values, rank == 0 ? 8 : 4, 0.05, &sorted) == weft_usage_error);

    /* The four cells of a square, along both curves. */
    double const cells[8] = {0.2, 0.2, 0.2, 0.8, 0.8, 0.8, 0.8, 0.2}, lower[2] = {0, 0}, upper[2] = {1, 1};
    OK(weft_hilbert_keys(4, cells, 2, lower, upper, keys));
    CHECK(keys[0] < keys[1] && keys[1] < keys[2] && keys[2] < keys[3]);
    OK(weft_morton_keys(4, cells, 2, lower, upper, keys));
    CHECK(keys[0] < keys[1] && keys[1] < keys[3] && keys[3] < keys[2]);
    CHECK(weft_hilbert_keys(4, cells, 4, lower, upper, keys) == weft_usage_error);
}

static void directories(void) {
    weft_directory* directory;
    OK(weft_directory_make(comm, &parts, &directory));
    int64_t asked[most];
    size_t const count = rank == 0 ? 0 : (size_t)total + 2;
    for (size_t i = 0; i < count; ++i) asked[i] = (int64_t)i;
    weft_lists* found;
    OK(weft_directory_find(directory, count, asked, &found));
    CHECK(weft_lists_count(found) == count);
    int64_t next = 0;
    for (size_t id = 0; id < count; ++id) {
        for (int r = 0; r < size; ++r)
            for (int part = 0; part < 3; ++part)
                for (int64_t i = 0; i < sizes_of(r, part); ++i) {
                    if (id_of(r, part, i) != (int64_t)id) continue;
                    weft_location const* const at = (weft_location const*)weft_lists_items(found) + next++;
                    CHECK(at->rank == r && at->part == part && at->position == i);
                }
        CHECK(weft_lists_offsets(found)[id + 1] == next);
    }
    weft_lists_free(found);
    weft_directory_free(directory);
}

static void all_cases(void) {
    rank = weft_comm_rank(comm);
    size = weft_comm_size(comm);
    set_up();
    distributions();
    values_to_parts();
    some_ids();
    values_to_blocks();
    numbers();
    orders();
    directories();
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    weft_comm *world, *reversed;
    OK(weft_comm_make(MPI_COMM_WORLD, &world));
    comm = world;
    all_cases();
    OK(weft_comm_split(world, 0, -weft_comm_rank(world), &reversed));
    comm = reversed;
    all_cases();
    weft_blocks_free(blocks);
    weft_comm_free(reversed);
    weft_comm_free(world);
    MPI_Finalize();
    return 0;
}
