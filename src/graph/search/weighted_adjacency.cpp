#include "weighted_adjacency.hpp"

#include "graph/matrices/matrix_rows.hpp"

#include <algorithm>
#include <utility>

namespace weft {

weighted_adjacency store_weighted_edges(gate& call, uniform_distribution const& vertices, edge_list list,
    stored_with which, arc_weights duplicates) {
    std::int64_t loops = 0;
    for (edge& each : list.edges) {
        if (which == stored_with::target) std::swap(each.source, each.target);
        loops += each.source == each.target;
    }
    // As a matrix whose rows are the vertices.
    list.symmetry = matrix_symmetry::general;
    list.bipartite = list.both_directions = false;
    list.directed = which != stored_with::both_ends;
    matrix_rows rows = collect_rows(call, std::move(list), vertices, vertices);

    global_id const first = vertices.begin(call.comm().rank());
    call.guard([&] { // in place: rows only become shorter
        std::size_t kept = 0, begin = 0;
        for (std::size_t row = 0; row + 1 < rows.first.size(); ++row) {
            std::size_t const end = rows.first[row + 1], begin_kept = kept;
            for (std::size_t i = begin; i < end; ++i) {
                global_id const other = rows.column[i];
                double const weight = rows.value[i];
                if (other == first + static_cast<global_id>(row)) continue;
                if (kept > begin_kept && rows.column[kept - 1] == other) {
                    double& merged = rows.value[kept - 1];
                    merged = duplicates == arc_weights::sum ? merged + weight : std::min(merged, weight);
                    continue;
                }
                rows.column[kept] = other;
                rows.value[kept++] = weight;
            }
            rows.first[row + 1] = kept;
            begin = end;
        }
        rows.column.resize(kept);
        rows.value.resize(kept);
    });
    weighted_adjacency result;
    result.arcs.first = std::move(rows.first);
    result.arcs.others = std::move(rows.column);
    result.weight = std::move(rows.value);
    agree_on_totals(call, result.arcs, loops);
    return result;
}

} // namespace weft
