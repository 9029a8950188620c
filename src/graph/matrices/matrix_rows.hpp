/// From the entries that the ranks hold to the rows of each rank. Private.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/frames/uniform_distribution.hpp>
#include <weft/graph/edge_list.hpp>

#include <vector>

namespace weft {

/// The rows of this rank, their entries ascending by column. Duplicates are ascending by the bits of their
/// values, so that the order does not depend on who has read them.
struct matrix_rows {
    std::vector<std::size_t> first; ///< by local row, one more at the end
    std::vector<global_id> column;
    std::vector<double> value;
};

/// Sends every entry, and what symmetry implies, to the owner of its row. Collective: yes, within a gate.
/// Cost: one exchange of 16 bytes an entry, O(entries / P) time and memory. Throws: what the gate has kept,
/// agreed. Where there is no memory for the rows in the end, the gate keeps that.
[[nodiscard]] matrix_rows collect_rows(
    gate& call, edge_list entries, uniform_distribution const& rows, uniform_distribution const& columns);

} // namespace weft
