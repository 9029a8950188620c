/// Grids made of images: the pages of a file, or a sequence of files, are the planes along z.
#pragma once

#include <grids/grid_source.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace weft {

/// The images of a folder, or those that a pattern such as `frames/*.tif` matches, in natural order: 2 before
/// 10. Local. Throws: `io_error` where there are none, or both TIFF and PNG.
[[nodiscard]] std::vector<std::filesystem::path> images_of_folder(std::filesystem::path const& folder);
[[nodiscard]] std::vector<std::filesystem::path> images_matching(std::string const& pattern);

/// The pages of an image file, or the images of several files in the order given. Only the first is opened at
/// once; that all have the same size, samples and type turns out when they are read. Of images with several
/// samples a pixel `options.channel` says which is meant. Local. Throws: `io_error`; `usage_error` for a
/// channel that there is not, or that is not said.
[[nodiscard]] std::unique_ptr<grid_source> open_image_stack(
    std::vector<std::filesystem::path> files, grid_file_options const& options);

} // namespace weft
