#include <weft/frames/part_to_block.hpp>

#include <weft/core/error.hpp>
#include <weft/frames/balanced_blocks.hpp>
#include <weft/protocol/collectives.hpp>

#include "frame_rig.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <vector>

using weft::block_distribution;
using weft::frame_transfer;
using weft::global_id;
using weft::part_to_block;
using weft_test::frame_case;
using weft_test::rank;
using weft_test::size;
using weft_test::world;

namespace {

/// Who sent an item of an id: rank, and position through all of its parts.
using origin = std::pair<int, int>;

/// The items of each id of this rank's block, in order.
std::map<global_id, std::vector<origin>> items_by_id(frame_case const& drawn) {
    std::map<global_id, std::vector<origin>> items;
    auto const blocks = drawn.blocks();
    for (int each = 0; each < size(); ++each) {
        int position = 0;
        for (auto const& part : drawn.parts[static_cast<std::size_t>(each)])
            for (global_id const id : part) {
                if (blocks.owner(id) == rank()) items[id].emplace_back(each, position);
                ++position;
            }
    }
    return items;
}

int value_of(origin const& item, int place = 0) {
    return item.first * 10'000 + item.second * 10 + place;
}

/// Values by part, `stride` an item.
std::vector<std::vector<int>> part_values(frame_case const& drawn, int stride) {
    std::vector<std::vector<int>> values;
    int position = 0;
    for (auto const& part : drawn.mine()) {
        values.emplace_back();
        for (std::size_t i = 0; i < part.size(); ++i, ++position)
            for (int place = 0; place < stride; ++place)
                values.back().push_back(value_of({rank(), position}, place));
    }
    return values;
}

std::vector<int> concatenated(std::vector<std::vector<int>> const& parts) {
    std::vector<int> all;
    for (auto const& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

} // namespace

TEST(part_to_block, the_example_with_lists_merged_and_brought_back) {
    bool const first = rank() == 0;
    std::vector<global_id> bounds(static_cast<std::size_t>(size()) + 1, 5);
    bounds[0] = 0;
    std::vector<global_id> const ids =
        first ? std::vector<global_id>{1, 1, 4, 4, 0, 1, 0} : std::vector<global_id>{};
    part_to_block const plan(world(), block_distribution(bounds), ids);
    weft::ragged<int> lists;
    if (first) {
        lists.offsets = weft::offsets_of(std::vector<std::int64_t>{0, 4, 2, 2, 1, 3, 2});
        lists.values.resize(14);
        std::iota(lists.values.begin(), lists.values.end(), 1);
    }
    auto const merged = plan.merge(lists);
    auto const back = plan.reverse(merged);
    if (first) {
        EXPECT_TRUE(std::ranges::equal(plan.ids(), std::vector<global_id>{0, 1, 4}));
        EXPECT_TRUE(std::ranges::equal(plan.arrival_offsets(), std::vector<std::uint32_t>{0, 2, 5, 7}));
        EXPECT_EQ(merged.offsets, (std::vector<std::int64_t>{0, 3, 10, 14}));
        EXPECT_EQ(merged.values, (std::vector<int>{9, 13, 14, 1, 2, 3, 4, 10, 11, 12, 5, 6, 7, 8}));
        EXPECT_EQ(back.offsets, weft::offsets_of(std::vector<std::int64_t>{7, 7, 4, 4, 3, 7, 3}));
        EXPECT_TRUE(std::ranges::equal(back[2], std::vector<int>{5, 6, 7, 8}));
    }
    std::vector<int> pairs(2 * ids.size());
    std::iota(pairs.begin(), pairs.end(), 1);
    EXPECT_EQ(plan.lowest(pairs, 2), first ? (std::vector<int>{9, 10, 1, 2, 5, 6}) : std::vector<int>{});
    auto const lowest = plan.lowest(lists);
    if (first) {
        EXPECT_EQ(lowest.offsets, (std::vector<std::int64_t>{0, 1, 1, 3}));
        EXPECT_EQ(lowest.values, (std::vector<int>{9, 5, 6}));
    }
}

TEST(part_to_block, of_what_every_rank_has_the_lowest_rank_is_taken) {
    std::vector<global_id> ids(1000);
    std::iota(ids.begin(), ids.end(), 0);
    part_to_block const plan(world(), block_distribution::uniform(world(), 1000), ids);
    auto const taken = plan.lowest(std::vector<int>(1000, rank()));
    EXPECT_EQ(taken, std::vector<int>(plan.ids().size(), 0));
    EXPECT_EQ(plan.reduce(std::vector<int>(1000, 1)), std::vector<int>(plan.ids().size(), size()));
    EXPECT_EQ(plan.arrivals(), plan.ids().size() * static_cast<std::size_t>(size()));
}

TEST(part_to_block, random_parts_against_the_oracle) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        // Dense blocks take a table, sparse ones a sort.
        frame_case const drawn(weft_test::seed() + seed, seed % 2 == 0 ? 12 : std::uint64_t{1} << 36);
        auto const expected = items_by_id(drawn);
        part_to_block const plan(world(), drawn.blocks(), drawn.mine(),
            {.transfer = weft_test::all_transfers[seed % std::size(weft_test::all_transfers)]});
        std::vector<global_id> ids;
        std::vector<origin> order; // of arrivals
        for (auto const& [id, items] : expected) {
            ids.push_back(id);
            order.insert(order.end(), items.begin(), items.end());
        }
        std::ranges::sort(order);
        ASSERT_TRUE(std::ranges::equal(plan.ids(), ids)) << "seed " << seed;
        ASSERT_EQ(plan.arrivals(), order.size());

        for (int const stride : {1, 2}) {
            auto const values = part_values(drawn, stride);
            auto const width = static_cast<std::size_t>(stride);
            std::vector<int> kept;
            for (origin const& item : order)
                for (int place = 0; place < stride; ++place) kept.push_back(value_of(item, place));
            auto const arrived = plan.keep(values, width);
            EXPECT_EQ(arrived, kept) << "seed " << seed;
            EXPECT_EQ(plan.reverse_kept(arrived, width), concatenated(values));

            weft::ragged<int> merged;
            std::vector<int> lowest;
            std::vector<int> reduced;
            auto const append = [](int a, int b) { return (a % 1000) * 3 + b; };
            for (auto const& [id, items] : expected) {
                for (origin const& item : items)
                    for (int place = 0; place < stride; ++place)
                        merged.values.push_back(value_of(item, place));
                merged.offsets.push_back(static_cast<std::int64_t>(merged.values.size()));
                for (int place = 0; place < stride; ++place) {
                    lowest.push_back(value_of(items.front(), place));
                    int sum = lowest.back();
                    for (std::size_t i = 1; i < items.size(); ++i)
                        sum = append(sum, value_of(items[i], place));
                    reduced.push_back(sum);
                }
            }
            EXPECT_EQ(plan.merge(values, width), merged) << "seed " << seed;
            EXPECT_EQ(plan.lowest(concatenated(values), width), lowest);
            EXPECT_EQ(plan.reduce(values, append, width), reduced);
        }

        // What goes back is the id that was sent.
        std::vector<global_id> const twice(plan.ids().begin(), plan.ids().end());
        EXPECT_EQ(plan.reverse(twice), drawn.my_flat());
        auto const arrival_ids = plan.arrival_ids();
        EXPECT_EQ(plan.reverse_kept(arrival_ids), drawn.my_flat());
    }
}

