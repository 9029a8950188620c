/// The boundary of a mesh. Private.
#pragma once

#include <weft/contouring/surface.hpp>

namespace weft::contouring {

/// Makes a surface of triangles from the faces that belong to one cell only, with a field of one component at
/// points or cells. A face of four corners is cut from its lowest corner. Normals are 0.
///
/// Collective: yes. Blocks: until all ranks are done. Cost: an exchange and a sort of 40 bytes for each face
/// of a cell, and a `part_to_block` of the remaining corners. Order: by the corners of faces, at any number
/// of ranks. Throws: as `exchange`; `std::bad_alloc`, agreed.
[[nodiscard]] surface boundary_of(
    communicator const& comm, mesh const& of, named_values const& field, bool field_of_cells);

} // namespace weft::contouring
