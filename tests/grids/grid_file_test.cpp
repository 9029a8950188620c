#include <weft/grids/grid_file.hpp>

#include <grids/grid_files.hpp>

#include <weft/blocks/block_set.hpp>
#include <weft/blocks/regular_grid.hpp>
#include <weft/core/error.hpp>

#include <tiffio.h>

#include <cmath>
#include <limits>

using namespace weft;
using namespace weft_test;

namespace {

constexpr std::int64_t nx = 5, ny = 4, nz = 6;

template <class T>
std::string text_of(std::vector<T> const& values) {
    std::string text;
    for (T const each : values) text += std::to_string(each) + ' ';
    return text;
}

class grid_file_test : public with_folder {
protected:
    /// The test grid as legacy VTK, two fields of int, the second 1000 higher; it says where its points are.
    std::string vtk_file() {
        std::vector<int> values = values_in<int>(cell_box(nx, ny, nz));
        std::string text =
            "# vtk DataFile Version 3.0\nf\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS 5 4 6\n"
            "ORIGIN 1 2 3\nSPACING 0.5 1 2\nPOINT_DATA 120\nSCALARS low int 1\nLOOKUP_TABLE default\n" +
            text_of(values);
        for (int& each : values) each += 1000;
        return file("two.vtk", text + "\nSCALARS high int 1\nLOOKUP_TABLE default\n" + text_of(values));
    }

