/// Grids made of images: the planes along z are the pages of a file, or a sequence of files.
#pragma once

#include <grids/grid_source.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace weft {

/// Return the images of a folder, or those matching a pattern such as `frames/*.tif`, in natural order: 2
/// before 10. Local. Throws: `io_error` if there are none, or both TIFF and PNG.
[[nodiscard]] std::vector<std::filesystem::path> images_of_folder(std::filesystem::path const& folder);
[[nodiscard]] std::vector<std::filesystem::path> images_matching(std::string const& pattern);

/// Opens the pages of an image file, or several image files in the given order. Only the first file is opened
/// now; different sizes, samples or types of others are found when they are read. For images with several
/// samples in a pixel, `options.channel` selects one. Local. Throws: `io_error`; `usage_error` for a channel
/// that is missing or does not exist.
[[nodiscard]] std::unique_ptr<grid_source> open_image_stack(
    std::vector<std::filesystem::path> files, grid_file_options const& options);

} // namespace weft
