/// A format that is nowhere but here: "TOY0" and one byte a voxel, two by two by one.
#pragma once

#include <grids/grid_source.hpp>

#include <filesystem>
#include <memory>

namespace weft {

[[nodiscard]] std::unique_ptr<grid_source> open_toy_grid(
    std::filesystem::path const& file, grid_file_options const& options);

} // namespace weft
