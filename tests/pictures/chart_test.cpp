#include <pictures/chart.hpp>
#include <pictures/colour_map.hpp>

#include <harness/mpi_test.hpp>

#include <weft/core/error.hpp>

#include <limits>

namespace {

weft::chart_panel panel_of(std::vector<weft::chart_point> points) {
    return {"jaguar", {"ranks", true}, {"time (us)", true}, {{"nbx", 0, false, std::move(points)}}};
}

/// Pixels of exactly a colour.
std::size_t count(weft::picture const& drawn, weft::colour const& wanted) {
    auto const rgb = weft::on_screen(wanted);
    std::size_t found = 0;
    for (std::size_t at = 0; at < drawn.rgb.size(); at += 3)
        found +=
            drawn.rgb[at] == rgb[0] && drawn.rgb[at + 1] == rgb[1] && drawn.rgb[at + 2] == rgb[2] ? 1 : 0;
    return found;
}

} // namespace

TEST(chart, lines_and_legend_are_in_the_colour_of_their_subject) {
    auto const drawn =
        weft::draw_chart("t", {panel_of({{64, 10}, {1024, 30}, {16384, 90}})}, weft::light_theme());
    EXPECT_GT(count(drawn, weft::category(0)), 400U);
    EXPECT_EQ(count(drawn, weft::category(1)), 0U);
}

TEST(chart, panels_wrap_and_enlarge_the_picture) {
    auto const one = weft::draw_chart("t", {panel_of({{1, 1}})}, weft::dark_theme());
    auto const six = weft::draw_chart("t", std::vector(6, panel_of({{1, 1}, {2, 2}})), weft::dark_theme());
    EXPECT_GT(six.width, 3 * one.width);
    EXPECT_GT(six.height, one.height + 300);
}

TEST(chart, points_that_no_axis_can_show_are_left_out) {
    double const none = std::numeric_limits<double>::quiet_NaN();
    auto const with =
        weft::draw_chart("t", {panel_of({{0, 5}, {10, none}, {10, 20}, {20, 40}})}, weft::light_theme());
    auto const without = weft::draw_chart("t", {panel_of({{10, 20}, {20, 40}})}, weft::light_theme());
    EXPECT_TRUE(with.rgb == without.rgb);
    EXPECT_NO_THROW((void)weft::draw_chart("t", {panel_of({})}, weft::light_theme()));
    EXPECT_THROW((void)weft::draw_chart("t", {}, weft::light_theme()), weft::usage_error);
}
