#include <grids/formats/nifti_grid.hpp>

#include <files/file_handle.hpp>
#include <grids/formats/nifti_head.hpp>
#include <grids/formats/raw_grid.hpp>
#include <grids/values/grid_memory.hpp>
#include <grids/views/scaled_grid.hpp>

#include <weft/core/error.hpp>

#include <array>
#include <cctype>
#include <cmath>
#include <utility>

namespace weft {

namespace {

value_type type_of_nifti(std::int16_t code, std::string const& file) {
    struct known_type {
        std::int16_t code;
        value_type type;
    };
    constexpr known_type types[] = {{2, value_type::uint8}, {4, value_type::int16}, {8, value_type::int32},
        {16, value_type::float32}, {64, value_type::float64}, {256, value_type::int8},
        {512, value_type::uint16}, {768, value_type::uint32}, {1024, value_type::int64},
        {1280, value_type::uint64}};
    struct other_type {
        std::int16_t code;
        char const* name;
    };
    constexpr other_type others[] = {{1, "BINARY"}, {32, "COMPLEX64"}, {128, "RGB24"}, {1536, "FLOAT128"},
        {1792, "COMPLEX128"}, {2048, "COMPLEX256"}, {2304, "RGBA32"}};
    for (known_type const& each : types)
        if (each.code == code) return each.type;
    for (other_type const& each : others)
        if (each.code == code) throw io_error(file + ": cannot use values of type " + each.name);
    throw io_error(file + ": has values of type " + std::to_string(code) + ", which NIfTI does not know");
}

/// Sets the places of voxels. Planes that are moments are one unit apart, orthogonal to the others.
void place_voxels(nifti_head const& head, grid_shape& shape, std::string const& file) {
    auto steps = head.steps;
    if (shape.z_is_time) {
        auto const& [x, y, z] = steps;
        std::array<double, 3> const up{
            x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
        double const length = std::hypot(up[0], up[1], up[2]);
        for (std::size_t d = 0; d < 3; ++d) steps[2][d] = up[d] / (length > 0 ? length : 1);
    }
    if (head.is_placed) shape.space = "right-anterior-superior";
    place_points(shape, head.origin, steps, file);
    if (!shape.place.moves()) shape.axis_units = {head.units, head.units, head.units};
    if (shape.z_is_time) shape.axis_units[2].clear();
}

/// Opens the values of one volume, or of all planes of a series, from byte `first` of their file.
std::unique_ptr<grid_source> stored_values(
    nifti_head const& head, grid_shape shape, std::int64_t first, bool is_last, std::string const& file) {
    auto const bytes = static_cast<std::int64_t>(bytes_of(shape, points_of(shape)));
    std::int64_t const size = file_handle::open_to_read(head.values).size();
    bool const packed = is_gzip(head.values);
    constexpr std::int64_t most_that_gzip_saves = 1032;
    if (first > (packed ? size * most_that_gzip_saves : size) - bytes)
        throw io_error(file + ": ends before its " +
                       std::to_string(bytes / static_cast<std::int64_t>(size_of(shape.type))) +
                       " values; copy it again");
    if (packed)
        return values_in_gzip(gzip_stream(head.values), std::move(shape), first, head.swapped, is_last);
    return values_in_file(head.values, std::move(shape), first, head.swapped);
}

} // namespace

std::unique_ptr<grid_source> open_nifti_grid(
    std::filesystem::path const& path, grid_file_options const& options) {
    std::string const file = path.string();
    nifti_head const head = read_nifti_head(path);
    auto const& [x, y, z, steps, u, v, w] = head.lengths;
    if (u > 1 || v > 1 || w > 1) throw io_error(file + ": has more than one value a voxel");
    grid_shape shape;
    shape.type = type_of_nifti(head.type, file);
    shape.z_is_time = steps > 1 && z == 1 && options.step < 0;
    if (steps > 1 && !shape.z_is_time && (options.step < 0 || options.step >= steps))
        throw usage_error(file + ": has " + std::to_string(steps) +
                          " volumes; say which is meant with `step`, counted from 0");
    if (steps <= 1 && options.step > 0)
        throw usage_error(
            file + ": has one volume, and no step " + std::to_string(options.step) + "; leave `step` out");
    shape.points = {x, y, shape.z_is_time ? steps : z};
    if (steps > 1 && !shape.z_is_time) shape.steps = steps;
    check_shape(file, shape);
    place_voxels(head, shape, file);
    std::int64_t const step = shape.z_is_time || steps <= 1 ? 0 : options.step;
    auto const volume = static_cast<std::int64_t>(bytes_of(shape, points_of(shape)));
    auto const before = product_of({step, volume});
    if (!before || *before > INT64_MAX / 4)
        throw io_error(file + ": cannot have " + std::to_string(steps) + " volumes of that size");
    bool const is_last = shape.z_is_time || step + 1 == steps;
    auto stored = stored_values(head, std::move(shape), head.first + *before, is_last, file);
    if (head.slope == 0 || (head.slope == 1 && head.offset == 0)) return stored;
    return with_scaled_values(std::move(stored), head.slope, head.offset);
}

} // namespace weft
