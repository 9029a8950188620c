/// Small grids, and boxes of them from an oracle.
#pragma once

#include <grids/grid_source.hpp>
#include <io/shared_folder.hpp>

#include <cstring>
#include <fstream>

namespace weft_test {

/// Returns the value of a component at a point of a test grid.
template <class T>
T value_at(std::int64_t x, std::int64_t y, std::int64_t z, int component = 0) {
    return static_cast<T>(x + 7 * y + 31 * z + 3 * component);
}

/// Returns all values of a box, in the order of a source.
template <class T>
std::vector<T> values_in(weft::box<std::int64_t> const& points, int components = 1) {
    std::vector<T> all;
    for (std::int64_t z = points.lo[2]; z < points.hi[2]; ++z)
        for (std::int64_t y = points.lo[1]; y < points.hi[1]; ++y)
            for (std::int64_t x = points.lo[0]; x < points.hi[0]; ++x)
                for (int c = 0; c < components; ++c) all.push_back(value_at<T>(x, y, z, c));
    return all;
}

template <class T>
std::vector<T> read_box(weft::grid_source& source, weft::box<std::int64_t> const& points) {
    std::vector<T> values(weft::bytes_of(source.shape(), points) / sizeof(T));
    source.read(points, std::as_writable_bytes(std::span(values)));
    return values;
}

template <class T>
std::string bytes_of_values(std::vector<T> const& values) {
    return {reinterpret_cast<char const*>(values.data()), values.size() * sizeof(T)};
}

/// Returns the boxes that a test reads: all, a part, a row, one point, and an empty one.
inline std::vector<weft::box<std::int64_t>> some_boxes(std::int64_t nx, std::int64_t ny, std::int64_t nz) {
    return {{3, {}, {nx, ny, nz}}, {3, {1, 0, 0}, {nx, ny - 1, nz}}, {3, {0, ny - 1, 0}, {nx, ny, 1}},
        {3, {nx - 1, ny - 1, nz - 1}, {nx, ny, nz}}, {3, {1, 1, 0}, {1, ny, nz}}};
}

/// Compares all of `source` with the test grid.
template <class T>
void expect_test_grid(weft::grid_source& source, int components = 1) {
    auto const& points = source.shape().points;
    ASSERT_EQ(source.shape().components, components);
    for (auto const& each : some_boxes(points[0], points[1], points[2]))
        EXPECT_EQ(read_box<T>(source, each), values_in<T>(each, components));
}

/// Returns the error of an attempt to open a file.
inline std::string complaint(std::filesystem::path const& file, weft::grid_file_options const& options = {}) {
    try {
        (void)weft::open_grid(file, options);
    } catch (std::exception const& caught) { return caught.what(); }
    return "nothing was thrown";
}

} // namespace weft_test
