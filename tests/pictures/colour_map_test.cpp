#include <pictures/colour_map.hpp>
#include <pictures/theme.hpp>

#include <harness/mpi_test.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <cmath>

namespace {

using weft::colour;
using weft::colour_map;

enum class sight { normal, no_red_cones, no_green_cones };

/// What a person sees who lacks one kind of cones. Source: Machado, Oliveira, Fernandes, A
/// physiologically-based model for simulation of color vision deficiency, 2009, full severity.
colour seen_with(sight eyes, colour const& light) {
    constexpr float no_red[3][3] = {{0.152286F, 1.052583F, -0.204868F}, {0.114503F, 0.786281F, 0.099216F},
        {-0.003882F, -0.048116F, 1.051998F}};
    constexpr float no_green[3][3] = {{0.367322F, 0.860646F, -0.227968F}, {0.280085F, 0.672501F, 0.047413F},
        {-0.011820F, 0.042940F, 0.968881F}};
    if (eyes == sight::normal) return light;
    auto const& rows = eyes == sight::no_red_cones ? no_red : no_green;
    colour seen{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) seen[i] += rows[i][j] * light[j];
    for (float& each : seen) each = std::clamp(each, 0.0F, 1.0F);
    return seen;
}

double distance(colour const& one, colour const& other) {
    auto const a = weft::as_perceived(one);
    auto const b = weft::as_perceived(other);
    return std::hypot(a.lightness - b.lightness, a.green_red - b.green_red, a.blue_yellow - b.blue_yellow);
}

} // namespace

TEST(colour, light_survives_the_way_over_perception_and_screen) {
    for (std::uint32_t const rgb : {0x000000U, 0xFFFFFFU, 0x12AB90U, 0xE69F00U}) {
        colour const light = weft::from_screen(rgb);
        auto const bytes = weft::on_screen(weft::as_light(weft::as_perceived(light)));
        EXPECT_EQ(
            static_cast<std::uint32_t>(bytes[0]) << 16 | static_cast<std::uint32_t>(bytes[1]) << 8 | bytes[2],
            rgb);
    }
}

TEST(colour_map, lightness_of_magnitudes_changes_evenly_for_all_readers) {
    for (auto const map : {colour_map::magnitude, colour_map::magnitude_dark, colour_map::grey})
        for (auto const eyes : {sight::normal, sight::no_red_cones, sight::no_green_cones}) {
            auto const lightness = [&](int i) {
                return weft::as_perceived(seen_with(eyes, weft::colour_at(map, i / 20.0))).lightness;
            };
            double const mean = (lightness(20) - lightness(0)) / 20;
            EXPECT_GT(std::abs(mean), 0.02);
            for (int i = 0; i < 20; ++i) {
                double const step = (lightness(i + 1) - lightness(i)) / mean;
                EXPECT_GT(step, 0.4) << "step " << i;
                EXPECT_LT(step, 1.8) << "step " << i;
            }
        }
}

TEST(colour_map, both_sides_of_the_middle_differ_for_all_readers) {
    for (auto const eyes : {sight::normal, sight::no_red_cones, sight::no_green_cones})
        for (double const away : {0.2, 0.3, 0.5})
            EXPECT_GT(distance(seen_with(eyes, weft::colour_at(colour_map::diverging, 0.5 - away)),
                          seen_with(eyes, weft::colour_at(colour_map::diverging, 0.5 + away))),
                0.08)
                << "away " << away;
}

TEST(colour_map, what_is_beyond_or_no_number_has_a_colour_too) {
    for (auto const map : {colour_map::magnitude, colour_map::diverging, colour_map::grey}) {
        EXPECT_EQ(weft::colour_at(map, -3), weft::colour_at(map, 0));
        EXPECT_EQ(weft::colour_at(map, 7), weft::colour_at(map, 1));
        EXPECT_EQ(weft::colour_at(map, std::nan("")), weft::colour_at(map, 0));
    }
}

TEST(colour_map, categories_are_told_apart_by_all_readers_and_from_both_grounds) {
    for (auto const eyes : {sight::normal, sight::no_red_cones, sight::no_green_cones})
        for (std::size_t i = 0; i < weft::categories; ++i) {
            colour const mine = seen_with(eyes, weft::category(i));
            for (std::size_t j = 0; j < i; ++j)
                EXPECT_GT(distance(mine, seen_with(eyes, weft::category(j))), 0.03) << i << " and " << j;
            for (auto const& look : {weft::light_theme(), weft::dark_theme()})
                EXPECT_GT(distance(mine, seen_with(eyes, look.ground)), 0.15) << i;
        }
    EXPECT_EQ(weft::category(weft::categories), weft::category(0));
}

TEST(theme, names) {
    EXPECT_FALSE(weft::theme_named("light").is_dark);
    EXPECT_TRUE(weft::theme_named("dark").is_dark);
    EXPECT_THROW((void)weft::theme_named("pink"), weft::usage_error);
}
