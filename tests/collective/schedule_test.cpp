#include <weft/collective/schedule.hpp>

#include <weft/blocks/regular_grid.hpp>
#include <weft/core/error.hpp>
#include <weft/extend/collective/participants.hpp>
#include <weft/extend/machine/known_machines.hpp>
#include <weft/machine/machine_model.hpp>

#include <harness/mpi_test.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <vector>

using weft::each_keeps_a_share;
using weft::group_sizes;
using weft::grouping;
using weft::merge_schedule;
using weft::regular_schedule;
using weft::round_group;
using weft::swap_schedule;

namespace {

using ids = std::vector<std::int64_t>;

/// Groups of a round are equivalence classes of those that take part; the others never do again.
void expect_classes(regular_schedule const& schedule, bool ordered = true) {
    std::set<std::int64_t> active;
    for (std::int64_t i = 0; i < schedule.participants(); ++i) active.insert(i);
    for (int round = 0; round < schedule.rounds(); ++round) {
        std::map<ids, std::set<std::int64_t>> seen;
        std::set<std::int64_t> kept;
        for (std::int64_t i = 0; i < schedule.participants(); ++i) {
            round_group const mine = schedule.group_of(round, i);
            EXPECT_EQ(!mine.members.empty(), active.contains(i)) << "round " << round << " of " << i;
            if (mine.members.empty()) continue;
            if (ordered) { EXPECT_TRUE(std::ranges::is_sorted(mine.members)); }
            EXPECT_LE(static_cast<std::int64_t>(mine.members.size()), schedule.k(round));
            seen[mine.members].insert(i);
            if (mine.keeper == each_keeps_a_share)
                kept.insert(i);
            else
                kept.insert(mine.members.at(static_cast<std::size_t>(mine.keeper)));
        }
        for (auto const& [members, who] : seen)
            EXPECT_EQ(who, std::set<std::int64_t>(members.begin(), members.end()));
        active = kept;
    }
}

} // namespace

TEST(schedule, sizes_of_groups_multiply_to_the_participants) {
    EXPECT_EQ(group_sizes(189, 8), (std::vector{7, 3, 3, 3}));
    EXPECT_EQ(group_sizes(10, 8), (std::vector{5, 2}));
    EXPECT_EQ(group_sizes(64, 8), (std::vector{8, 8}));
    EXPECT_EQ(group_sizes(1, 2), (std::vector<int>{}));
    EXPECT_EQ(group_sizes(22, 8), (std::vector{11, 2})); // a prime beyond k stays whole
    for (std::int64_t n = 1; n <= 200; ++n)
        for (int const k : {2, 3, 4, 8, 16}) {
            auto const sizes = group_sizes(n, k);
            EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>()), n);
        }
}

TEST(schedule, groups_are_equivalence_classes) {
    for (std::int64_t const n : {1, 2, 7, 10, 16, 44, 56, 189})
        for (int const k : {2, 3, 4, 8})
            for (grouping const groups : {grouping::contiguous, grouping::strided}) {
                SCOPED_TRACE(std::to_string(n) + " participants, k " + std::to_string(k));
                expect_classes(swap_schedule(n, k, {.groups = groups}));
                for (std::int64_t const root : {std::int64_t{0}, n / 2, n - 1}) {
                    regular_schedule const merge = merge_schedule(n, k, {.groups = groups, .root = root});
                    expect_classes(merge, groups == grouping::contiguous);
                    std::int64_t keeper = root;
                    for (int round = 0; round < merge.rounds(); ++round) {
                        round_group const last = merge.group_of(round, root);
                        keeper = last.members.at(static_cast<std::size_t>(last.keeper));
                        EXPECT_EQ(keeper, root);
                    }
                }
            }
}

TEST(schedule, groups_of_a_grid_lie_along_its_dimensions) {
    weft::regular_grid const grid(weft::cell_box(40, 40, 40), {6, 1, 10});
    auto const divisions = grid.divisions();
    EXPECT_EQ(group_sizes(divisions, 4), (std::vector{3, 2, 5, 2}));
    for (int const k : {2, 4, 8, 16}) {
        auto const swap = swap_schedule(grid.blocks(), group_sizes(divisions, k));
        std::size_t before = 0;
        for (int round = 0; round < swap.rounds(); ++round) {
            std::set<std::size_t> dimensions; // in which members differ
            for (std::int64_t id = 0; id < grid.blocks(); ++id)
                for (std::int64_t const other : swap.group_of(round, id).members)
                    for (std::size_t d = 0; d < 3; ++d)
                        if (grid.coordinates_of(weft::block_id{id})[d] !=
                            grid.coordinates_of(weft::block_id{other})[d])
                            dimensions.insert(d);
            ASSERT_EQ(dimensions.size(), 1U);
            EXPECT_LE(before, *dimensions.begin());
            before = *dimensions.begin();
        }
    }
}

TEST(schedule, is_that_of_the_papers_figures) {
    // Sixteen blocks, k = 4, then k = 2: 0, 4, 8, 12 keep in the first round, 0 and 8 in the second.
    auto const merge = merge_schedule(16, std::vector{4, 2});
    EXPECT_EQ(merge.group_of(0, 6).members, (ids{4, 5, 6, 7}));
    EXPECT_EQ(merge.group_of(1, 6).members, ids{});
    EXPECT_EQ(merge.group_of(1, 12).members, (ids{8, 12}));
    auto const swap = swap_schedule(16, std::vector{4, 2});
    EXPECT_EQ(swap.group_of(0, 6).members, (ids{4, 5, 6, 7}));
    EXPECT_EQ(swap.group_of(1, 6).members, (ids{2, 6}));
    auto const far = swap_schedule(16, std::vector{4, 2}, {.groups = grouping::strided});
    EXPECT_EQ(far.group_of(0, 6).members, (ids{2, 6, 10, 14}));
    EXPECT_EQ(far.group_of(1, 6).members, (ids{4, 6}));
    // The last group of a merge may be smaller.
    EXPECT_EQ(merge_schedule(10, 4).group_of(0, 9).members, (ids{8, 9}));
}

TEST(schedule, refuses_what_cannot_be) {
    EXPECT_THROW((void)merge_schedule(4, 1), weft::usage_error);
    EXPECT_THROW((void)merge_schedule(0, 2), weft::usage_error);
    EXPECT_THROW((void)merge_schedule(4, 2, {.root = 4}), weft::usage_error);
    EXPECT_THROW((void)swap_schedule(10, std::vector{4}), weft::usage_error);
    EXPECT_THROW((void)swap_schedule(8, std::vector{2, 0}), weft::usage_error);
}

TEST(schedule, the_model_takes_few_rounds_for_little_and_small_groups_for_much) {
    auto const machine = weft::built_in_machine();
    EXPECT_GE(merge_k(machine, 1024, 8), merge_k(machine, 1024, 1 << 20));
    EXPECT_EQ(merge_k(machine, 1024, 1 << 24), 2);
    EXPECT_GE(swap_k(machine, 1024, 8), 2);
}

TEST(participants, of_ranks_are_the_ranks) {
    auto const who = weft::participants::ranks(3);
    EXPECT_EQ(who.mine, std::vector<std::int64_t>{3});
    EXPECT_EQ(who.rank_of(5), 5);
}
