/// Fields of the cells of a mesh as fields of its points.
#pragma once

#include <meshes/read_mesh.hpp>

namespace weft {

/// Gives a field of cells to the points, for whatever goes from point to point: each has the mean of the
/// cells around it that have a value, and none where no cell has one. Cells without a value are left out. A
/// field of points stays as it is.
///
/// Collective: yes. Blocks: until all ranks have theirs. Cost: a `part_to_block` of all corners; the rest of
/// the cells is dealt anew where some are left out. Order: means are added up in the order of the cells, so
/// they are the same at any number of ranks. Throws: `mpi_error`, and `std::bad_alloc`, agreed.
[[nodiscard]] mesh_input with_field_at_points(communicator const& comm, mesh_input of);

} // namespace weft
