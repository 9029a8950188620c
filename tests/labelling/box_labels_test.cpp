#include <labelling/box_labels.hpp>

#include "volume_rig.hpp"

using weft_test::volume;

namespace {

std::vector<std::int64_t> labels_of(volume const& of, weft::connectivity neighbors) {
    weft::row_runs const rows = of.runs(of.all());
    weft::box_labels const found = label_box(rows, neighbors);
    std::vector<std::int64_t> labels(of.values.size(), 0);
    for (std::size_t row = 0; row < rows.rows(); ++row)
        for (std::size_t run = rows.first[row]; run < rows.first[row + 1]; ++run)
            for (std::int64_t x = rows.runs[run].begin; x < rows.runs[run].end; ++x)
                labels[of.place(x, rows.y_of(row), rows.z_of(row))] = found.of_run[run] + 1;
    for (std::size_t i = 0; i < found.first_run.size(); ++i) EXPECT_EQ(found.of_run[found.first_run[i]], i);
    return labels;
}

} // namespace

TEST(box_labels, random_volumes_as_by_flooding) {
    std::mt19937_64 random = weft_test::random();
    std::array<std::int64_t, 3> const shapes[] = {{1, 1, 1}, {9, 1, 1}, {1, 9, 1}, {1, 1, 9}, {1, 7, 8},
        {70, 1, 5}, {12, 11, 1}, {9, 8, 7}, {66, 5, 4}};
    for (auto const& points : shapes)
        for (unsigned const percent : {0U, 10U, 30U, 50U, 70U, 90U, 100U})
            for (weft::connectivity const neighbors : weft_test::all_connectivities) {
                volume const made = weft_test::random_volume(points, percent, random);
                ASSERT_EQ(labels_of(made, neighbors), flooded(made, neighbors))
                    << made.name() << ", " << percent << " %, corners " << neighbors.corners << ", planes "
                    << neighbors.across_planes;
            }
}

TEST(box_labels, what_meets_late_is_one) {
    // A comb: teeth along y that only the last row joins.
    volume comb{{41, 12, 2}, {}};
    comb.values.assign(static_cast<std::size_t>(41 * 12 * 2), 0);
    for (std::int64_t y = 0; y < 12; ++y)
        for (std::int64_t x = 0; x < 41; x += y == 11 ? 1 : 2) comb.values[comb.place(x, y, 1)] = 1;
    EXPECT_EQ(label_box(comb.runs(comb.all()), {}).first_run.size(), 1U);
}
