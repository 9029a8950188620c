/// Files of the cells that a threshold keeps, which no rank has in memory. Private.
#pragma once

#include <contouring/kept_points.hpp>

#include <filesystem>
#include <string>

namespace weft::contouring {

/// Writes the kept cells of a volume as .vtu, to the byte as `write_mesh` would write their mesh; each rank
/// makes its points and its cells as it writes them. `cells`: of this rank.
///
/// Collective: yes. Blocks: until all have written. Cost: one pass; pieces of 512 KiB. Throws: `io_error`,
/// agreed.
template <class T>
void write_kept(communicator const& comm, grid_lines const& grid, std::span<grid_values<T> const> mine,
    std::vector<kept_box> const& boxes, kept_points const& points, std::string const& name,
    std::int64_t cells, std::filesystem::path const& file);

} // namespace weft::contouring