    template <class T>
    grid_file raw_file(std::string const& name, std::vector<T> const& values, value_type type) {
        auto const path = file(name, bytes_of_values(values));
        return {world(), path, {.dims = {static_cast<std::int64_t>(values.size()), 1, 1}, .type = type}};
    }
};

/// What a call says that throws an E on every rank.
template <class E, class Call>
std::string said_by(Call&& call) {
    try {
        call();
    } catch (E const& caught) { return caught.what(); }
    ADD_FAILURE() << "nothing was thrown";
    return {};
}

TEST_F(grid_file_test, has_the_shape_that_the_file_says) {
    grid_file const opened{world(), vtk_file()};
    EXPECT_EQ(points_of(opened.shape()), cell_box(nx, ny, nz));
    EXPECT_EQ(opened.shape().type, value_type::int32);
    EXPECT_EQ(even_axis_of(opened.shape().axes[0])->origin, 1);
    EXPECT_EQ(even_axis_of(opened.shape().axes[2])->spacing, 2);
}

template <class T>
void expect_boxes(grid_file& opened, int more) {
    for (auto const& each : some_boxes(nx, ny, nz)) {
        std::vector<T> expected = values_in<T>(each);
        for (T& value : expected) value = static_cast<T>(value + more);
        EXPECT_EQ(opened.read<T>(each), expected);
    }
}

TEST_F(grid_file_test, each_box_has_its_values_as_any_type) {
    auto const path = vtk_file();
    grid_file low{world(), path};
    expect_boxes<std::uint8_t>(low, 0);
    expect_boxes<std::int64_t>(low, 0);
    expect_boxes<float>(low, 0);
    grid_file high{world(), path, {.variable = "high"}};
    expect_boxes<std::int16_t>(high, 1000);
    expect_boxes<std::int32_t>(high, 1000);
    expect_boxes<double>(high, 1000);
}

TEST_F(grid_file_test, the_blocks_of_a_rank_lie_behind_one_another) {
    grid_file opened{world(), vtk_file()};
    regular_grid const grid{points_of(opened.shape()), 8};
    assignment const where = assignment::contiguous(8, size());
    std::vector<box<std::int64_t>> mine; // none on some rank of 4 once it is the last
    std::vector<float> expected;
    for (std::int64_t block = 0; block < 8; ++block) {
        if (where.rank_of(block_id{block}) != rank() || (rank() > 0 && rank() == size() - 1)) continue;
        mine.push_back(grid.bounds(block_id{block}));
        auto const values = values_in<float>(mine.back());
        expected.insert(expected.end(), values.begin(), values.end());
    }
    EXPECT_EQ(opened.read<float>(mine), expected);
}

TEST_F(grid_file_test, a_block_reads_itself_when_it_is_made) {
    grid_file opened{world(), vtk_file()};
    regular_grid const grid{points_of(opened.shape()), 5};
    block_set<std::vector<double>> blocks{world(), grid, [&](block_id id) {
                                              std::vector<double> values(
                                                  values_in<double>(grid.bounds(id)).size());
                                              opened.read_here(grid.bounds(id), std::span(values));
                                              return values;
                                          }};
    blocks.for_each([&](std::vector<double>& values, block_id id) {
        EXPECT_EQ(values, values_in<double>(grid.bounds(id)));
    });
    EXPECT_NE(said_by<usage_error>([&] { // one block fails, all ranks throw
        block_set<int> const none{world(), grid, [&](block_id id) {
                                      if (index_of(id) == 3)
                                          opened.read_here(grid.bounds(id), std::span<float>{});
                                      return 0;
                                  }};
    })
                  .find("expected a place for each of the"),
        std::string::npos);
}

TEST_F(grid_file_test, values_are_converted_or_refused) {
    double const nan = std::numeric_limits<double>::quiet_NaN();
    auto real = raw_file<double>("real.raw", {1, -2, 1e300, nan, 0.5, 300}, value_type::float64);
    auto const at = [](std::int64_t x) { return box<std::int64_t>{3, {x, 0, 0}, {x + 1, 1, 1}}; };
    EXPECT_EQ(real.read<std::int8_t>(at(1)), std::vector<std::int8_t>{-2});
    EXPECT_TRUE(std::isinf(real.read<float>(at(2))[0]));
    EXPECT_TRUE(std::isnan(real.read<float>(at(3))[0]));
    EXPECT_EQ(real.read<std::uint16_t>(at(5)), std::vector<std::uint16_t>{300});
    EXPECT_THROW((void)real.read<std::uint8_t>(at(1)), usage_error);
    EXPECT_THROW((void)real.read<std::int64_t>(at(2)), usage_error);
    EXPECT_THROW((void)real.read<std::int32_t>(at(3)), usage_error);
    EXPECT_THROW((void)real.read<std::int32_t>(at(4)), usage_error);
    EXPECT_THROW((void)real.read<std::uint8_t>(at(5)), usage_error);

    auto ends = raw_file<std::int64_t>("ends.raw", {INT64_MIN, INT64_MAX, -1}, value_type::int64);
    EXPECT_EQ(ends.read<std::int64_t>(at(0)), std::vector<std::int64_t>{INT64_MIN});
    EXPECT_EQ(ends.read<double>(at(0)), std::vector<double>{-0x1p63});
    EXPECT_EQ(ends.read<std::uint64_t>(at(1)), std::vector<std::uint64_t>{INT64_MAX});
    EXPECT_THROW((void)ends.read<std::uint64_t>(at(2)), usage_error);
    auto beyond = raw_file<double>("beyond.raw", {0x1p63, -0x1p63}, value_type::float64);
    EXPECT_THROW((void)beyond.read<std::int64_t>(at(0)), usage_error);
    EXPECT_EQ(beyond.read<std::int64_t>(at(1)), std::vector<std::int64_t>{INT64_MIN});
    EXPECT_EQ(beyond.read<std::uint64_t>(at(0)), std::vector<std::uint64_t>{std::uint64_t{1} << 63U});
}

TEST_F(grid_file_test, what_fails_on_one_rank_is_an_error_on_all) {
    grid_file opened{world(), vtk_file()};
    bool const bad = rank() == size() - 1;
    EXPECT_NE(said_by<usage_error>([&] {
        (void)opened.read<float>(box<std::int64_t>{3, {0, 0, bad ? nz : 0}, {nx, ny, nz + (bad ? 1 : 0)}});
    }).find("within its 5 x 4 x 6 points"),
        std::string::npos);
    EXPECT_THROW((void)opened.read<float>(box<std::int64_t>{bad ? 2 : 3, {}, {nx, ny, 1}}), usage_error);
    EXPECT_THROW(
        (void)opened.read<float>(box<std::int64_t>{3, {bad ? 2 : 0, 0, 0}, {1, ny, nz}}), usage_error);
    EXPECT_THROW(
        (void)opened.read<std::uint8_t>(box<std::int64_t>{3, {bad ? -1 : 0, 0, 0}, {1, 1, 1}}), usage_error);
    expect_boxes<float>(opened, 0); // and it goes on

    auto const here = vtk_file();
    EXPECT_NE(said_by<io_error>([&] {
        grid_file const none{world(), bad ? path("none.vtk").string() : here};
    }).find("none.vtk"),
        std::string::npos);
    EXPECT_NE(said_by<usage_error>([&] {
        grid_file const none{world(), here, {.variable = bad ? "middle" : "low"}};
    }).find("middle"),
        std::string::npos);
    EXPECT_THROW((grid_file{world(), here, {.channel = bad ? "red" : ""}}), usage_error);
}

TEST_F(grid_file_test, a_stack_is_of_images_alone) {
    auto const path = vtk_file();
    EXPECT_NE(said_by<usage_error>([&] {
        grid_file const none{world(), std::vector<std::string>{path, path}};
    }).find("are a stack of images"),
        std::string::npos);
    EXPECT_THROW((grid_file{world(), std::vector<std::string>{}}), usage_error);
}

/// A grey image of three pixels in a row.
void write_row(std::string const& file, std::array<std::uint8_t, 3> pixels) {
    TIFF* const tiff = TIFFOpen(file.c_str(), "w");
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 3);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 1);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    EXPECT_EQ(TIFFWriteScanline(tiff, pixels.data(), 0, 0), 1);
    TIFFClose(tiff);
}

TEST_F(grid_file_test, images_are_planes_in_the_order_given) {
    std::string const a = path("a.tif").string();
    std::string const b = path("b.tif").string();
    if (rank() == 0) write_row(a, {1, 2, 3});
    if (rank() == 0) write_row(b, {4, 5, 6});
    meet();
    grid_file stack{world(), std::vector<std::string>{b, a}};
    EXPECT_EQ(stack.read<int>(points_of(stack.shape())), (std::vector<int>{4, 5, 6, 1, 2, 3}));
}

} // namespace