TEST(part_to_block, random_lists_and_strings_against_the_oracle) {
    for (std::uint64_t seed = 100; seed < 115; ++seed) {
        frame_case const drawn(weft_test::seed() + seed);
        auto const expected = items_by_id(drawn);
        part_to_block const plan(world(), drawn.blocks(), drawn.mine(),
            {.transfer = weft_test::all_transfers[seed % std::size(weft_test::all_transfers)]});
        auto const length = [](origin const& item) {
            return static_cast<std::size_t>((item.first * 7 + item.second * 3) % 10);
        };
        weft::ragged<int> lists;
        std::vector<std::string> words;
        for (int i = 0; i < static_cast<int>(drawn.my_flat().size()); ++i) {
            lists.values.insert(lists.values.end(), length({rank(), i}), value_of({rank(), i}));
            lists.offsets.push_back(static_cast<std::int64_t>(lists.values.size()));
            words.push_back(std::to_string(value_of({rank(), i})));
        }
        weft::ragged<int> merged;
        std::vector<std::string> joined;
        std::vector<std::string> lowest;
        for (auto const& [id, items] : expected) {
            joined.emplace_back();
            for (origin const& item : items) {
                merged.values.insert(merged.values.end(), length(item), value_of(item));
                joined.back() += std::to_string(value_of(item));
            }
            merged.offsets.push_back(static_cast<std::int64_t>(merged.values.size()));
            lowest.push_back(std::to_string(value_of(items.front())));
        }
        EXPECT_EQ(plan.merge(lists), merged);
        weft::parts_view<std::string> const view(words);
        EXPECT_EQ(plan.reduce(view), joined);
        EXPECT_EQ(plan.reduce(words), joined);
        EXPECT_EQ(plan.reduce(std::span<std::string const>(words)), joined);
        EXPECT_EQ(plan.lowest(view), lowest);
        EXPECT_EQ(plan.reverse_kept(plan.keep(words)), words);
        EXPECT_EQ(plan.keep(lists).size(), plan.arrivals());
        EXPECT_EQ(plan.reverse_kept(plan.keep(lists)), lists);
        // Two words an item, in an array a part.
        std::vector<std::vector<std::string>> pairs;
        std::vector<std::string> joined_pairs;
        for (std::size_t part = 0; part < drawn.mine().size(); ++part) {
            pairs.emplace_back();
            for (std::size_t i = plan.part_offsets()[part]; i < plan.part_offsets()[part + 1]; ++i) {
                pairs.back().push_back(words[i]);
                pairs.back().push_back(words[i] + "b");
            }
        }
        for (auto const& [id, items] : expected) {
            joined_pairs.emplace_back();
            for (origin const& item : items) joined_pairs.back() += std::to_string(value_of(item));
            joined_pairs.emplace_back();
            for (origin const& item : items) joined_pairs.back() += std::to_string(value_of(item)) + "b";
        }
        EXPECT_EQ(plan.reduce(pairs, weft::add_values{}, 2), joined_pairs);
        EXPECT_EQ(plan.merge(pairs, 2).size(), expected.size());
        // There and back: each item gets what its id has.
        auto const words_back = plan.reverse(joined_pairs, 2);
        auto const own_ids = drawn.my_flat();
        ASSERT_EQ(words_back.size(), 2 * own_ids.size());
        for (std::size_t i = 0; i < own_ids.size(); ++i)
            EXPECT_NE(words_back[2 * i + 1].find(words[i] + "b"), std::string::npos);
        // There and back: each item gets the merged list of its id.
        auto const back = plan.reverse(merged);
        ASSERT_EQ(back.size(), drawn.my_flat().size());
        for (std::size_t i = 0; i < back.size(); ++i) EXPECT_GE(back.length(i), lists.length(i));
    }
}

