#include <weft/frames/sort_by_key.hpp>

#include <weft/collective/gather.hpp>
#include <weft/core/error.hpp>
#include <weft/protocol/collectives.hpp>

#include "frame_rig.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

using weft::global_id;
using weft_test::rank;
using weft_test::size;
using weft_test::world;

TEST(sort_by_key, is_the_stable_sort_of_all_items) {
    auto random = weft_test::random(static_cast<std::uint64_t>(rank()) + 1);
    for (std::uint64_t const spread : {std::uint64_t{1}, std::uint64_t{10}, std::uint64_t{1} << 62}) {
        std::vector<global_id> keys;
        std::vector<std::array<int, 2>> items;
        for (int i = 0; i < 100 * (rank() % 3); ++i) {
            keys.push_back(static_cast<global_id>(random() % spread));
            items.push_back({rank(), i});
        }
        auto const sorted = weft::sort_by_key(world(), keys, weft::parts_view<std::array<int, 2>>(items));
        std::vector<std::pair<global_id, std::array<int, 2>>> mine;
        for (std::size_t i = 0; i < keys.size(); ++i) mine.emplace_back(keys[i], items[i]);
        auto all = weft::all_gatherv(world(), mine);
        std::ranges::stable_sort(all, {}, &std::pair<global_id, std::array<int, 2>>::first);
        std::vector<std::pair<global_id, std::array<int, 2>>> here;
        for (std::size_t i = 0; i < sorted.keys.size(); ++i)
            here.emplace_back(sorted.keys[i], sorted.values[i]);
        EXPECT_EQ(weft::all_gatherv(world(), here), all) << "spread " << spread;
        EXPECT_EQ(weft::sort_keys(world(), keys), sorted.keys);
    }
}

TEST(sort_by_key, ranks_get_as_many_items) {
    auto random = weft_test::random(static_cast<std::uint64_t>(rank()) + 1);
    std::vector<global_id> keys;
    std::vector<int> values;
    for (int i = 0; i < 20'000; ++i) {
        keys.push_back(static_cast<global_id>(random() >> (random() % 40 + 2)));
        values.push_back(i);
    }
    auto const sorted = weft::sort_by_key(world(), keys, weft::parts_view<int>(values));
    auto const most = weft::max(world(), static_cast<std::int64_t>(sorted.keys.size()));
    EXPECT_LE(most, 21'000);
    EXPECT_NEAR(sorted.imbalance, static_cast<double>(most) / 20'000 - 1, 1e-9);
    EXPECT_TRUE(std::ranges::is_sorted(sorted.keys));
}

TEST(sort_by_key, values_and_keys_go_together) {
    bool const last = rank() == size() - 1;
    std::vector<global_id> const keys{3, 1};
    std::vector<int> const values(last ? 3 : 2);
    EXPECT_THROW((void)weft::sort_by_key(world(), keys, weft::parts_view<int>(values)), weft::usage_error);
}

TEST(sort_by_key, a_negative_key_is_an_error_that_names_it) {
    std::vector<std::vector<global_id>> keys{{3}, {1, rank() == size() - 1 ? -2 : 2}};
    EXPECT_NE(weft_test::text_of<weft::usage_error>([&] {
        (void)weft::sort_keys(world(), keys);
    }).find("the key -2 at position 1 of part 1 on rank " + std::to_string(size() - 1)),
        std::string::npos);
}

TEST(sort_by_key, all_items_of_one_key_come_to_one_rank_in_their_order) {
    std::vector<global_id> const keys(5, 7);
    std::vector<int> values;
    for (int i = 0; i < 5; ++i) values.push_back(10 * rank() + i);
    auto const sorted = weft::sort_by_key(world(), keys, weft::parts_view<int>(values));
    EXPECT_TRUE(sorted.keys.empty() || sorted.keys.size() == static_cast<std::size_t>(5 * size()));
    EXPECT_TRUE(std::ranges::is_sorted(sorted.values));
    EXPECT_EQ(weft::sum(world(), static_cast<std::int64_t>(sorted.keys.size())), 5 * size());
}

TEST(sort_by_key, nothing_is_sorted) {
    EXPECT_TRUE(weft::sort_keys(world(), std::vector<global_id>()).empty());
}

TEST(sort_by_key, the_largest_key_of_63_bits_comes_last) {
    std::vector<global_id> const mine{INT64_MAX, 5, INT64_MAX - 1, rank()};
    std::vector<global_id> const all = all_gatherv(world(), weft::sort_keys(world(), mine));
    std::vector<global_id> expected;
    for (int each = 0; each < size(); ++each)
        for (global_id const key : {global_id{INT64_MAX}, global_id{5}, INT64_MAX - 1, global_id{each}})
            expected.push_back(key);
    std::ranges::sort(expected);
    EXPECT_EQ(all, expected);
    auto const items =
        weft::sort_by_key(world(), weft::parts_view<global_id>(mine), weft::parts_view<global_id>(mine));
    EXPECT_EQ(items.keys, items.values);
    EXPECT_EQ(all_gatherv(world(), items.keys), expected);
}

TEST(sort_by_key, tolerances_that_differ_are_an_error_on_all_ranks) {
    std::vector<global_id> keys;
    for (global_id i = 0; i < 1000; ++i) keys.push_back(i * i % 977);
    double const tolerance = rank() == 0 ? 0.0001 : 0.5;
    if (size() > 1) {
        EXPECT_THROW((void)weft::sort_keys(world(), keys, tolerance), weft::usage_error);
        EXPECT_THROW((void)weft::sort_by_key(world(), weft::parts_view<global_id>(keys),
                         weft::parts_view<global_id>(keys), tolerance),
            weft::usage_error);
    }
    double const one_is_none = rank() == 0 ? std::nan("") : 0.5;
    EXPECT_THROW((void)weft::sort_keys(world(), keys, one_is_none), weft::usage_error);
    EXPECT_EQ(all_gatherv(world(), weft::sort_keys(world(), keys)).size(),
        keys.size() * static_cast<std::size_t>(size()));
}
