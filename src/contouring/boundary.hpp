/// The outside of a mesh. Private.
#pragma once

#include <weft/contouring/surface.hpp>

namespace weft::contouring {

/// Makes the surface of the faces that one cell alone has, in triangles, with a field of single values at
/// points or at cells. A face of four corners is cut from the one with the lowest id. Normals are 0.
///
/// Collective: yes. Blocks: until all ranks are done. Cost: an exchange of 40 bytes a face of a cell, a sort
/// of them, a `part_to_block` of the corners that are left. Order: by the corners of faces, whatever the
/// number of ranks. Throws: what `exchange` throws; `std::bad_alloc`, agreed.
[[nodiscard]] surface boundary_of(
    communicator const& comm, mesh const& of, named_values const& field, bool field_of_cells);

} // namespace weft::contouring
