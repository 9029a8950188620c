/// From the labels that occur in an edge list to vertices 0..n-1. Private.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/frames/uniform_distribution.hpp>
#include <weft/graph/edge_list.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace weft {

/// The labels of the vertices that this rank owns, ascending.
template <class Label>
struct labelled_vertices {
    uniform_distribution vertices;
    std::vector<Label> labels;
};

/// Numbers the distinct labels of all ranks in ascending order, and replaces the endpoints of the edges,
/// which index `local_labels` (each label at most once a rank), by those numbers. Collective: yes, within a
/// gate. Cost: a sample sort of the labels: O(labels / P) memory a rank with high probability, five
/// exchanges, O(P) samples a rank on rank 0. Order: independent of the number of ranks. Throws: what the gate
/// has kept, agreed. Where there is no memory for the labels in the end, the gate keeps that.
labelled_vertices<std::string> number_vertices(
    gate& call, std::vector<edge>& edges, std::vector<std::string> local_labels);

/// The same for edges whose endpoints are the labels. Where the labels are close together, so that a bit for
/// each number from the least to the largest takes at most a word an edge of a rank, all ranks know these
/// bits: one reduction in place of the sort.
labelled_vertices<std::int64_t> number_vertices(gate& call, std::vector<edge>& edges);

} // namespace weft
