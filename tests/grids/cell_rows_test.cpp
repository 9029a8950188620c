#include <grids/values/cell_rows.hpp>

#include <gtest/gtest.h>

#include <map>

namespace {

TEST(cell_rows, each_cell_is_in_one_box_and_they_ascend) {
    weft::grid_shape shape;
    for (std::array<std::int64_t, 3> const points :
        {std::array<std::int64_t, 3>{3, 5, 6}, {2, 2, 9}, {4, 9, 2}, {2, 2, 2}, {3, 1, 4}, {5, 5, 1}}) {
        shape.points = points;
        for (int const parts : {1, 2, 3, 7, 50}) {
            std::int64_t next = 0;
            for (int part = 0; part < parts; ++part) {
                auto const boxes = boxes_of_cell_rows(shape, part, parts);
                EXPECT_LE(boxes.size(), 3U);
                for (auto const& each : boxes) {
                    EXPECT_EQ(each.hi[0], points[0]);
                    for (std::int64_t z = each.lo[2]; z + 1 < each.hi[2]; ++z)
                        for (std::int64_t y = each.lo[1]; y + 1 < each.hi[1]; ++y)
                            EXPECT_EQ(z * (points[1] - 1) + y, next++);
                }
            }
            EXPECT_EQ(next, points[0] < 2 || points[2] < 2 ? 0 : (points[1] - 1) * (points[2] - 1));
        }
    }
}

} // namespace
