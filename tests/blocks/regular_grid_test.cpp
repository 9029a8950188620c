#include <weft/blocks/regular_grid.hpp>

#include <weft/core/error.hpp>

#include <harness/mpi_test.hpp>

#include <cmath>
#include <limits>
#include <set>

using weft::block_id;
using weft::box;
using weft::coordinates;
using weft::grid_neighbor;
using weft::grid_options;
using weft::regular_grid;
using weft::usage_error;

namespace {

using cells = std::int64_t;
using place = coordinates<std::int64_t>;

template <class T>
std::vector<block_id> all_blocks_of(regular_grid<T> const& grid) {
    std::vector<block_id> ids;
    for (std::int64_t b = 0; b < grid.blocks(); ++b) ids.push_back(block_id{b});
    return ids;
}

/// A random domain, divisions, ghosts, wrap and shared faces.
template <class T>
struct random_grid {
    box<T> domain;
    grid_options<T> options;
    regular_grid<T> grid;

    explicit random_grid(std::mt19937_64& random)
        : domain(random_domain(random)),
          options(random_options(random, domain)),
          grid(domain, product(), options) {}

private:
    static box<T> random_domain(std::mt19937_64& random) {
        box<T> domain{1 + static_cast<int>(random() % 4)};
        for (std::size_t d = 0; d < static_cast<std::size_t>(domain.dimensions); ++d) {
            domain.lo[d] = static_cast<T>(static_cast<cells>(random() % 21) - 10);
            domain.hi[d] = domain.lo[d] + static_cast<T>(2 + random() % 9);
            if constexpr (!std::is_integral_v<T>) {
                domain.lo[d] /= 3;
                domain.hi[d] /= 3;
            }
        }
        return domain;
    }
    static grid_options<T> random_options(std::mt19937_64& random, box<T> const& domain) {
        grid_options<T> options;
        for (std::size_t d = 0; d < static_cast<std::size_t>(domain.dimensions); ++d) {
            T const extent = domain.hi[d] - domain.lo[d];
            bool const share = std::is_integral_v<T> && random() % 4 == 0;
            std::int64_t const most =
                std::is_integral_v<T> ? static_cast<cells>(extent) - (share ? 1 : 0) : 7;
            options.divisions.values[d] =
                1 + static_cast<cells>(random() % static_cast<unsigned>(std::min<cells>(most, 5)));
            options.share_face.values[d] = share;
            options.wrap.values[d] = !share && random() % 2 == 0;
            options.ghosts.values[d] = static_cast<T>(random() % 4) * extent / 4;
        }
        return options;
    }
    [[nodiscard]] std::int64_t product() const {
        std::int64_t all = 1;
        for (int d = 0; d < domain.dimensions; ++d)
            all *= options.divisions.values[static_cast<std::size_t>(d)];
        return all;
    }
};

/// A point in and around a domain, often exactly on the bounds of a block.
template <class T>
coordinates<T> random_point(random_grid<T> const& made, std::mt19937_64& random) {
    auto const block =
        block_id{static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(made.grid.blocks()))};
    auto const core = random() % 2 == 0 ? made.grid.bounds(block) : made.grid.bounds_with_ghosts(block);
    coordinates<T> point{};
    for (std::size_t d = 0; d < static_cast<std::size_t>(made.domain.dimensions); ++d) {
        T const extent = made.domain.hi[d] - made.domain.lo[d];
        switch (random() % 8) {
        case 0:
        case 1:
            point[d] = core.lo[d];
            break;
        case 2:
            point[d] = core.hi[d];
            break;
        case 3:
            point[d] = core.hi[d] + static_cast<T>(random() % 3) * extent;
            break;
        default:
            point[d] = made.domain.lo[d] + static_cast<T>(static_cast<double>(random() % 1000) / 500 *
                                                          static_cast<double>(extent));
            point[d] -= extent / 2;
        }
        if constexpr (!std::is_integral_v<T>)
            if (random() % 4 == 0) point[d] = std::nextafter(point[d], random() % 2 == 0 ? -1e9 : 1e9);
    }
    return point;
}

/// Whether lo <= x < hi, or x is the included upper end of a domain of space.
template <class T>
bool within(T x, T lo, T hi, T domain_hi, bool wrap) {
    if (!std::is_integral_v<T> && !wrap && hi == domain_hi && x == hi) return true;
    return lo <= x && x < hi;
}

