#include <weft/frames/numbering.hpp>

#include <weft/core/error.hpp>
#include <weft/frames/curves.hpp>

#include "frame_rig.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

using weft::global_id;
using weft_test::rank;
using weft_test::size;
using weft_test::world;

namespace {

/// The place of each of this rank's items among all different ones in their order.
template <class Item>
std::vector<global_id> places_of(std::vector<Item> const& all, std::vector<Item> const& mine) {
    std::set<Item> const different(all.begin(), all.end());
    std::map<Item, global_id> places;
    for (Item const& each : different) places.emplace(each, static_cast<global_id>(places.size()));
    std::vector<global_id> found;
    for (Item const& each : mine) found.push_back(places.at(each));
    return found;
}

/// Items are dealt to ranks and two parts each; rank 1 gets none.
template <class Item>
std::vector<Item> dealt(std::vector<Item> const& all) {
    std::vector<Item> mine;
    for (std::size_t i = 0; i < all.size(); ++i) {
        int owner = static_cast<int>(i * 5 % 7) % size();
        if (owner == 1) owner = 0;
        if (owner == rank()) mine.push_back(all[i]);
    }
    return mine;
}

template <std::size_t D>
void expect_points_along_the_curve() {
    using point = std::array<double, D>;
    std::mt19937_64 random(11);
    std::vector<point> all;
    for (int i = 0; i < 400; ++i) {
        point at{};
        for (double& coordinate : at) coordinate = static_cast<double>(random() % 1000) / 7 - 50;
        all.push_back(at);
        if (i % 5 == 0) all.push_back(at); // twice
        if (i % 9 == 0) {
            at[0] = std::nextafter(at[0], 1e9); // in the same cell
            all.push_back(at);
        }
    }
    all.push_back(point{});
    all.push_back(point{-0.0});
    auto const mine = dealt(all);
    auto const found = weft::number_points(world(), weft::parts_view<point>(mine));
    EXPECT_EQ(found.count, static_cast<std::int64_t>(std::set<point>(all.begin(), all.end()).size()));
    point lower = all.front();
    point upper = all.front();
    for (point const& each : all)
        for (std::size_t axis = 0; axis < D; ++axis) {
            lower[axis] = std::min(lower[axis], each[axis]);
            upper[axis] = std::max(upper[axis], each[axis]);
        }
    weft::curve_grid<D> const grid(lower, upper);
    auto const keyed = [&](std::vector<point> const& points) {
        std::vector<std::pair<global_id, point>> pairs;
        for (point const& each : points) pairs.emplace_back(grid.hilbert(each), each);
        return pairs;
    };
    EXPECT_EQ(found.numbers, places_of(keyed(all), keyed(mine)));
}

} // namespace

