#include <weft/blocks/kd_tree.hpp>

#include <weft/core/error.hpp>

#include <harness/mpi_test.hpp>

#include <cmath>
#include <limits>
#include <string>

using weft::block_id;
using weft::box;
using weft::coordinates;
using weft::kd_split;
using weft::kd_tree;
using weft::kd_tree_options;
using weft::usage_error;
using weft_test::world;

namespace {

struct cloud {
    int dimensions = 1;
    std::vector<coordinates<double>> points; // the same on all ranks
};

enum class dealing { random, all_on_last, round_robin_reversed };

/// The share of this rank, flat.
std::vector<double> local_share(cloud const& all, dealing how) {
    std::vector<double> mine;
    auto random = weft_test::random(77);
    std::size_t const count = all.points.size();
    auto const size = static_cast<std::uint64_t>(world().size());
    for (std::size_t i = 0; i < count; ++i) {
        std::uint64_t owner = size - 1;
        if (how == dealing::random) owner = random() % size;
        if (how == dealing::round_robin_reversed) owner = i % size;
        if (owner != static_cast<std::uint64_t>(world().rank())) continue;
        auto const& point = all.points[how == dealing::round_robin_reversed ? count - 1 - i : i];
        mine.insert(mine.end(), point.begin(), point.begin() + all.dimensions);
    }
    return mine;
}

kd_tree tree_of(cloud const& all, std::int64_t blocks, kd_tree_options const& options = {},
    dealing how = dealing::random) {
    return {world(), all.dimensions, local_share(all, how), blocks, options};
}

/// The same tree by sorting, in one place: the bounds of every block.
class sorted_kd_tree {
public:
    sorted_kd_tree(cloud const& all, std::int64_t blocks, kd_tree_options const& options)
        : how_(options.split) {
        box<double> domain{all.dimensions};
        for (std::size_t d = 0; d < dims(domain); ++d) {
            domain.hi[d] = all.points.empty() ? 1 : -1e308;
            domain.lo[d] = all.points.empty() ? 0 : 1e308;
            for (auto const& point : all.points) {
                domain.lo[d] = std::min(domain.lo[d], point[d]);
                domain.hi[d] = std::max(domain.hi[d], point[d]);
            }
        }
        cut(options.domain.value_or(domain), all.points, blocks, dims(domain) - 1);
    }
    std::vector<box<double>> bounds;
    std::vector<std::size_t> counts;

private:
    static std::size_t dims(box<double> const& where) { return static_cast<std::size_t>(where.dimensions); }
    static double extent(std::vector<coordinates<double>> const& points, std::size_t d) {
        if (points.empty()) return 0;
        auto const [least, largest] = std::minmax_element(
            points.begin(), points.end(), [d](auto const& a, auto const& b) { return a[d] < b[d]; });
        return (*largest)[d] - (*least)[d];
    }
    void cut(box<double> const& where, std::vector<coordinates<double>> points, std::int64_t blocks,
        std::size_t before) {
        if (blocks == 1) {
            bounds.push_back(where);
            counts.push_back(points.size());
            return;
        }
        std::size_t const all = dims(where);
        std::size_t d = all;
        if (how_ == kd_split::cycling) {
            for (std::size_t step = all; step > 0; --step)
                if (extent(points, (before + step) % all) > 0) d = (before + step) % all;
        } else {
            for (std::size_t e = all; e-- > 0;)
                if (extent(points, e) > 0 && (d == all || extent(points, e) >= extent(points, d))) d = e;
        }
        double at = 0;
        std::int64_t const lower_blocks = blocks / 2;
        if (d < all) {
            std::sort(
                points.begin(), points.end(), [d](auto const& a, auto const& b) { return a[d] < b[d]; });
            auto const wanted =
                points.size() * static_cast<std::size_t>(lower_blocks) / static_cast<std::size_t>(blocks);
            // The nearest place where the coordinate changes, the lower one of two.
            std::size_t best = 0;
            for (std::size_t place = 1; place < points.size(); ++place) {
                if (points[place - 1][d] == points[place][d]) continue;
                auto const away = [&](std::size_t p) { return p > wanted ? p - wanted : wanted - p; };
                if (best == 0 || away(place) < away(best)) best = place;
            }
            at = points[best - 1][d] / 2 + points[best][d] / 2;
            if (!(points[best - 1][d] < at)) at = points[best][d];
        } else {
            d = 0;
            for (std::size_t e = 1; e < all; ++e)
                if (where.hi[e] - where.lo[e] > where.hi[d] - where.lo[d]) d = e;
            double const share = double(lower_blocks) / double(blocks);
            at = std::clamp(where.lo[d] * (1 - share) + where.hi[d] * share, where.lo[d], where.hi[d]);
        }
        auto const middle =
            std::partition(points.begin(), points.end(), [&](auto const& p) { return p[d] < at; });
        box<double> half = where;
        half.hi[d] = at;
        cut(half, {points.begin(), middle}, lower_blocks, d);
        half = where;
        half.lo[d] = at;
        cut(half, {middle, points.end()}, blocks - lower_blocks, d);
    }