/// Whether an image of a point lies in a box. Cells only, where images are exact.
bool image_within(random_grid<cells> const& made, place const& point, box<cells> const& where) {
    for (std::size_t d = 0; d < static_cast<std::size_t>(made.domain.dimensions); ++d) {
        cells const period = made.domain.hi[d] - made.domain.lo[d];
        bool here = false;
        for (cells image = made.options.wrap.values[d] ? -8 : 0;
             image <= (made.options.wrap.values[d] ? 8 : 0); ++image)
            here =
                here || (where.lo[d] <= point[d] + image * period && point[d] + image * period < where.hi[d]);
        if (!here) return false;
    }
    return true;
}

} // namespace

TEST(regular_grid, nine_blocks_of_a_cube_are_three_by_three) {
    regular_grid const grid(box<double>{3, {0, 0, 0}, {100, 100, 100}}, 9);
    EXPECT_EQ(grid.blocks(), 9);
    EXPECT_EQ(grid.divisions(), (place{3, 3, 1, 1}));
    auto const first = grid.bounds(block_id{0});
    EXPECT_EQ(first.lo, (coordinates<double>{0, 0, 0}));
    EXPECT_NEAR(first.hi[0], 33.3, 0.05);
    EXPECT_NEAR(first.hi[1], 33.3, 0.05);
    EXPECT_EQ(first.hi[2], 100);
    EXPECT_EQ(grid.coordinates_of(block_id{3}), (place{0, 1, 0}));
    EXPECT_EQ(grid.block_at({2, 1, 0}), block_id{5});
}

TEST(regular_grid, a_periodic_line_knows_points_by_their_images) {
    regular_grid const grid(box<double>{1, {0}, {10}}, 2, {.ghosts = 1, .wrap = true});
    EXPECT_EQ(grid.block_of({12.5}), block_id{0});
    EXPECT_EQ(grid.block_of({-2.5}), block_id{1});
    EXPECT_EQ(grid.blocks_with_ghosts({0.5}), (std::vector{block_id{0}, block_id{1}}));
    EXPECT_EQ(grid.blocks_with_ghosts({2.5}), std::vector{block_id{0}});
    EXPECT_EQ(grid.bounds_with_ghosts(block_id{1}), (box<double>{1, {4}, {11}}));
    EXPECT_EQ(grid.block_of({10}), block_id{0});
    EXPECT_EQ(grid.block_of({5}), block_id{1});
    // The image of what lies just below 0 rounds to 10, which is 0.
    EXPECT_EQ(grid.block_of({-1e-300}), block_id{0});
    EXPECT_FALSE(grid.block_of({std::numeric_limits<double>::quiet_NaN()}));
    EXPECT_FALSE(grid.block_of({std::numeric_limits<double>::infinity()}));
}

TEST(regular_grid, fifteen_cells_in_eight_blocks_are_seven_of_two_and_one_of_one) {
    regular_grid const grid(box<cells>{1, {0}, {15}}, 8);
    std::multiset<cells> sizes;
    for (block_id const b : all_blocks_of(grid)) sizes.insert(grid.bounds(b).hi[0] - grid.bounds(b).lo[0]);
    EXPECT_EQ(sizes.count(2), 7u);
    EXPECT_EQ(sizes.count(1), 1u);
}

TEST(regular_grid, shared_faces_put_the_layer_into_both_blocks_and_points_into_the_upper) {
    regular_grid const grid(box<cells>{1, {0}, {11}}, 2, {.share_face = true});
    EXPECT_EQ(grid.bounds(block_id{0}), (box<cells>{1, {0}, {6}}));
    EXPECT_EQ(grid.bounds(block_id{1}), (box<cells>{1, {5}, {11}}));
    EXPECT_EQ(grid.block_of({4}), block_id{0});
    EXPECT_EQ(grid.block_of({5}), block_id{1});
    EXPECT_EQ(grid.block_of({10}), block_id{1});
    EXPECT_FALSE(grid.block_of({11}));
    EXPECT_EQ(grid.blocks_with_ghosts({5}), (std::vector{block_id{0}, block_id{1}}));
    regular_grid const one(box<cells>{1, {3}, {4}}, 1, {.share_face = true});
    EXPECT_EQ(one.bounds(block_id{0}), (box<cells>{1, {3}, {4}}));
    EXPECT_EQ(one.block_of({3}), block_id{0});
}

