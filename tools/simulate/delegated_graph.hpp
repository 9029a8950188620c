/// An R-MAT graph over ranks, whose vertices of most edges every rank has a copy of.
#pragma once

#include <weft/graph/edge_list.hpp>
#include <weft/io/generators.hpp>

#include <cstdint>
#include <vector>

namespace weft::tool {

/// Source: Priest and others, YGM, 2019, section V.B: vertices of high degree are delegates, which every rank
/// has. All others belong to rank `vertex mod ranks`. An edge between a delegate and another vertex lies
/// where that vertex is.
struct delegated_graph {
    /// An entry of the symmetric matrix: what `from` has goes to `to`.
    std::vector<std::vector<edge>> edges_of;    ///< by rank
    std::vector<std::int32_t> delegate_numbers; ///< by vertex; -1: it is not one
    std::vector<std::int64_t> delegates;        ///< vertices, by number

    /// Delegates have at least `share` of the largest degree; 0: there are none.
    delegated_graph(rmat_options const& options, int ranks, double share);

    [[nodiscard]] std::int64_t vertices() const noexcept {
        return static_cast<std::int64_t>(delegate_numbers.size());
    }
    [[nodiscard]] int delegate(std::int64_t vertex) const noexcept {
        return delegate_numbers[static_cast<std::size_t>(vertex)];
    }
};

} // namespace weft::tool