    kd_split how_;
};

/// Every point in the block that owns it, links against all pairs, the tree against sorting, and the same
/// tree however the points are dealt out.
void expect_good_tree(cloud const& all, std::int64_t blocks, kd_tree_options const& options = {}) {
    kd_tree const tree = tree_of(all, blocks, options);
    ASSERT_EQ(tree.blocks(), blocks);
    ASSERT_EQ(tree.dimensions(), all.dimensions);
    sorted_kd_tree const expected(all, blocks, options);
    std::vector<std::size_t> counts(static_cast<std::size_t>(blocks), 0);
    for (auto const& point : all.points) {
        auto const owner = tree.block_of(point);
        ASSERT_TRUE(owner);
        auto const bounds = tree.bounds(*owner);
        for (std::size_t d = 0; d < static_cast<std::size_t>(all.dimensions); ++d) {
            ASSERT_LE(bounds.lo[d], point[d]);
            ASSERT_TRUE(point[d] < bounds.hi[d] || bounds.hi[d] == tree.domain().hi[d]);
            ASSERT_LE(point[d], bounds.hi[d]);
        }
        ++counts[static_cast<std::size_t>(index_of(*owner))];
    }
    ASSERT_EQ(counts, expected.counts);
    for (std::int64_t a = 0; a < blocks; ++a) {
        auto const mine = tree.bounds(block_id{a});
        ASSERT_EQ(mine, expected.bounds[static_cast<std::size_t>(a)]) << "block " << a;
        std::vector<block_id> touching;
        for (std::int64_t b = 0; b < blocks; ++b)
            if (b != a && touch(mine, tree.bounds(block_id{b}))) touching.push_back(block_id{b});
        auto const link = tree.link_of(block_id{a});
        ASSERT_TRUE(std::equal(link.begin(), link.end(), touching.begin(), touching.end())) << "block " << a;
        for (block_id const b : link) ASSERT_TRUE(tree.link_of(b).contains(block_id{a}));
    }
    for (dealing const how : {dealing::all_on_last, dealing::round_robin_reversed})
        ASSERT_TRUE(tree == tree_of(all, blocks, options, how));
}

cloud random_cloud(int dimensions, std::size_t count, std::uint64_t distinct, std::mt19937_64& random) {
    cloud all{dimensions, {}};
    for (std::size_t i = 0; i < count; ++i) {
        coordinates<double> point{};
        for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions); ++d)
            point[d] = (static_cast<double>(random() % distinct) - static_cast<double>(distinct) / 3) / 7;
        all.points.push_back(point);
    }
    return all;
}

std::vector<kd_tree_options> both_splits(std::optional<box<double>> const& domain = std::nullopt) {
    return {{kd_split::widest, domain}, {kd_split::cycling, domain}};
}

} // namespace

TEST(kd_tree, a_hundred_points_a_block_at_any_number_of_blocks) {
    auto random = weft_test::random();
    for (std::int64_t const blocks : {1, 2, 3, 4, 5, 7, 8, 12, 64})
        for (int const dimensions : {1, 2, 3, 4}) {
            if (blocks == 64 && dimensions % 2 == 0) continue;
            auto const all =
                random_cloud(dimensions, static_cast<std::size_t>(100 * blocks), 1u << 30, random);
            for (auto const& options : both_splits()) {
                expect_good_tree(all, blocks, options);
                kd_tree const tree = tree_of(all, blocks, options);
                std::vector<int> counts(static_cast<std::size_t>(blocks), 0);
                for (auto const& point : all.points)
                    ++counts[static_cast<std::size_t>(index_of(*tree.block_of(point)))];
                // Each level rounds by less than one point.
                for (int const count : counts) EXPECT_NEAR(count, 100, 2);
            }
        }
}

TEST(kd_tree, points_with_many_ties) {
    auto random = weft_test::random();
    for (int round = 0; round < 40; ++round) {
        auto const all = random_cloud(1 + round % 4, random() % 300, 1 + random() % 6, random);
        for (auto const& options : both_splits())
            expect_good_tree(all, 1 + static_cast<std::int64_t>(random() % 30), options);
    }
}

