#include <grids/values/cell_rows.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace {

TEST(cell_rows, each_cell_is_in_one_box_and_they_ascend) {
    for (std::array<std::int64_t, 3> const points :
        {std::array<std::int64_t, 3>{3, 5, 6}, {2, 2, 9}, {4, 9, 2}, {2, 2, 2}, {3, 1, 4}, {5, 5, 1}}) {
        auto const cells = [&](std::size_t d) { return std::max<std::int64_t>(points[d] - 1, 1); };
        for (int const parts : {1, 2, 3, 7, 50}) {
            std::int64_t next = 0;
            for (int part = 0; part < parts; ++part) {
                auto const boxes = boxes_of_cell_rows(points, part, parts);
                EXPECT_LE(boxes.size(), 3U);
                for (auto const& each : boxes) {
                    EXPECT_EQ(each.hi[0], points[0]);
                    auto const end = [&](std::size_t d) { return each.hi[d] - (points[d] > 1 ? 1 : 0); };
                    for (std::int64_t z = each.lo[2]; z < end(2); ++z)
                        for (std::int64_t y = each.lo[1]; y < end(1); ++y)
                            EXPECT_EQ(z * cells(1) + y, next++);
                }
            }
            EXPECT_EQ(next, cells(1) * cells(2));
        }
    }
}

} // namespace
