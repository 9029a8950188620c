/// Numbers components, and merges the facts that blocks know about each.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/core/ids.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// Facts about a component, or about a part of one.
struct component_facts {
    global_id label = 0;     ///< its first voxel in the whole grid
    std::int64_t number = 0; ///< from 1, in the order of first voxels
    std::int64_t voxels = 0;
    std::int64_t first_plane = 0; ///< the first and last plane it reaches
    std::int64_t last_plane = 0;
};

struct label_summary {
    std::int64_t components = 0;
    std::vector<std::int64_t> largest;  ///< the sizes of the largest ten, descending
    std::int64_t number_of_largest = 0; ///< the first of equal ones; 0 if there are no components
};

/// Replaces facts about parts by facts about whole components. Parts of one component have the same label,
/// from 0 to `labels` - 1. Collective: yes. Blocks: until all ranks have called. Cost: two sparse exchanges
/// of 40 bytes for each distinct label of a rank, and one of the largest sizes. Order: the numbers do not
/// depend on the distribution of parts over ranks. Throws: `mpi_error`.
label_summary number_components(
    communicator const& comm, std::int64_t labels, std::vector<component_facts>& parts);

} // namespace weft
