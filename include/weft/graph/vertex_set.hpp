/// The vertices of a distributed graph: their owners, and their names in the input.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/core/ids.hpp>
#include <weft/frames/uniform_distribution.hpp>
#include <weft/graph/edge_list.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

namespace detail {
class stored_rows;
} // namespace detail

/// Vertices 0..n-1, numbered in ascending order of their original ids (as numbers or as text) at any number
/// of ranks. Ranks own contiguous blocks of vertices, of equal size or sizes that differ by one.
class vertex_set {
public:
    /// Numbers the vertices of a graph and replaces the endpoints of its edges by these numbers; `list.names`
    /// is empty afterwards. Collective: yes, over `comm`. Blocks: until all ranks have called. Cost: O(edges
    /// / P); unless the vertices are declared, also a sample sort of the labels with five exchanges. Throws:
    /// `usage_error` (an invalid endpoint), `mpi_error`.
    vertex_set(communicator comm, edge_list& list);

    /// Returns the communicator of the vertices.
    [[nodiscard]] communicator const& comm() const noexcept { return comm_; }
    /// Returns the vertices that each rank owns.
    [[nodiscard]] uniform_distribution const& owners() const noexcept { return owners_; }
    /// Returns the first vertex of this rank.
    [[nodiscard]] global_id first_local() const noexcept { return owners_.begin(comm_.rank()); }
    /// Returns the number of vertices that this rank owns.
    [[nodiscard]] std::int64_t local_count() const noexcept { return owners_.size(comm_.rank()); }

    /// Returns the kind of the original ids.
    [[nodiscard]] vertex_naming naming() const noexcept { return naming_; }
    /// Returns the original id of vertex `first_local() + local`. Local.
    [[nodiscard]] std::string original_id(std::int64_t local) const;
    /// Returns the original ids of the given vertices as text, in the order of `asked`. Any rank may own the
    /// vertices, which lie in 0..n-1. Collective: yes; ranks may ask for different numbers of vertices.
    /// Blocks: until all ranks have called. Cost: two exchanges, O(asked). Throws: `usage_error` on all ranks
    /// for a vertex that does not exist; `mpi_error`.
    [[nodiscard]] std::vector<std::string> original_ids(std::span<global_id const> asked) const;
    /// Returns the vertex with this name in the input; -1 if there is no such vertex. Collective: yes, with
    /// the same text on all ranks. Blocks: until all ranks have called. Cost: one small all-reduce, O(log(n /
    /// P)). Throws: `usage_error` on all ranks if the texts differ; `mpi_error`.
    [[nodiscard]] global_id find(std::string_view original_id) const;

private:
    friend class detail::stored_rows;
    vertex_set(communicator comm, uniform_distribution owners, vertex_naming naming, std::int64_t first_id,
        std::vector<std::int64_t> numbers, std::vector<std::string> texts);

    communicator comm_;
    uniform_distribution owners_;
    vertex_naming naming_;
    std::int64_t first_id_;                   // for declared, and for numbers that ascend by 1
    std::vector<std::int64_t> number_labels_; // for other numbers, by local vertex
    std::vector<std::string> text_labels_;    // for text, by local vertex
};

} // namespace weft
