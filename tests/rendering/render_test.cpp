/// Volumes rendered on many ranks, against a loop over all samples of each ray.
#include <rendering/render.hpp>

#include <grids/views/memory_grid.hpp>
#include <grids/views/parts_grid.hpp>

#include <weft/blocks/regular_grid.hpp>
#include <weft/collective/gather.hpp>
#include <weft/core/error.hpp>

#include <harness/mpi_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

namespace {

using weft::rgba;

/// A volume of random values, and a source of them.
struct random_volume {
    random_volume(std::int64_t nx, std::int64_t ny, std::int64_t nz)
        : values(std::make_shared<std::vector<float>>(static_cast<std::size_t>(nx * ny * nz))) {
        auto random = weft_test::random();
        for (float& each : *values) each = static_cast<float>(random() % 1000);
        shape.points = {nx, ny, nz};
        number_axes(shape);
        shape.type = weft::value_type::float32;
    }
    [[nodiscard]] std::unique_ptr<weft::grid_source> source() const {
        return weft::grid_in_memory(shape, std::as_bytes(std::span(*values)), values);
    }
    [[nodiscard]] float at(std::int64_t x, std::int64_t y, std::int64_t z) const {
        return (*values)[static_cast<std::size_t>((z * shape.points[1] + y) * shape.points[0] + x)];
    }

    weft::grid_shape shape;
    std::shared_ptr<std::vector<float>> values;
};

weft::rendered run(random_volume const& volume, weft::render_options const& options, double opacity = 0.1) {
    auto const source = volume.source();
    weft::rendered found = render(weft_test::world(), *source, weft::transfer_function("grey", opacity),
        options, [](std::string_view) {});
    found.pixels = weft::broadcast(weft_test::world(), std::move(found.pixels));
    return found;
}

bool same_bits(std::vector<rgba> const& a, std::vector<rgba> const& b) {
    return a.size() == b.size() &&
           (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(rgba)) == 0);
}

double largest_difference(std::vector<rgba> const& a, std::vector<rgba> const& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        most = std::max({most, std::abs(static_cast<double>(a[i].red) - static_cast<double>(b[i].red)),
            std::abs(static_cast<double>(a[i].opacity) - static_cast<double>(b[i].opacity))});
    return most;
}

} // namespace

TEST(over, is_associative_and_has_a_neutral_element) {
    rgba const a{0.1F, 0, 0, 0.3F};
    rgba const b{0.2F, 0.1F, 0, 0.5F};
    rgba const c{0, 0, 0.4F, 0.9F};
    rgba const left = over(over(a, b), c);
    rgba const right = over(a, over(b, c));
    EXPECT_NEAR(left.red, right.red, 1e-6);
    EXPECT_NEAR(left.opacity, right.opacity, 1e-6);
    EXPECT_EQ(over(rgba{}, b).red, b.red);
    EXPECT_EQ(over(b, rgba{}).opacity, b.opacity);
}

TEST(render, along_an_axis_each_column_of_voxels_is_composed_in_order) {
    random_volume const volume(7, 5, 23);
    double const least = *std::ranges::min_element(*volume.values);
    double const greatest = *std::ranges::max_element(*volume.values);
    for (char const* const from : {"z", "-z"}) {
        weft::render_options options;
        options.view.from = from;
        weft::rendered const found = run(volume, options);
        ASSERT_EQ(found.pixels.size(), 35U);
        for (std::int64_t y = 0; y < 5; ++y)
            for (std::int64_t x = 0; x < 7; ++x) {
                double light = 0;
                double opacity = 0;
                for (std::int64_t i = 0; i < 23; ++i) {
                    std::int64_t const z = from[0] == 'z' ? i : 22 - i;
                    double const c = (static_cast<double>(volume.at(x, y, z)) - least) / (greatest - least);
                    light += (1 - opacity) * 0.1 * c * c;
                    opacity += (1 - opacity) * 0.1 * c;
                }
                rgba const& pixel = found.pixels[static_cast<std::size_t>(y * 7 + x)];
                ASSERT_NEAR(pixel.red, light, 1e-5);
                ASSERT_NEAR(pixel.opacity, opacity, 1e-5);
            }
    }
}

