#include <grids/grid_source.hpp>

#include <grids/image_pages.hpp>
#include <grids/image_stack.hpp>
#include <grids/netcdf_grid.hpp>
#include <grids/nifti_grid.hpp>
#include <grids/nrrd_grid.hpp>
#include <grids/raw_grid.hpp>
#include <grids/vtk_grid.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <cctype>
#include <numeric>

namespace weft {

namespace {

struct type_entry {
    value_type type;
    char const* name;
    std::size_t bytes;
};

// In the order of the enumeration.
constexpr type_entry types[] = {
    {value_type::int8, "int8", 1},
    {value_type::uint8, "uint8", 1},
    {value_type::int16, "int16", 2},
    {value_type::uint16, "uint16", 2},
    {value_type::int32, "int32", 4},
    {value_type::uint32, "uint32", 4},
    {value_type::float32, "float32", 4},
    {value_type::float64, "float64", 8},
};

} // namespace

std::size_t size_of(value_type type) noexcept {
    return types[static_cast<std::size_t>(type)].bytes;
}

char const* name_of(value_type type) noexcept {
    return types[static_cast<std::size_t>(type)].name;
}

value_type value_type_named(std::string const& name) {
    std::string all;
    for (type_entry const& entry : types) {
        if (name == entry.name) return entry.type;
        all += all.empty() ? entry.name : std::string(", ") + entry.name;
    }
    throw usage_error("no type of values is called '" + name + "'; there are " + all);
}

box<std::int64_t> points_of(grid_shape const& shape) noexcept {
    return {3, {}, {shape.points[0], shape.points[1], shape.points[2]}};
}

void number_axes(grid_shape& shape) {
    for (std::size_t d = 0; d < 3; ++d) {
        shape.axes[d].resize(static_cast<std::size_t>(shape.points[d]));
        std::iota(shape.axes[d].begin(), shape.axes[d].end(), 0.0);
    }
}

std::size_t bytes_of(grid_shape const& shape, box<std::int64_t> const& points) {
    if (points.dimensions != 3) throw usage_error("a box of a grid has three dimensions");
    std::size_t bytes = size_of(shape.type) * static_cast<std::size_t>(shape.components);
    for (std::size_t d = 0; d < 3; ++d)
        bytes *= static_cast<std::size_t>(std::max<std::int64_t>(points.hi[d] - points.lo[d], 0));
    return bytes;
}

std::unique_ptr<grid_source> open_grid(std::filesystem::path const& file, grid_file_options const& options) {
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored))
        return open_image_stack(images_of_folder(file), options);
    if (file.string().find_first_of("*?[") != std::string::npos && !std::filesystem::exists(file, ignored))
        return open_image_stack(images_matching(file.string()), options);
    if (is_image_name(file)) return open_image_stack({file}, options);
    if (is_nifti_name(file)) return open_nifti_grid(file, options);
    std::string suffix = file.extension().string();
    std::ranges::transform(
        suffix, suffix.begin(), [](unsigned char each) { return static_cast<char>(std::tolower(each)); });
    if (suffix == ".raw" || suffix == ".bin") return open_raw_grid(file, options);
    if (suffix == ".json") return open_described_grid(file);
    if (suffix == ".nc" || suffix == ".cdf" || suffix == ".nc4") return open_netcdf_grid(file, options);
    if (suffix == ".nrrd" || suffix == ".nhdr") return open_nrrd_grid(file);
    if (is_vtk_suffix(suffix)) return open_vtk_grid(file, options);
    throw usage_error(file.string() + ": cannot tell the format of a file whose name ends in '" + suffix +
                      "'; known are .raw .bin .json .nc .cdf .nc4 .tif .tiff .png .nii .nii.gz .hdr .img "
                      ".nrrd .nhdr and VTK's .vtk .vti .vtr .vts; and folders of images");
}

} // namespace weft
