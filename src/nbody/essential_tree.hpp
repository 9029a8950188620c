/// The facts that a rank must know of the masses of the others.
#pragma once

#include "source_tree.hpp"

#include <weft/core/communicator.hpp>

#include <cstdint>
#include <vector>

namespace weft::nbody {

/// Cells that are far enough from all particles of this rank, and the sources that are not.
struct essential_parts {
    std::vector<source> sources;
    std::vector<distant_cell> cells;
    std::int64_t neighbors = 0; ///< Ranks that this one has sent to.
};

/// Each rank walks its tree once for the domain of every other rank and sends what that rank needs: who gets
/// something is decided by the sender. `mine`: the box around the particles of this rank, scaled. Collective:
/// yes. Blocks: until what is for this rank is here. Cost: P boxes, two sparse exchanges. Throws:
/// `mpi_error`.
[[nodiscard]] essential_parts exchange_trees(
    communicator const& comm, source_tree const& tree, opening_rule const& rule, bounds const& mine);

/// The same parts, asked for: each rank gets the roots of the others and asks, cell by cell, for the children
/// of those that it must open. Collective: yes. Blocks: until no question is open anywhere. Cost: a mailbox;
/// as many turns as the tree is deep, of which ranks are in different ones at a time. Throws: `mpi_error`.
[[nodiscard]] essential_parts request_trees(
    communicator const& comm, source_tree const& tree, opening_rule const& rule, bounds const& mine);

} // namespace weft::nbody