TEST(render, the_greatest_value_along_an_axis) {
    random_volume const volume(6, 9, 4);
    weft::render_options options;
    options.view.from = "x";
    options.cast.how = weft::projection::maximum;
    options.range = {0, 1000};
    weft::rendered const found = run(volume, options);
    ASSERT_EQ(found.width, 9);
    ASSERT_EQ(found.height, 4);
    for (std::int64_t z = 0; z < 4; ++z)
        for (std::int64_t y = 0; y < 9; ++y) {
            float most = 0;
            for (std::int64_t x = 0; x < 6; ++x) most = std::max(most, volume.at(x, y, z));
            ASSERT_EQ(found.pixels[static_cast<std::size_t>(z * 9 + y)].red, most);
        }
    random_volume none(3, 2, 2);
    std::ranges::fill(*none.values, std::nanf(""));
    none.values->back() = -5;
    options.view.from = "z";
    weft::rendered const one = run(none, options);
    for (std::size_t i = 0; i + 1 < one.pixels.size(); ++i) EXPECT_TRUE(std::isnan(one.pixels[i].red));
    EXPECT_EQ(one.pixels.back().red, -5); // below the range that is seen, and still the greatest
}

TEST(render, voxels_beside_missing_ones_are_seen_along_every_axis) {
    random_volume volume(6, 5, 7);
    for (std::size_t i = 0; i < volume.values->size(); i += 3) (*volume.values)[i] = std::nanf("");
    for (std::size_t d = 0; d < 3; ++d) // spacings that are no sums of powers of two
        for (double& each : volume.shape.axes[d]) each *= 0.1 * static_cast<double>(d + 1);
    for (char const* const from : {"x", "y", "z", "-x", "-y", "-z"})
        for (std::int64_t const blocks : {1, 3}) {
            std::size_t const along = static_cast<std::size_t>(from[from[0] == '-' ? 1 : 0] - 'x');
            std::size_t const right = along == 0 ? 1 : 0;
            std::size_t const down = along == 2 ? 1 : 2;
            weft::render_options options;
            options.view.from = from;
            options.blocks = blocks;
            options.range = {0, 1000};
            weft::rendered const found = run(volume, options, 0.5);
            for (std::int64_t v = 0; v < volume.shape.points[down]; ++v)
                for (std::int64_t u = 0; u < volume.shape.points[right]; ++u) {
                    double through = 1;
                    for (std::int64_t w = 0; w < volume.shape.points[along]; ++w) {
                        std::int64_t at[3];
                        at[along] = w;
                        at[right] = u;
                        at[down] = v;
                        float const value = volume.at(at[0], at[1], at[2]);
                        if (!std::isnan(value)) through *= 1 - 0.5 * static_cast<double>(value) / 1000;
                    }
                    ASSERT_NEAR(found.pixels[static_cast<std::size_t>(v * found.width + u)].opacity,
                        1 - through, 1e-5)
                        << from << " in " << blocks << " at " << u << ", " << v;
                }
        }
}

TEST(render, slabs_do_not_show_in_shades) {
    random_volume volume(20, 20, 40);
    for (std::size_t i = 0; i < volume.values->size(); ++i) // smooth, and some of it missing
        (*volume.values)[i] = static_cast<float>(500 + 400 * std::sin(0.02 * static_cast<double>(i % 1600)));
    for (std::size_t i = 7; i < volume.values->size(); i += 501) (*volume.values)[i] = std::nanf("");
    for (char const* const from : {"z", "y", "70,15"}) {
        weft::render_options options;
        options.view.from = from;
        options.view.width = 40;
        options.view.height = 40;
        options.cast.shaded = true;
        options.blocks = 1;
        weft::rendered const whole = run(volume, options, 0.05);
        for (rgba const& each : whole.pixels) EXPECT_FALSE(std::isnan(each.red));
        for (std::int64_t const blocks : {2, 7, 39}) {
            options.blocks = blocks;
            EXPECT_LT(largest_difference(run(volume, options, 0.05).pixels, whole.pixels), 2e-5)
                << from << " in " << blocks;
        }
    }
}

TEST(render, slabs_do_not_show_from_any_side) {
    random_volume const volume(17, 14, 19);
    for (char const* const from : {"y", "-x", "30,20", "200,-50", "0,90"})
        for (bool const perspective : {false, true}) {
            if (perspective && std::string(from).find(',') == std::string::npos) continue;
            weft::render_options options;
            options.view.from = from;
            options.view.perspective = perspective;
            options.view.width = 40;
            options.view.height = 30;
            options.blocks = 1;
            weft::rendered const whole = run(volume, options, 0.05);
            double light = 0;
            for (rgba const& each : whole.pixels) light += static_cast<double>(each.red);
            EXPECT_GT(light, 1) << from;
            for (std::int64_t const blocks : {2, 5, 12}) {
                options.blocks = blocks;
                EXPECT_LT(largest_difference(run(volume, options, 0.05).pixels, whole.pixels), 2e-4)
                    << from << " in " << blocks << (perspective ? ", perspective" : "");
            }
        }
}