TEST(numbering, ids_are_numbered_without_gaps_in_their_order) {
    std::mt19937_64 random(4);
    std::vector<global_id> all;
    for (int i = 0; i < 500; ++i) all.push_back(static_cast<global_id>(random() % 300) * 1'000'000'007);
    auto const mine = dealt(all);
    auto const found = weft::number_ids(world(), mine);
    EXPECT_EQ(found.numbers, places_of(all, mine));
    EXPECT_EQ(found.count, static_cast<std::int64_t>(std::set<global_id>(all.begin(), all.end()).size()));
}

TEST(numbering, nothing_has_no_numbers) {
    EXPECT_EQ(weft::number_ids(world(), weft::parts_view<global_id>()).count, 0);
    EXPECT_EQ(weft::number_tuples(world(), weft::parts_view<std::int64_t>(), 3).count, 0);
    EXPECT_EQ(weft::number_points(world(), weft::parts_view<std::array<double, 3>>()).count, 0);
}

TEST(numbering, tuples_are_numbered_lexicographically) {
    std::mt19937_64 random(5);
    for (std::uint64_t const spread : {std::uint64_t{3}, std::uint64_t{1} << 31, std::uint64_t{0}}) {
        std::vector<std::array<std::int64_t, 3>> all;
        for (int i = 0; i < 300; ++i) {
            std::array<std::int64_t, 3> tuple{};
            for (std::int64_t& each : tuple)
                each = static_cast<std::int64_t>(spread == 0 ? random() : random() % spread) - 1;
            all.push_back(tuple);
            if (i % 4 == 0) all.push_back(tuple);
            if (i % 6 == 0) {
                ++tuple[2];
                all.push_back(tuple);
            }
        }
        all.push_back(
            {std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min(), 0});
        auto const mine = dealt(all);
        std::vector<std::vector<std::int64_t>> parts(2);
        for (std::size_t i = 0; i < mine.size(); ++i) {
            auto& part = parts[i < mine.size() / 2 ? 0 : 1];
            part.insert(part.end(), mine[i].begin(), mine[i].end());
        }
        auto const found = weft::number_tuples(world(), parts, 3);
        EXPECT_EQ(found.numbers, places_of(all, mine)) << "spread " << spread;
    }
}

TEST(numbering, points_are_numbered_along_the_curve) {
    expect_points_along_the_curve<2>();
    expect_points_along_the_curve<3>();
}

TEST(numbering, what_is_wrong_on_one_rank_is_an_error_on_all) {
    bool const last = rank() == size() - 1;
    std::vector<global_id> const ids{1, last ? -1 : 2};
    EXPECT_THROW((void)weft::number_ids(world(), ids), weft::usage_error);
    std::vector<std::int64_t> const halves(last ? 3 : 4);
    EXPECT_THROW((void)weft::number_tuples(world(), halves, 2), weft::usage_error);
    EXPECT_THROW((void)weft::number_tuples(world(), halves, 0), weft::usage_error);
    std::vector<std::array<double, 2>> const points{{0, last ? std::numeric_limits<double>::infinity() : 1}};
    auto const text = weft_test::text_of<weft::usage_error>(
        [&] { (void)weft::number_points(world(), weft::parts_view<std::array<double, 2>>(points)); });
    EXPECT_NE(text.find("at position 0 of part 0 on rank " + std::to_string(size() - 1)), std::string::npos)
        << text;
}

namespace {

/// Numbers of points by the letter: chains of close ones, numbered by the first of them in the exact order.
template <std::size_t D>
std::vector<global_id> close_numbers(
    std::vector<std::array<double, D>> const& all, std::vector<global_id> const& exact, double tolerance) {
    std::vector<std::size_t> sets(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        sets[i] = i;
        for (std::size_t other = 0; other < i; ++other) {
            double squares = 0;
            for (std::size_t axis = 0; axis < D; ++axis)
                squares += (all[i][axis] - all[other][axis]) * (all[i][axis] - all[other][axis]);
            std::size_t const from = sets[other];
            if (squares <= tolerance * tolerance)
                for (std::size_t j = 0; j <= i; ++j)
                    if (sets[j] == from) sets[j] = sets[i];
        }
    }
    std::map<std::size_t, global_id> least;
    for (std::size_t i = 0; i < all.size(); ++i) {
        auto const [at, is_new] = least.emplace(sets[i], exact[i]);
        if (!is_new) at->second = std::min(at->second, exact[i]);
    }
    std::vector<global_id> labels;
    for (std::size_t const set : sets) labels.push_back(least.at(set));
    return places_of(labels, labels);
}

template <std::size_t D>
void expect_close_points_merge() {
    using point = std::array<double, D>;
    std::mt19937_64 random(5);
    std::vector<point> all;
    for (int i = 0; i < 150; ++i) {
        point at{};
        for (double& coordinate : at) coordinate = static_cast<double>(random() % 1000) / 50 - 10;
        for (int copy = 0; copy < i % 4; ++copy) { // chains
            all.push_back(at);
            at[0] += 0.25;
        }
    }
    for (double const tolerance : {1e-12, 0.2, 0.25, 0.7, 40.0}) {
        // The oracle takes the exact numbers of all points from one rank's own communicator.
        auto const alone = world().split(rank());
        auto const exact = weft::number_points(alone, weft::parts_view<point>(all)).numbers;
        std::vector<global_id> const expected = close_numbers(all, exact, tolerance);
        std::vector<std::size_t> places(all.size());
        for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
        auto const found = weft::number_points(world(), weft::parts_view<point>(dealt(all)), tolerance);
        std::vector<global_id> mine;
        for (std::size_t const place : dealt(places)) mine.push_back(expected[place]);
        EXPECT_EQ(found.numbers, mine) << tolerance;
        EXPECT_EQ(found.count, *std::ranges::max_element(expected) + 1);
    }
}

} // namespace

TEST(number_points, that_are_close_merge_in_the_plane) {
    expect_close_points_merge<2>();
}

TEST(number_points, that_are_close_merge_in_space) {
    expect_close_points_merge<3>();
}

TEST(number_points, refuses_tolerances_that_differ_or_mean_nothing) {
    std::vector<std::array<double, 2>> const points{{1, 2}};
    auto const number = [&](double tolerance) {
        return weft_test::text_of<weft::usage_error>([&] {
            (void)weft::number_points(world(), weft::parts_view<std::array<double, 2>>(points), tolerance);
        });
    };
    EXPECT_NE(number(-1).find("tolerance of -1"), std::string::npos);
    EXPECT_NE(
        number(rank() == size() - 1 ? std::numeric_limits<double>::quiet_NaN() : 1).find("expected 0 or"),
        std::string::npos);
    if (size() > 1) { EXPECT_NE(number(rank() + 1).find("the same on all ranks"), std::string::npos); }
    EXPECT_EQ(weft::number_points(world(), weft::parts_view<std::array<double, 2>>(points), 0.5).count, 1);
}

TEST(numbering, the_last_id_of_63_bits_has_a_number) {
    constexpr global_id last = std::numeric_limits<global_id>::max();
    std::vector<std::vector<global_id>> parts{{last, 5}, {last - 1}, {}, {0, last}};
    if (rank() % 2 == 1) parts = {{last - 1}};
    auto const found = weft::number_ids(world(), parts);
    EXPECT_EQ(found.count, 4);
    EXPECT_EQ(found.numbers,
        rank() % 2 == 1 ? (std::vector<global_id>{2}) : (std::vector<global_id>{3, 1, 2, 0, 3}));
    EXPECT_EQ(weft::number_ids(world(), std::vector<global_id>{last}).count, 1);
}

TEST(numbering, tolerances_at_the_ends_of_their_range) {
    using points = std::vector<std::array<double, 3>>;
    for (double const far : {1.5e200, 1.5e-190, 1.5e-310, 1e308, 1.0}) {
        points const two{{0, 0, 0}, {far, 0, 0}};
        EXPECT_EQ(weft::number_points(world(), two, far / 1.5).count, 2) << far;
        EXPECT_EQ(weft::number_points(world(), two, far / 1.0001).count, 2) << far;
        EXPECT_EQ(weft::number_points(world(), two, far).count, 1) << far;
    }
    constexpr double most = std::numeric_limits<double>::max();
    EXPECT_EQ(weft::number_points(world(), points{{-most, 0, 0}, {most, 0, 0}}, most).count, 2);
    EXPECT_EQ(weft::number_points(world(), points{{-most, 0, 0}, {0, 0, 0}, {most, 0, 0}}, most).count, 1);
    EXPECT_EQ(weft::number_points(world(), points{{-most, most, 0}, {most, -most, 0}}).count, 2);
}

TEST(numbering, points_so_far_away_that_few_numbers_lie_within_the_tolerance) {
    std::vector<std::array<double, 2>> points;
    for (double const at : {0x1.fp60, -0x1.fp60, 1e30, 0.0}) {
        double next = at;
        for (int i = 0; i < 5; ++i) {
            points.push_back({next, 1});
            next = std::nextafter(next, std::numeric_limits<double>::infinity());
        }
    }
    // Around 2^60 doubles are 256 apart, around 1e30 much further, around 0 much nearer.
    EXPECT_EQ(weft::number_points(world(), points, 255).count, 16);
    EXPECT_EQ(weft::number_points(world(), points, 256).count, 8);
    EXPECT_EQ(weft::number_points(world(), points, 1e-6).count, 16);
    EXPECT_EQ(weft::number_points(world(), points, 1e18).count, 4);
}

TEST(numbering, a_tolerance_joins_by_distance_at_every_distance_from_0) {
    std::mt19937_64 random(7);
    double const tolerance = 3;
    for (int exponent = -2; exponent < 60; exponent += 3) {
        std::vector<std::array<double, 2>> points;
        double x = std::ldexp(1.0, exponent) * (random() % 2 == 0 ? 1 : -1);
        for (int i = 0; i < 40; ++i) {
            points.push_back({x, 0});
            x = std::nextafter(
                x + static_cast<double>(random() % 6), std::numeric_limits<double>::infinity());
        }
        std::ranges::sort(points);
        std::int64_t expected = 1;
        for (std::size_t i = 1; i < points.size(); ++i)
            expected += points[i][0] - points[i - 1][0] > tolerance ? 1 : 0;
        EXPECT_EQ(weft::number_points(world(), points, tolerance).count, expected) << exponent;
    }
}
