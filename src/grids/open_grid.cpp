/// The formats of grids by the names of files. Apart from what all grids share, so that programs which have
/// their values in memory link none of what reads files.
#include <grids/grid_source.hpp>

#include <grids/formats/netcdf_grid.hpp>
#include <grids/formats/nifti_grid.hpp>
#include <grids/formats/npy_grid.hpp>
#include <grids/formats/nrrd_grid.hpp>
#include <grids/formats/raw_grid.hpp>
#include <grids/hdf5/hdf5_grid.hpp>
#include <grids/images/image_pages.hpp>
#include <grids/images/image_stack.hpp>
#include <grids/vtk/vtk_grid.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <cctype>

namespace weft {

namespace {

/// Options that formats need, or heed.
struct heeded_options {
    bool raw = false;
    bool variable = false;
    bool step = false;
    bool channel = false;
};

/// Rejects options that the format ignores.
void refuse_others(
    std::filesystem::path const& file, heeded_options const& heeded, grid_file_options const& given) {
    auto const refuse = [&](bool is_given, char const* field, char const* of) {
        if (is_given) throw usage_error(file.string() + ": `" + field + "` is for " + of + "; leave it out");
    };
    if (!heeded.raw) {
        char const* const raw = "raw files, and this one has a header of its own";
        refuse(given.dims != std::array<std::int64_t, 3>{}, "dims", raw);
        refuse(given.type.has_value(), "type", raw);
        refuse(given.byte_order.has_value(), "byte_order", raw);
        refuse(given.header_bytes != 0, "header_bytes", raw);
    }
    if (!heeded.variable)
        refuse(!given.variable.empty(), "variable", "files with several variables or arrays");
    if (!heeded.step) refuse(given.step >= 0, "step", "files with several steps in time");
    if (!heeded.channel) refuse(!given.channel.empty(), "channel", "images");
}

} // namespace

std::unique_ptr<grid_source> open_grid(std::filesystem::path const& file, grid_file_options const& options) {
    std::error_code ignored;
    auto const heeds = [&](heeded_options const& heeded) { refuse_others(file, heeded, options); };
    auto const heeds_channel = [&] { heeds({.channel = true}); };
    if (std::filesystem::is_directory(file, ignored)) {
        heeds_channel();
        return open_image_stack(images_of_folder(file), options);
    }
    if (auto const address = io::hdf5_address_of(file)) {
        heeds({.variable = true, .step = true});
        return open_hdf5_grid(*address, options);
    }
    if (file.string().find_first_of("*?[") != std::string::npos && !std::filesystem::exists(file, ignored)) {
        heeds_channel();
        return open_image_stack(images_matching(file.string()), options);
    }
    if (is_image_name(file)) {
        heeds_channel();
        return open_image_stack({file}, options);
    }
    if (is_nifti_name(file)) {
        heeds({.step = true});
        return open_nifti_grid(file, options);
    }
    std::string suffix = file.extension().string();
    std::ranges::transform(
        suffix, suffix.begin(), [](unsigned char each) { return static_cast<char>(std::tolower(each)); });
    if (suffix == ".raw" || suffix == ".bin") {
        heeds({.raw = true});
        return open_raw_grid(file, options);
    }
    if (suffix == ".nc" || suffix == ".cdf" || suffix == ".nc4") {
        heeds({.variable = true, .step = true});
        return open_netcdf_grid(file, options);
    }
    if (suffix == ".npy") {
        heeds({.step = true});
        return open_npy_grid(file, options);
    }
    if (is_vtk_suffix(suffix)) {
        heeds({.variable = true});
        return open_vtk_grid(file, options);
    }
    if (suffix == ".json" || suffix == ".nrrd" || suffix == ".nhdr") {
        heeds({});
        return suffix == ".json" ? open_described_grid(file) : open_nrrd_grid(file);
    }
    throw usage_error(
        file.string() + ": cannot tell the format of a file whose name ends in '" + suffix +
        "'; known are .raw .bin .json .nc .cdf .nc4 .h5 .hdf5 .he5 .tif .tiff .png .nii .nii.gz .hdr .img "
        ".nrrd .nhdr .npy and VTK's .vtk .vti .vtr .vts; and folders of images");
}

} // namespace weft
