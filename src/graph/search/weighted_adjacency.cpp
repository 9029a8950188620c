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
    matrix_rows const rows = collect_rows(call, std::move(list), vertices, vertices);

    weighted_adjacency result;
    global_id const first = vertices.begin(call.comm().rank());
    call.guard([&] {
        result.arcs.first.assign(rows.first.size(), 0);
        for (std::size_t row = 0; row + 1 < rows.first.size(); ++row) {
            std::size_t const begin = result.arcs.others.size();
            for (std::size_t i = rows.first[row]; i < rows.first[row + 1]; ++i) {
                if (rows.column[i] == first + static_cast<global_id>(row)) continue;
                if (result.arcs.others.size() > begin && result.arcs.others.back() == rows.column[i]) {
                    double& merged = result.weight.back();
                    merged = duplicates == arc_weights::sum ? merged + rows.value[i]
                                                            : std::min(merged, rows.value[i]);
                    continue;
                }
                result.arcs.others.push_back(rows.column[i]);
                result.weight.push_back(rows.value[i]);
            }
            result.arcs.first[row + 1] = result.arcs.others.size();
        }
    });
    agree_on_totals(call, result.arcs, loops);
    return result;
}

} // namespace weft
