#include <labelling/label_head.hpp>

#include <weft/core/error.hpp>

#include <gtest/gtest.h>

#include <cstring>

namespace {

using weft::grid_shape;

/// Axis 0 against y of the world, axis 1 along x, axis 2 up.
grid_shape turned() {
    grid_shape shape{.points = {4, 3, 2}, .axes = {}};
    shape.space = "left-posterior-superior";
    place_points(shape, {10, 20, 30}, {{{0, -2, 0}, {3, 0, 0}, {0, 0, 4}}}, "test");
    return shape;
}

grid_shape uneven() {
    grid_shape shape{.points = {3, 2, 1}, .axes = {}};
    shape.axes = {std::vector<double>{0, 1, 4}, {5, 3}, {7}};
    return shape;
}

template <class T>
T at(std::string const& head, std::size_t place) {
    T value;
    std::memcpy(&value, head.data() + place, sizeof value);
    return value;
}

TEST(label_head, image_data_of_vtk_have_a_direction_where_they_are_turned) {
    std::string const head = weft::vti_head(turned(), "file").segments().joined();
    EXPECT_NE(
        head.find(R"(Origin="10 20 30" Spacing="2 3 4" Direction="0 1 0 -1 0 0 0 0 1")"), std::string::npos)
        << head;
    grid_shape mirrored{.points = {3, 2, 2}, .axes = {}};
    mirrored.axes = {std::vector<double>{8, 6, 4}, {0, 1}, {0, 1}};
    std::string const other = weft::vti_head(mirrored, "file").segments().joined();
    EXPECT_NE(
        other.find(R"(Origin="8 0 0" Spacing="2 1 1" Direction="-1 0 0 0 1 0 0 0 1")"), std::string::npos)
        << other;
}

TEST(label_head, uneven_axes_are_for_rectilinear_grids_alone) {
    EXPECT_NE(weft::vtr_head(uneven(), "file").segments().joined().find(R"(Extent="0 2 0 1 0 0")"),
        std::string::npos);
    EXPECT_THROW((void)weft::vti_head(uneven(), "file"), weft::usage_error);
    for (auto* const head : {weft::nrrd_head, weft::nifti_head})
        EXPECT_THROW((void)head(uneven(), false, "file"), weft::usage_error);
    EXPECT_THROW((void)weft::vtr_head(turned(), "file"), weft::usage_error);
}

TEST(label_head, nrrd_says_its_space) {
    std::string const head = weft::nrrd_head(turned(), false, "file");
    EXPECT_NE(head.find("space: left-posterior-superior\n"), std::string::npos);
    EXPECT_NE(head.find("space directions: (0,-2,0) (3,0,0) (0,0,4)\n"), std::string::npos) << head;
    EXPECT_NE(head.find("space origin: (10,20,30)\n\n"), std::string::npos);
}

TEST(label_head, nifti_counts_to_the_right_and_to_the_front) {
    std::string const head = weft::nifti_head(turned(), false, "file");
    ASSERT_EQ(head.size(), 352U);
    EXPECT_EQ(at<std::int16_t>(head, 42), 4);
    EXPECT_EQ(at<float>(head, 80), 2);
    float const rows[3][4] = {{0, -3, 0, -10}, {2, 0, 0, -20}, {0, 0, 4, 30}};
    for (std::size_t d = 0; d < 3; ++d)
        for (std::size_t e = 0; e < 4; ++e)
            EXPECT_EQ(at<float>(head, 280 + 16 * d + 4 * e), rows[d][e]) << d << ' ' << e;
    grid_shape as_it_is = turned();
    as_it_is.space.clear();
    EXPECT_EQ(at<float>(weft::nifti_head(as_it_is, false, "file"), 284), 3);
    grid_shape long_one{.points = {40000, 1, 1}, .axes = {}};
    number_axes(long_one);
    EXPECT_THROW((void)weft::nifti_head(long_one, false, "file"), weft::usage_error);
}

} // namespace
