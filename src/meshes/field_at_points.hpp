/// Fields of the cells of a mesh as fields of its points.
#pragma once

#include <meshes/read_mesh.hpp>

namespace weft {

/// Turns a field of cells into a field of points, for algorithms that work on points: a point gets the mean
/// over the cells around it that have a value, or NaN if it has no such cell. Cells without a value are left
/// out. A field of points stays as it is.
///
/// Collective: yes. Blocks: until all ranks have theirs. Cost: a `part_to_block` of all corners, and a new
/// numbering of the cells if some are left out. Order: means are added up in the order of the cells, so they
/// are the same at any number of ranks. Throws: `mpi_error`, and `std::bad_alloc`, agreed.
[[nodiscard]] mesh_input with_field_at_points(communicator const& comm, mesh_input of);

} // namespace weft
