/// The formats of meshes, a row each; see grids/grid_formats.hpp.
#pragma once

#include <meshes/mesh_piece.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

struct mesh_format {
    std::string_view name;
    std::vector<std::string_view> endings;     ///< in small letters; a copy of standard input gets the first
    std::vector<std::string_view> starts = {}; ///< by which a file begins
    std::vector<std::string_view> words = {};  ///< that are among its first 4 KiB
    /// For endings that other files have too.
    bool (*is_mesh)(std::filesystem::path const& file) = nullptr;
    /// Null where this build leaves the format out, and for `with_solution`, which all ranks read in shares.
    mesh_piece (*read)(std::filesystem::path const& file, mesh_request const& wanted) = nullptr;
    bool with_solution = false;        ///< Fields are in a second file.
    std::string_view left_out_by = {}; ///< The switch of CMake that leaves the format out.
};

[[nodiscard]] std::span<mesh_format const> mesh_formats();

/// The row of a file by its name, and where that does not tell by its first lines; or null.
[[nodiscard]] mesh_format const* mesh_format_of(std::filesystem::path const& file);

/// The ending that a mesh with this content would have in its name; empty if it begins like none. `start`:
/// its first 4 KiB, or all. Local.
[[nodiscard]] std::string ending_of_mesh(std::string_view start);

/// Lists the formats that this build reads, with their endings.
[[nodiscard]] std::string list_of_mesh_formats();

} // namespace weft