TEST(kd_tree, all_points_equal) {
    cloud const all{2, std::vector<coordinates<double>>(50, {3, 4})};
    for (auto const& options : both_splits()) expect_good_tree(all, 6, options);
    for (auto const& options : both_splits(box<double>{2, {0, 0}, {8, 5}})) {
        expect_good_tree(all, 6, options);
        kd_tree const tree = tree_of(all, 2, options);
        EXPECT_EQ(tree.bounds(block_id{0}), (box<double>{2, {0, 0}, {4, 5}}));
    }
}

TEST(kd_tree, no_points_at_all_cut_the_domain_in_proportion) {
    for (int const dimensions : {1, 2, 4})
        for (auto const& options : both_splits()) expect_good_tree({dimensions, {}}, 7, options);
    kd_tree const tree = tree_of({1, {}}, 3);
    EXPECT_EQ(tree.domain(), (box<double>{1, {0}, {1}}));
    EXPECT_NEAR(tree.bounds(block_id{0}).hi[0], 1.0 / 3, 1e-15);
    EXPECT_NEAR(tree.bounds(block_id{1}).hi[0], 2.0 / 3, 1e-15);
}

TEST(kd_tree, a_constant_dimension_and_fewer_points_than_blocks) {
    auto random = weft_test::random();
    for (std::size_t const count : {1u, 5u, 200u}) {
        auto all = random_cloud(3, count, 1000, random);
        for (auto& point : all.points) point[0] = 2.5;
        for (auto const& options : both_splits()) expect_good_tree(all, 12, options);
        for (auto const& options : both_splits(box<double>{3, {-1e4, -1e4, -1e4}, {1e4, 1e4, 1e4}}))
            expect_good_tree(all, 12, options);
    }
}

TEST(kd_tree, coordinates_of_all_sizes_and_neighboring_numbers) {
    double const tiny = std::numeric_limits<double>::denorm_min();
    double const large = 1e308;
    cloud all{1, {}};
    for (double const x :
        {-large, -1.0, -tiny, -0.0, 0.0, tiny, 2 * tiny, 1.0, std::nextafter(1.0, 2.0), 1e300, large})
        all.points.push_back({x});
    for (std::int64_t const blocks : {2, 3, 5, 9, 11}) expect_good_tree(all, blocks);
}

TEST(kd_tree, points_outside_the_domain_are_in_no_block) {
    kd_tree const tree = tree_of({2, {{0, 0}, {1, 1}}}, 4);
    EXPECT_FALSE(tree.block_of({1.5, 0.5}));
    EXPECT_FALSE(tree.block_of({-0.1, 0.5}));
    EXPECT_FALSE(tree.block_of({std::numeric_limits<double>::quiet_NaN(), 0.5}));
    EXPECT_TRUE(tree.block_of({1, 1}));
    EXPECT_THROW((void)tree.bounds(block_id{4}), usage_error);
    EXPECT_THROW((void)tree.link_of(block_id{-1}), usage_error);
}

TEST(kd_tree, what_is_wrong_on_one_rank_is_an_error_on_all) {
    bool const bad = world().rank() == world().size() - 1;
    std::vector<double> const good{1, 2, 3, 4};
    auto const make = [](int dimensions, std::vector<double> const& points, std::int64_t blocks,
                          kd_tree_options const& options = {}) {
        (void)kd_tree(world(), dimensions, points, blocks, options);
    };
    EXPECT_THROW(make(0, {}, 2), usage_error);
    EXPECT_THROW(make(5, {}, 2), usage_error);
    EXPECT_THROW(make(2, good, 0), usage_error);
    EXPECT_THROW(make(2, good, std::int64_t{1} << 31), usage_error);
    EXPECT_THROW(make(2, bad ? std::vector<double>{1} : good, 2), usage_error);
    EXPECT_THROW(make(2, bad ? std::vector<double>{1, std::nan("")} : good, 2), usage_error);
    EXPECT_THROW(make(2, bad ? std::vector<double>{1, HUGE_VAL} : good, 2), usage_error);
    EXPECT_THROW(
        make(2, bad ? std::vector<double>{1, 9} : good, 2, {.domain = box<double>{2, {0, 0}, {5, 5}}}),
        usage_error);
    EXPECT_THROW(make(2, good, 2, {.domain = box<double>{1, {0}, {5}}}), usage_error);
    EXPECT_THROW(make(2, good, 2, {.domain = box<double>{2, {5, 0}, {0, 5}}}), usage_error);
    if (world().size() > 1) {
        EXPECT_THROW(make(2, good, bad ? 3 : 2), usage_error);
        EXPECT_THROW(make(bad ? 1 : 2, good, 2), usage_error);
    }
    EXPECT_NO_THROW(make(2, good, 2));
}