TEST(regular_grid, cells_are_dealt_out_once_and_evenly) {
    auto random = weft_test::random();
    for (int round = 0; round < 200; ++round) {
        random_grid<cells> const made(random);
        auto const& grid = made.grid;
        auto const divisions = grid.divisions();
        for (block_id const b : all_blocks_of(grid)) {
            auto const at = grid.coordinates_of(b);
            ASSERT_EQ(grid.block_at(at), b);
            auto const core = grid.bounds(b);
            for (std::size_t d = 0; d < static_cast<std::size_t>(grid.dimensions()); ++d) {
                cells const shared = made.options.share_face.values[d] ? 1 : 0;
                cells const all = made.domain.hi[d] - made.domain.lo[d] - shared;
                cells const size = core.hi[d] - core.lo[d] - shared;
                ASSERT_GE(size, all / divisions[d]);
                ASSERT_LE(size, (all + divisions[d] - 1) / divisions[d]);
                if (at[d] == 0) { ASSERT_EQ(core.lo[d], made.domain.lo[d]); }
                if (at[d] == divisions[d] - 1) {
                    ASSERT_EQ(core.hi[d], made.domain.hi[d]);
                } else {
                    auto next = at;
                    ++next[d];
                    ASSERT_EQ(core.hi[d] - shared, grid.bounds(grid.block_at(next)).lo[d]);
                }
            }
        }
    }
}

TEST(regular_grid, points_among_cells_are_found_as_by_looking_at_all_blocks) {
    auto random = weft_test::random();
    for (int round = 0; round < 300; ++round) {
        random_grid<cells> const made(random);
        auto const& grid = made.grid;
        for (int i = 0; i < 20; ++i) {
            auto const point = random_point(made, random);
            std::vector<block_id> in_core;
            std::vector<block_id> in_ghosts;
            bool const inside = image_within(made, point, made.domain);
            for (block_id const b : all_blocks_of(grid)) {
                if (inside && image_within(made, point, grid.bounds(b))) in_core.push_back(b);
                if (inside && image_within(made, point, grid.bounds_with_ghosts(b))) in_ghosts.push_back(b);
            }
            auto const found = grid.block_of(point);
            ASSERT_EQ(found.has_value(), inside);
            // Of the blocks that share a layer the upper one has it.
            if (inside) { ASSERT_EQ(*found, in_core.back()); }
            ASSERT_EQ(grid.blocks_with_ghosts(point), in_ghosts);
        }
    }
}

TEST(regular_grid, points_in_space_are_in_one_core_by_the_bounds_that_are_reported) {
    auto random = weft_test::random();
    for (int round = 0; round < 300; ++round) {
        random_grid<double> const made(random);
        auto const& grid = made.grid;
        auto const dimensions = static_cast<std::size_t>(grid.dimensions());
        for (int i = 0; i < 20; ++i) {
            auto const point = random_point(made, random);
            auto const found = grid.block_of(point);
            bool inside = true;
            bool image = false;
            for (std::size_t d = 0; d < dimensions; ++d) {
                bool const here = within(point[d], made.domain.lo[d], made.domain.hi[d], made.domain.hi[d],
                    made.options.wrap.values[d]);
                inside = inside && (here || made.options.wrap.values[d]);
                image = image || !here;
            }
            ASSERT_EQ(found.has_value(), inside);
            std::vector<block_id> const reached = grid.blocks_with_ghosts(point);
            ASSERT_EQ(reached.empty(), !inside);
            ASSERT_TRUE(std::is_sorted(reached.begin(), reached.end()));
            if (!inside) continue;
            ASSERT_TRUE(std::binary_search(reached.begin(), reached.end(), *found));
            if (image) continue; // where the image is, only its rounding knows
            for (block_id const b : all_blocks_of(grid)) {
                auto const core = grid.bounds(b);
                auto const wide = grid.bounds_with_ghosts(b);
                bool in_core = true;
                bool in_ghosts = true;
                for (std::size_t d = 0; d < dimensions; ++d) {
                    double const hi = made.domain.hi[d];
                    double const period = hi - made.domain.lo[d];
                    bool const wrap = made.options.wrap.values[d];
                    in_core = in_core && within(point[d], core.lo[d], core.hi[d], hi, wrap);
                    bool any = false;
                    for (int k = wrap ? -1 : 0; k <= (wrap ? 1 : 0); ++k)
                        any = any || within(point[d] + k * period, wide.lo[d], wide.hi[d], hi, wrap);
                    in_ghosts = in_ghosts && any;
                }
                ASSERT_EQ(in_core, b == *found);
                ASSERT_EQ(in_ghosts, std::binary_search(reached.begin(), reached.end(), b));
            }
        }
    }
}

