/// Writes the cells that a threshold keeps, without holding them in memory. Private.
#pragma once

#include <contouring/kept_points.hpp>

#include <filesystem>
#include <string>

namespace weft::contouring {

/// Writes the kept cells of a volume as .vtu, with the same bytes as `write_mesh` of their mesh. Each rank
/// computes its points and cells while it writes them. `cells`: their number on this rank.
///
/// Collective: yes. Blocks: until all have written. Cost: one pass; writes of 512 KiB. Throws: `io_error`,
/// agreed.
template <class T>
void write_kept(communicator const& comm, grid_lines const& grid, std::span<grid_values<T> const> mine,
    std::vector<kept_box> const& boxes, kept_points const& points, std::string const& name,
    std::int64_t cells, std::filesystem::path const& file);

} // namespace weft::contouring
