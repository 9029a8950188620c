#include <weft/frames/recursive_bisection.hpp>

#include <weft/collective/gather.hpp>
#include <weft/core/error.hpp>

#include "frame_rig.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

using weft::recursive_bisection;
using weft_test::rank;
using weft_test::size;
using weft_test::world;

namespace {

template <std::size_t D>
void expect_equal_work() {
    using point = std::array<double, D>;
    for (int const kind : {0, 1, 2}) { // spread evenly, clustered, all on one rank
        auto random = weft_test::random(static_cast<std::uint64_t>(10 * rank() + kind));
        std::vector<point> points;
        std::vector<double> weights;
        for (int i = 0; i < (kind == 2 && rank() != 0 ? 0 : 5000); ++i) {
            point at{};
            for (double& coordinate : at) {
                coordinate = static_cast<double>(random() % 1'000'000) / 1e6 - 0.5;
                if (kind == 1) coordinate = coordinate * coordinate * coordinate;
            }
            points.push_back(at);
            weights.push_back(1 + static_cast<double>(random() % 7));
        }
        recursive_bisection<D> const boxes(world(), points, weights);
        std::vector<double> work(static_cast<std::size_t>(size()));
        for (std::size_t i = 0; i < points.size(); ++i)
            work[static_cast<std::size_t>(boxes.owner_of(points[i]))] += weights[i];
        double total = 0;
        std::vector<double> sums(work.size());
        for (std::vector<double> const& of_rank : weft::all_gather(world(), work))
            for (std::size_t owner = 0; owner < sums.size(); ++owner) {
                sums[owner] += of_rank[owner];
                total += of_rank[owner];
            }
        // A cut a level, each off by a thousandth of its box at most.
        for (double const sum : sums) EXPECT_NEAR(sum * size() / total, 1, 0.002 * (2 + size()));
    }
}

} // namespace

TEST(recursive_bisection, gives_equal_work_in_the_plane) {
    expect_equal_work<2>();
}

TEST(recursive_bisection, gives_equal_work_in_space) {
    expect_equal_work<3>();
}

TEST(recursive_bisection, is_the_same_on_all_ranks_and_covers_all_space) {
    std::vector<std::array<double, 2>> const points(3, {static_cast<double>(rank()), 1});
    recursive_bisection<2> const boxes(world(), points);
    std::vector<int> owners;
    for (double const x : {-1e300, -1.0, 0.0, 0.5, 2.0, 1e300})
        for (double const y : {-1e300, 1.0, 1e300}) owners.push_back(boxes.owner_of({x, y}));
    for (std::vector<int> const& other : weft::all_gather(world(), owners)) EXPECT_EQ(other, owners);
    for (int const owner : owners) {
        EXPECT_GE(owner, 0);
        EXPECT_LT(owner, size());
    }
    for (int each = 0; each < size(); ++each) EXPECT_EQ(boxes.owner_of({static_cast<double>(each), 1}), each);
}

TEST(recursive_bisection, of_no_points_or_points_at_one_place) {
    recursive_bisection<3> const of_nothing(world(), {});
    EXPECT_LT(of_nothing.owner_of({0, 0, 0}), size());
    std::vector<std::array<double, 3>> const points(10, {1, 2, 3});
    recursive_bisection<3> const of_one_place(world(), points);
    EXPECT_LT(of_one_place.owner_of({1, 2, 3}), size());
    EXPECT_EQ(recursive_bisection<3>().owner_of({1, 2, 3}), 0);
}

TEST(recursive_bisection, refuses_what_means_nothing) {
    double const bad = rank() == size() - 1 ? std::numeric_limits<double>::quiet_NaN() : 1;
    std::vector<std::array<double, 2>> const points{{1, 1}, {1, bad}};
    std::vector<std::array<double, 2>> const good(2);
    std::string const at = " at position 1 on rank " + std::to_string(size() - 1);
    auto const text = [](auto&& call) { return weft_test::text_of<weft::usage_error>(call); };
    EXPECT_NE(
        text([&] { recursive_bisection<2>(world(), points); }).find("not finite" + at), std::string::npos);
    std::vector<double> const weights{1, bad - 2};
    if (size() == 1) return;
    EXPECT_NE(
        text([&] { recursive_bisection<2>(world(), good, weights); }).find("the weight"), std::string::npos);
    std::vector<double> const few(rank() == 0 ? 1 : 2, 1.0);
    EXPECT_NE(
        text([&] { recursive_bisection<2>(world(), good, few); }).find("1 weights of 2 points on rank 0"),
        std::string::npos);
}

TEST(recursive_bisection, cuts_the_whole_range_of_doubles) {
    constexpr double most = std::numeric_limits<double>::max();
    std::vector<std::array<double, 2>> line;
    for (int i = -50; i <= 50; ++i) line.push_back({i / 50. * most, i % 2 == 0 ? 1e300 : -1e300});
    auto const expect_equal_loads = [&](recursive_bisection<2> const& cut) {
        std::vector<std::size_t> load(static_cast<std::size_t>(size()));
        for (auto const& each : line) ++load[static_cast<std::size_t>(cut.owner_of(each))];
        for (std::size_t const each : load) {
            EXPECT_LE(each, line.size() / load.size() + 2);
            EXPECT_GE(each + 2, line.size() / load.size());
        }
    };
    expect_equal_loads({world(), line});
    for (double const weight : {1.5e308, 5e-324, 1.0})
        expect_equal_loads({world(), line, std::vector<double>(line.size(), weight)});
}

TEST(recursive_bisection, weights_on_some_ranks_alone_are_an_error_on_all) {
    if (size() == 1) return;
    std::vector<std::array<double, 2>> const points(2);
    std::vector<double> const weights(rank() == 0 ? 0 : 2, 1.0);
    EXPECT_THROW(recursive_bisection<2>(world(), points, weights), weft::usage_error);
}
