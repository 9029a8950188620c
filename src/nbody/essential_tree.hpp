/// The facts that a rank must know of the masses of the others.
#pragma once

#include "source_tree.hpp"

#include <weft/extend/protocol/gate.hpp>

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
/// yes, within a gate. Blocks: until what is for this rank is here. Cost: P boxes, two sparse exchanges.
/// Throws: what the gate has kept, and for want of memory, agreed; `mpi_error`. The gate keeps what fails
/// in the end.
[[nodiscard]] essential_parts exchange_trees(
    gate& call, source_tree const& tree, opening_rule const& rule, bounds const& mine);

/// The same parts, asked for: each rank gets the roots of the others and asks, cell by cell, for the children
/// of those that it must open. Collective: yes, within a gate. Blocks: until no question is open anywhere.
/// Cost: a census and a mailbox; as many turns as the tree is deep, of which ranks are in different ones at a
/// time. Throws: what the gate has kept, agreed; what handlers throw, as `mailbox::drain`; `mpi_error`.
[[nodiscard]] essential_parts request_trees(
    gate& call, source_tree const& tree, opening_rule const& rule, bounds const& mine);

} // namespace weft::nbody
