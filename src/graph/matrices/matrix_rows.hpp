/// Distributes the entries of a matrix to the owners of rows. Private.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/frames/uniform_distribution.hpp>
#include <weft/graph/edge_list.hpp>

#include <vector>

namespace weft {

/// The rows of this rank, with entries ascending by column. Duplicates are ascending by the bits of their
/// values, so that the order does not depend on the ranks that read them.
struct matrix_rows {
    std::vector<std::size_t> first; ///< by local row, with the end in an extra element
    std::vector<global_id> column;
    std::vector<double> value;
};

/// Sends every entry, and its mirror if the matrix is symmetric, to the owner of its row. Collective: yes,
/// within a gate. Cost: one exchange of 16 bytes for each entry, O(entries / P) time and memory. Throws: the
/// errors kept in the gate, agreed. The gate keeps a final lack of memory.
[[nodiscard]] matrix_rows collect_rows(
    gate& call, edge_list entries, uniform_distribution const& rows, uniform_distribution const& columns);

} // namespace weft
