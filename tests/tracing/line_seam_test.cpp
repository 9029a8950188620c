#include <tracing/line_seam.hpp>

#include <harness/mpi_test.hpp>

using weft::line_set;

namespace {

/// x from 1 to 5, period 4; y from 0 to 2, period 2; z from 0 to 10.
weft::flow_domain domain() {
    return {{weft::flow_axis({1, 5}), weft::flow_axis({0, 2}), weft::flow_axis({0, 10})},
        weft::flow_axis({0}), {4, 2, 0}};
}

line_set line_through(std::vector<std::array<float, 3>> const& places) {
    line_set lines{{7}, {static_cast<std::int64_t>(places.size())}, {}};
    for (auto const& [x, y, z] : places) lines.points.push_back({{x, y, z}, x});
    return lines;
}

/// x and y of all points, "|" behind each line.
std::string drawn(line_set const& lines) {
    std::string text;
    for (std::size_t line = 0; line < lines.seeds.size(); ++line) {
        EXPECT_EQ(lines.seeds[line], 7);
        for (auto i = lines.begin_of(line); i < lines.ends[line]; ++i) {
            auto const& at = lines.points[static_cast<std::size_t>(i)].place;
            text += std::to_string(at[0]).substr(0, 4) + "," + std::to_string(at[1]).substr(0, 4) + " ";
        }
        text += "|";
    }
    return text;
}

} // namespace

TEST(line_seam, lines_within_a_domain_stay) {
    EXPECT_EQ(drawn(cut_at_seams(line_through({{1, 0, 0}, {3, 1, 20}}), domain())), "1.00,0.00 3.00,1.00 |");
}

TEST(line_seam, a_line_that_crosses_goes_on_at_the_other_end) {
    EXPECT_EQ(drawn(cut_at_seams(line_through({{4, 1, 0}, {6, 1, 0}, {6.5, 1, 0}}), domain())),
        "4.00,1.00 5.00,1.00 |1.00,1.00 2.00,1.00 2.50,1.00 |");
    EXPECT_EQ(drawn(cut_at_seams(line_through({{2, 1, 0}, {0, 1, 0}}), domain())),
        "2.00,1.00 1.00,1.00 |5.00,1.00 4.00,1.00 |");
}

TEST(line_seam, a_step_of_several_turns_and_axes_is_cut_in_their_order) {
    EXPECT_EQ(drawn(cut_at_seams(line_through({{2, 1, 0}, {11, 1, 0}}), domain())),
        "2.00,1.00 5.00,1.00 |1.00,1.00 5.00,1.00 |1.00,1.00 3.00,1.00 |");
    EXPECT_EQ(drawn(cut_at_seams(line_through({{4, 1.5, 0}, {6, 3.5, 0}}), domain())),
        "4.00,1.50 4.50,2.00 |4.50,0.00 5.00,0.50 |1.00,0.50 2.00,1.50 |");
}

TEST(line_seam, a_line_that_begins_in_another_turn_is_brought_in) {
    EXPECT_EQ(
        drawn(cut_at_seams(line_through({{-2, 1, 0}, {-1.5, 1, 0}}), domain())), "2.00,1.00 2.50,1.00 |");
}
