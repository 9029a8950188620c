/// The formats of volumes, a row each: readers, helps, errors, the table of docs/inputs.md and the seeds of
/// the fuzz test use these rows.
#pragma once

#include <grids/grid_source.hpp>
#include <grids/images/image_pages.hpp>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// The options that a format uses.
struct heeded_options {
    bool raw = false; ///< `dims`, `type`, `byte_order` and `header_bytes`
    bool variable = false;
    bool step = false;
    bool channel = false;
};

/// Bytes that identify a format, and the ending of a file with them.
struct known_start {
    std::string_view bytes;
    std::string_view ending;
    std::size_t offset = 0;
};

struct grid_format {
    std::string_view name;
    std::vector<std::string_view> endings; ///< in small letters
    std::vector<known_start> starts = {};
    /// For formats that bytes at one place do not identify: returns the ending, or nothing.
    std::string_view (*ending_of_start)(std::string_view start) = nullptr;
    /// For formats that a name identifies by more than its ending.
    bool (*has_name)(std::filesystem::path const& file) = nullptr;
    std::string_view shown = {}; ///< the name of a part of a file, for helps
    heeded_options heeds = {};
    /// Null if this build leaves the format out.
    std::unique_ptr<grid_source> (*open)(
        std::filesystem::path const& file, grid_file_options const& options) = nullptr;
    /// Lists the names that `variable` may have; null for formats that have no names.
    std::vector<std::string> (*fields)(std::filesystem::path const& file) = nullptr;
    /// For formats whose files may form a stack.
    std::unique_ptr<image_pages> (*open_pages)(std::filesystem::path const& file) = nullptr;
    std::string_view left_out_by = {}; ///< the switch of CMake that leaves the format out
};

[[nodiscard]] std::span<grid_format const> grid_formats();

/// The row of a file by its name, or null.
[[nodiscard]] grid_format const* grid_format_of(std::filesystem::path const& file);

/// Lists the formats that this build reads, with their endings: "raw (.raw, .bin), NIfTI (...)".
[[nodiscard]] std::string list_of_grid_formats();
/// Lists the names of those that heed an option: "VTK, NetCDF and HDF5".
[[nodiscard]] std::string formats_that_heed(bool heeded_options::*option);

} // namespace weft
