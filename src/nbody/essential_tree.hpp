/// The parts of the trees of other ranks that a rank needs.
#pragma once

#include "source_tree.hpp"

#include <weft/extend/protocol/gate.hpp>

#include <cstdint>
#include <vector>

namespace weft::nbody {

/// Cells of other ranks that are far enough from all particles of this rank, and sources of the others.
struct essential_parts {
    std::vector<source> sources;
    std::vector<distant_cell> cells;
    std::int64_t neighbors = 0; ///< Ranks to which this one has sent.
};

/// Each rank walks its tree once for the domain of every other rank and sends the parts needed there; the
/// senders alone decide about them. `mine`: the box around the particles of this rank, scaled. Collective:
/// yes, within a gate. Blocks: until the parts for this rank have arrived. Cost: P boxes, two sparse
/// exchanges. Throws: the errors kept in the gate, and for lack of memory, agreed; `mpi_error`. The gate
/// keeps errors of the last step.
[[nodiscard]] essential_parts exchange_trees(
    gate& call, source_tree const& tree, opening_rule const& rule, bounds const& mine);

/// Returns the same parts on request: each rank gets the roots of the others and requests, cell by cell, the
/// children of those it must open. Collective: yes, within a gate. Blocks: until no request is open anywhere.
/// Cost: a census and a mailbox; as many turns as the tree is deep, in which ranks proceed independently.
/// Throws: the errors kept in the gate, agreed; errors of handlers, as `mailbox::drain`; `mpi_error`.
[[nodiscard]] essential_parts request_trees(
    gate& call, source_tree const& tree, opening_rule const& rule, bounds const& mine);

} // namespace weft::nbody
