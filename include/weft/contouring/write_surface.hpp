/// Surfaces in files.
#pragma once

#include <weft/contouring/surface.hpp>

#include <filesystem>
#include <span>
#include <string>

namespace weft {

class communicator;

/// Returns true for the file endings of surfaces: .vtp, .pvtp, .stl and .ply, in lower case.
[[nodiscard]] bool is_surface_suffix(std::string const& suffix) noexcept;

/// Writes a surface in the format of the file's ending: .stl and .ply in binary; .pvtp as an index and a
/// folder with one VTK file for each rank; all other endings as one VTK file (.vtp) that all ranks write.
/// `wanted` has the value of the field on each surface; if there are several surfaces, the file has for each
/// point the value of its surface. The fields of the surface become arrays of VTK files and properties of
/// .ply files; .stl files have no fields. Files appear when they are complete; the name "-" is standard
/// output. The bytes of files do not depend on the number of ranks, except for .pvtp.
///
/// Collective: yes. Blocks: until all ranks have written. Cost: one pass over the surface; for .stl and .pvtp
/// also messages with the places of points for triangles on other ranks. Throws: on all ranks `io_error`;
/// `usage_error` for more triangles or points than a format can have, for arrays whose lengths differ from
/// this rank's numbers of points or triangles, an invalid corner, a point whose value is not in `wanted`, and
/// if blocks, fields, `wanted` or `file` differ between ranks.
void write_surface(communicator const& comm, surface const& what, std::span<double const> wanted,
    std::filesystem::path const& file);

} // namespace weft
