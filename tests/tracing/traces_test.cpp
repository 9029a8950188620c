#include <weft/tracing/traces.hpp>

#include <harness/mpi_test.hpp>

TEST(line_set, lines_lie_end_to_end) {
    weft::line_set const lines{.seeds = {3, 8}, .ends = {2, 5}, .points = std::vector<weft::line_point>(5)};
    EXPECT_EQ(lines.begin_of(0), 0);
    EXPECT_EQ(lines.begin_of(1), 2);
}