TEST(render, from_angles_a_volume_is_seen_where_it_lies) {
    random_volume const plain(9, 7, 5);
    // The same values in the same places of the world, stored along -x, -z and y.
    random_volume turned(9, 5, 7);
    turned.shape.axes[0] = {8, 7, 6, 5, 4, 3, 2, 1, 0};
    turned.shape.place.matrix = {{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}};
    turned.shape.place.origin = {0, 0, 4};
    for (std::int64_t z = 0; z < 5; ++z)
        for (std::int64_t y = 0; y < 7; ++y)
            for (std::int64_t x = 0; x < 9; ++x)
                (*turned.values)[static_cast<std::size_t>((y * 5 + 4 - z) * 9 + 8 - x)] = plain.at(x, y, z);
    for (char const* const from : {"30,20", "200,-50", "0,90"})
        for (bool const perspective : {false, true}) {
            weft::render_options options;
            options.view.from = from;
            options.view.perspective = perspective;
            options.view.width = 40;
            options.view.height = 30;
            EXPECT_LT(largest_difference(run(turned, options).pixels, run(plain, options).pixels), 2e-4)
                << from << (perspective ? ", perspective" : "");
        }
}

TEST(render, merge_and_swap_and_every_k_give_the_same_bits) {
    random_volume const volume(9, 9, 40);
    weft::render_options options;
    options.view.from = "z";
    options.blocks = 16;
    options.k = 2;
    std::vector<rgba> const first = run(volume, options).pixels;
    for (int const k : {2, 4, 8, 16})
        for (bool const by_merge : {false, true}) {
            options.k = k;
            options.by_merge = by_merge;
            EXPECT_TRUE(same_bits(run(volume, options).pixels, first)) << k << by_merge;
        }
}

TEST(render, one_rank_alone_finds_the_same_bits) {
    random_volume const volume(11, 8, 30);
    weft::render_options options;
    options.view.width = options.view.height = 24;
    std::vector<rgba> const together = run(volume, options).pixels;
    weft::communicator const alone = weft_test::world().split(weft_test::rank());
    auto const source = volume.source();
    weft::rendered const mine =
        render(alone, *source, weft::transfer_function("grey", 0.1), options, [](std::string_view) {});
    EXPECT_TRUE(same_bits(mine.pixels, together));
}

TEST(render, what_is_missing_is_not_seen) {
    random_volume volume(4, 4, 4);
    std::ranges::fill(*volume.values, -99.0F);
    volume.shape.missing = -99;
    weft::render_options options;
    options.view.from = "z";
    for (rgba const& each : run(volume, options).pixels) EXPECT_EQ(each.opacity, 0);
}

TEST(render, views_that_are_none_are_refused) {
    random_volume const volume(4, 4, 4);
    for (char const* const from : {"", "w", "10", "10,", "10,91", "1,2,3", "--x"}) {
        weft::render_options options;
        options.view.from = from;
        EXPECT_THROW((void)run(volume, options), weft::usage_error) << from;
    }
    EXPECT_THROW(weft::transfer_function("pink", 0.1), weft::usage_error);
    EXPECT_THROW(weft::transfer_function("grey", 1.1), weft::usage_error);
}

TEST(render, of_a_grid_in_parts_is_that_of_the_whole) {
    weft::communicator const& comm = weft_test::world();
    random_volume const volume(11, 9, 14);
    auto whole = volume.source();
    for (std::size_t axis : {0U, 1U, 2U}) {
        weft::per_dimension<std::int64_t> divisions{1, 1, 1};
        divisions.values[axis] = comm.size();
        weft::regular_grid const cut(weft::cell_box(11, 9, 14), divisions);
        std::vector<weft::box<std::int64_t>> held;
        for (std::int64_t block = 0; block < comm.size(); ++block)
            held.push_back(cut.bounds(weft::block_id{block}));
        for (bool const shaded : {false, true}) {
            weft::render_options options;
            options.view.from = "40,-25";
            options.cast.shaded = shaded;
            auto const parts =
                grid_of_parts(comm, *whole, held, boxes_to_render(volume.shape, options, comm.size()));
            weft::transfer_function const transfer("heat", 0.2);
            auto const nothing = [](std::string_view) {};
            EXPECT_TRUE(same_bits(render(comm, *parts, transfer, options, nothing).pixels,
                render(comm, *whole, transfer, options, nothing).pixels));
        }
    }
}
