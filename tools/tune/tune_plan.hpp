/// Which ranks `weft tune` measures together.
#pragma once

#include <weft/core/topology.hpp>

#include <vector>

namespace weft::tool {

/// How the ranks of a group lie.
enum class placement { inside, between, mixed };

struct tune_group {
    placement how = placement::inside;
    std::vector<int> ranks; ///< at least two
};

/// Groups of 2, 4, 8 ... and of all ranks: of the largest node; of one rank on each node; and, where several
/// nodes have several ranks, of all ranks as they come. The same on all ranks. Local.
[[nodiscard]] std::vector<tune_group> plan_groups(topology const& nodes, int ranks);

} // namespace weft::tool