TEST(part_to_block, work_goes_where_its_weight_is_balanced) {
    // One id in three weighs a hundred times as much; all are on the last rank.
    std::vector<global_id> ids;
    std::vector<double> weights;
    if (rank() == size() - 1)
        for (global_id id = 0; id < 3000; ++id) {
            ids.push_back(id * 1'000'003);
            weights.push_back(id % 3 == 0 ? 100 : 1);
        }
    auto const balanced = weft::balance_blocks(world(), ids, weights);
    part_to_block const plan(world(), balanced.blocks, ids);
    auto const sums = plan.reduce(weights);
    double const mine = std::accumulate(sums.begin(), sums.end(), 0.0);
    EXPECT_LE(mine, 102'000.0 / size() * (1 + balanced.imbalance) + 1e-6);
    EXPECT_LE(balanced.imbalance, 0.1);
    EXPECT_EQ(weft::sum(world(), static_cast<std::int64_t>(mine)), 102'000);
}

TEST(part_to_block, what_is_wrong_on_one_rank_is_an_error_on_all) {
    block_distribution const blocks = block_distribution::uniform(world(), 10);
    bool const last = rank() == size() - 1;
    weft_test::part_ids const ids{{1, 2}, {9}};
    weft_test::part_ids wrong = ids;
    if (last) wrong[1][0] = 10;
    auto const text =
        weft_test::text_of<weft::usage_error>([&] { (void)part_to_block(world(), blocks, wrong); });
    EXPECT_NE(
        text.find("id 10 at position 0 of part 1 on rank " + std::to_string(size() - 1)), std::string::npos)
        << text;
    for (frame_transfer const how : weft_test::all_transfers) {
        part_to_block const plan(world(), blocks, ids, {.transfer = how});
        using parts = std::vector<std::vector<int>>;
        EXPECT_THROW((void)plan.keep(last ? parts{{1}, {2, 3}} : parts{{1, 2}, {3}}), weft::usage_error);
        EXPECT_THROW((void)plan.keep(std::vector<int>(last ? 4 : 3)), weft::usage_error);
        EXPECT_THROW(
            (void)plan.reverse(std::vector<int>(plan.ids().size() + (last ? 1 : 0))), weft::usage_error);
        weft::ragged<int> lists{{0, 0, 0, 0}, {}};
        if (last) lists.offsets = {0, 0, 5, 5};
        EXPECT_THROW((void)plan.merge(lists), weft::usage_error);
        std::vector<std::string> const words(last ? 2 : 3);
        EXPECT_THROW((void)plan.keep(words), weft::usage_error);
        EXPECT_THROW((void)plan.reverse(std::vector<std::string>(plan.ids().size() + (last ? 1 : 0))),
            weft::usage_error);
        EXPECT_EQ(plan.reverse_kept(plan.keep(parts{{1, 2}, {3}})), (std::vector<int>{1, 2, 3}));
    }
}
