/// Components get numbers, and what all blocks know of each is brought together.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/core/ids.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// The facts on a component: by a part of it, or of the whole.
struct component_facts {
    global_id label = 0;     ///< its first voxel in the whole grid
    std::int64_t number = 0; ///< from 1, in the order of first voxels
    std::int64_t voxels = 0;
    std::int64_t first_plane = 0; ///< the planes that it reaches, the last included
    std::int64_t last_plane = 0;
};

struct label_summary {
    std::int64_t components = 0;
    std::vector<std::int64_t> largest;  ///< the sizes of the largest ten, descending
    std::int64_t number_of_largest = 0; ///< of equal ones the first; 0 if there are no components
};

/// Turns facts of parts into facts of whole components. Parts of one component have the same label, 0 to
/// `labels` - 1. Collective: yes. Blocks: until all ranks have called. Cost: two sparse exchanges of 40 bytes
/// for each distinct label of a rank, and one of the largest sizes. Order: numbers do not depend on who has
/// what. Throws: `mpi_error`.
label_summary number_components(
    communicator const& comm, std::int64_t labels, std::vector<component_facts>& parts);

} // namespace weft
