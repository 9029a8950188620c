/// The formats of meshes, one in each row; see grids/grid_formats.hpp.
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
    std::vector<std::string_view> endings;     ///< in lower case; a copy of standard input gets the first
    std::vector<std::string_view> starts = {}; ///< possible first bytes of a file
    std::vector<std::string_view> words = {};  ///< words within the first 4 KiB
    /// Tells a mesh from other files with the same endings; null if there are no such files.
    bool (*is_mesh)(std::filesystem::path const& file) = nullptr;
    /// Null if this build leaves the format out, and for `with_solution`, which all ranks read in shares.
    mesh_piece (*read)(std::filesystem::path const& file, mesh_request const& wanted) = nullptr;
    bool with_solution = false;        ///< Fields are in a second file.
    std::string_view left_out_by = {}; ///< The switch of CMake that leaves the format out.
};

[[nodiscard]] std::span<mesh_format const> mesh_formats();

/// Returns the row of a file by its name, or by its first lines if the name is ambiguous; else null.
[[nodiscard]] mesh_format const* mesh_format_of(std::filesystem::path const& file);

/// Returns the ending of the name of a mesh with this content; empty if no format begins so. `start`: its
/// first 4 KiB, or all. Local.
[[nodiscard]] std::string ending_of_mesh(std::string_view start);

/// Lists the formats that this build reads, with their endings.
[[nodiscard]] std::string list_of_mesh_formats();

} // namespace weft
