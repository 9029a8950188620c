/// A distributed graph, undirected and simple.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/core/ids.hpp>
#include <weft/frames/block_distribution.hpp>
#include <weft/io/edge_list.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace weft {

/// A graph seen as undirected and simple: directions forgotten, loops and duplicates dropped.
///
/// Vertices are numbered 0..n-1 in ascending order of their original ids, whatever the number of ranks, and
/// owned in contiguous blocks of equal size. Every edge is stored once, with one of its two endpoints (chosen
/// by the parity of their sum, so that a vertex of high degree keeps half of its edges), on the rank that
/// owns that endpoint.
class simple_graph {
public:
    /// Distributes a graph and takes its edges.
    /// Collective: yes, over `comm`. Blocks: until all ranks have called. Cost: O(edges / P) time and memory
    /// a rank, one exchange of the edges, and five of the labels where the vertices are those that occur.
    /// Throws: `usage_error` (an endpoint that is no vertex), `mpi_error`.
    simple_graph(communicator comm, edge_list edges);

    [[nodiscard]] communicator const& comm() const noexcept { return comm_; }
    [[nodiscard]] uniform_distribution const& vertices() const noexcept { return vertices_; }
    [[nodiscard]] std::int64_t vertex_count() const noexcept { return vertices_.total(); }
    /// Distinct edges between distinct vertices, on all ranks together.
    [[nodiscard]] std::int64_t edge_count() const noexcept { return edge_count_; }
    /// Loops that were dropped, counted as the input lists them, on all ranks together.
    [[nodiscard]] std::int64_t loop_count() const noexcept { return loop_count_; }

    /// The first vertex of this rank and how many it owns.
    [[nodiscard]] global_id first_vertex() const noexcept { return vertices_.begin(comm_.rank()); }
    [[nodiscard]] std::int64_t local_count() const noexcept { return vertices_.size(comm_.rank()); }

    /// The other endpoints of the edges that are stored with local vertex `first_vertex() + local`,
    /// ascending.
    [[nodiscard]] std::span<global_id const> stored_neighbors(std::int64_t local) const noexcept {
        auto const i = static_cast<std::size_t>(local);
        return std::span(others_).subspan(first_[i], first_[i + 1] - first_[i]);
    }
    [[nodiscard]] std::span<global_id const> stored_others() const noexcept { return others_; }

    /// What the original ids are.
    [[nodiscard]] vertex_naming naming() const noexcept { return naming_; }
    /// The original ids of vertices of any rank, as text, in the order asked.
    /// Collective: yes; ranks may ask for different numbers of vertices. Cost: two exchanges, O(asked).
    [[nodiscard]] std::vector<std::string> original_ids(std::span<global_id const> asked) const;

private:
    [[nodiscard]] std::string original_id_of_local(std::int64_t local) const;

    communicator comm_;
    uniform_distribution vertices_;
    std::int64_t edge_count_ = 0;
    std::int64_t loop_count_ = 0;
    std::vector<std::size_t> first_; // by local vertex, one more at the end
    std::vector<global_id> others_;
    vertex_naming naming_ = vertex_naming::declared;
    std::int64_t first_id_ = 0;               // for declared
    std::vector<std::int64_t> number_labels_; // for numbers, by local vertex
    std::vector<std::string> text_labels_;    // for text, by local vertex
};

} // namespace weft