TEST(regular_grid, every_boundary_of_many_blocks_belongs_to_the_upper_one) {
    for (auto const& [lo, hi, blocks] :
        {std::tuple{0.0, 1.0, 1000}, {-1e-3, 7e5, 977}, {1e9, 1e9 + 1, 4099}, {0.1, 0.7, 3}}) {
        regular_grid const grid(box<double>{1, {lo}, {hi}}, blocks);
        for (std::int64_t b = 0; b < blocks; ++b) {
            auto const core = grid.bounds(block_id{b});
            ASSERT_LT(core.lo[0], core.hi[0]);
            ASSERT_EQ(grid.block_of({core.lo[0]}), block_id{b});
            ASSERT_EQ(grid.block_of({std::nextafter(core.hi[0], lo)}), block_id{b});
            ASSERT_EQ(grid.block_of({core.hi[0]}), block_id{std::min<std::int64_t>(b + 1, blocks - 1)});
        }
        EXPECT_FALSE(grid.block_of({std::nextafter(lo, -1e300)}));
        EXPECT_FALSE(grid.block_of({std::nextafter(hi, 1e300)}));
    }
}

TEST(regular_grid, neighbors_are_one_step_away_and_see_each_other) {
    auto random = weft_test::random();
    for (int round = 0; round < 100; ++round) {
        random_grid<cells> const made(random);
        auto const& grid = made.grid;
        auto const divisions = grid.divisions();
        for (block_id const b : all_blocks_of(grid)) {
            auto const at = grid.coordinates_of(b);
            auto const around = grid.neighbors(b);
            std::size_t expected = 1;
            for (std::size_t d = 0; d < static_cast<std::size_t>(grid.dimensions()); ++d) {
                std::size_t steps = 3;
                if (!made.options.wrap.values[d]) steps = 1u + (at[d] > 0) + (at[d] + 1 < divisions[d]);
                expected *= steps;
            }
            ASSERT_EQ(around.size(), expected - 1);
            std::set<block_id> ids;
            for (grid_neighbor const& there : around) {
                ids.insert(there.block);
                ASSERT_NE(there.direction, (std::array<std::int8_t, 4>{}));
                grid_neighbor back{b, {}, {}};
                for (std::size_t d = 0; d < 4; ++d) {
                    cells const target = at[d] + there.direction[d] - there.wrap[d] * divisions[d];
                    ASSERT_EQ(grid.coordinates_of(there.block)[d], target);
                    if (d >= static_cast<std::size_t>(grid.dimensions())) {
                        ASSERT_EQ(there.direction[d], 0);
                    }
                    back.direction[d] = static_cast<std::int8_t>(-there.direction[d]);
                    back.wrap[d] = static_cast<std::int8_t>(-there.wrap[d]);
                }
                auto const theirs = grid.neighbors(there.block);
                ASSERT_EQ(std::count(theirs.begin(), theirs.end(), back), 1);
            }
            auto const link = grid.link_of(b);
            ASSERT_TRUE(std::equal(link.begin(), link.end(), ids.begin(), ids.end()));
        }
    }
}

TEST(regular_grid, a_periodic_grid_one_block_wide_has_itself_as_neighbor) {
    regular_grid const grid(box<cells>{2, {0, 0}, {4, 4}}, {1, 1}, {.wrap = {true, false}});
    auto const around = grid.neighbors(block_id{0});
    ASSERT_EQ(around.size(), 2u);
    EXPECT_EQ(around[0], (grid_neighbor{block_id{0}, {-1, 0}, {-1, 0}}));
    EXPECT_EQ(around[1], (grid_neighbor{block_id{0}, {1, 0}, {1, 0}}));
    EXPECT_EQ(grid.link_of(block_id{0}), weft::link({block_id{0}}));
}

TEST(regular_grid, huge_domains_of_cells_are_exact) {
    cells const far = cells{1} << 60;
    regular_grid const grid(box<cells>{1, {-far}, {far}}, (cells{1} << 31) - 1, {.ghosts = 5, .wrap = true});
    for (cells const b : {cells{0}, cells{1}, cells{12345678}, grid.blocks() - 1}) {
        auto const core = grid.bounds(block_id{b});
        EXPECT_EQ(grid.block_of({core.lo[0]}), block_id{b});
        EXPECT_EQ(grid.block_of({core.hi[0] - 1}), block_id{b});
        EXPECT_EQ(grid.blocks_with_ghosts({core.lo[0]}).size(), 2u);
        EXPECT_EQ(grid.blocks_with_ghosts({core.lo[0] + 5}), std::vector{block_id{b}});
    }
    EXPECT_EQ(grid.bounds(block_id{grid.blocks() - 1}).hi[0], far);
    EXPECT_TRUE(grid.block_of({INT64_MIN}));
    EXPECT_TRUE(grid.block_of({INT64_MAX}));
}

TEST(regular_grid, refuses_what_makes_no_grid) {
    box<cells> const ten{2, {0, 0}, {10, 10}};
    box<double> const unit{2, {0, 0}, {1, 1}};
    EXPECT_THROW(regular_grid(ten, 0), usage_error);
    EXPECT_THROW(regular_grid(ten, -4), usage_error);
    EXPECT_THROW(regular_grid(ten, 101), usage_error);
    EXPECT_THROW(regular_grid(ten, (std::int64_t{1} << 40) + 1), usage_error);
    EXPECT_THROW(regular_grid(ten, {11, 1}), usage_error);
    EXPECT_THROW(regular_grid(ten, {2, 0}), usage_error);
    EXPECT_THROW(regular_grid(ten, {2, 2, 2}), usage_error);
    EXPECT_THROW(regular_grid(ten, {2, 2}, {.divisions = 2}), usage_error);
    EXPECT_THROW(regular_grid(ten, 6, {.divisions = {4, 0}}), usage_error);
    EXPECT_THROW(regular_grid(ten, 6, {.divisions = {2, 2}}), usage_error);
    EXPECT_THROW(regular_grid(ten, 6, {.divisions = {-2, -3}}), usage_error);
    EXPECT_THROW(regular_grid(ten, 4, {.ghosts = -1}), usage_error);
    EXPECT_THROW(regular_grid(ten, 4, {.ghosts = 11, .wrap = true}), usage_error);
    EXPECT_THROW(regular_grid(ten, 4, {.ghosts = {1, 1, 1}}), usage_error);
    EXPECT_THROW(regular_grid(ten, 4, {.wrap = true, .share_face = true}), usage_error);
    EXPECT_THROW(regular_grid(unit, 4, {.share_face = true}), usage_error);
    EXPECT_THROW(regular_grid(unit, 4, {.ghosts = std::nan("")}), usage_error);
    EXPECT_THROW(regular_grid(box<cells>{1, {5}, {5}}, 1), usage_error);
    EXPECT_THROW(regular_grid(box<cells>{1, {INT64_MIN}, {INT64_MAX}}, 1), usage_error);
    EXPECT_THROW(regular_grid(box<cells>{0}, 1), usage_error);
    EXPECT_THROW(regular_grid(box<cells>{5}, 1), usage_error);
    EXPECT_THROW(
        regular_grid(box<double>{1, {0}, {std::numeric_limits<double>::infinity()}}, 1), usage_error);
    EXPECT_THROW(regular_grid(box<double>{1, {1}, {1 + 1e-15}}, 2), usage_error);
    EXPECT_THROW(regular_grid(box<double>{1, {1}, {1}}, 1, {.wrap = true}), usage_error);
    regular_grid const grid(ten, 4);
    EXPECT_THROW((void)grid.bounds(block_id{4}), usage_error);
    EXPECT_THROW((void)grid.neighbors(block_id{-1}), usage_error);
    EXPECT_THROW((void)grid.block_at({2, 0}), usage_error);
    EXPECT_THROW((void)grid.block_at({0, 0, 1}), usage_error);
    try {
        (void)regular_grid(ten, {11, 1});
        ADD_FAILURE() << "blocks without cells were made";
    } catch (usage_error const& caught) {
        EXPECT_STREQ(caught.what(), "regular_grid: 11 divisions along dimension 0 leave blocks without "
                                    "content; at most 10 are possible");
    }
}
