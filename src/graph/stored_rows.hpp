/// Graphs whose rows lie in a file: forms are made of them without an exchange and without sorting. Private.
#pragma once

#include <weft/extend/protocol/gate.hpp>
#include <weft/graph/graph.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace weft::detail {

/// The neighbours of the vertices of this rank: ascending in each row, distinct, without the vertex itself.
struct vertex_rows {
    std::vector<std::size_t> first; ///< by local vertex, one more at the end
    std::vector<std::uint32_t> ids; ///< vertices of all ranks, fewer than 2^32 - 1
    std::vector<double> weights;    ///< one for each id, the least of several equal edges; or empty
};

/// The kind of neighbours; both are the same for an undirected graph.
enum class row_side : std::uint8_t { outgoing, incoming };

/// A graph that was built before. Each call reads its result from the file; the forms keep what they need.
class stored_rows {
public:
    virtual ~stored_rows() = default;
    stored_rows(stored_rows const&) = delete;
    stored_rows& operator=(stored_rows const&) = delete;

    /// Reads the rows of this rank's vertices. Collective: yes, within a gate. Throws: `io_error`, and what
    /// the gate has kept, agreed.
    [[nodiscard]] virtual vertex_rows rows(gate& call, row_side side, bool weights) const = 0;
    /// Reads the edges, each on one rank, with loops, equal ones and, if they are asked for, weights; ends
    /// are vertices. Collective, Throws: as `rows`.
    [[nodiscard]] virtual edge_list edges(gate& call, bool weights) const = 0;

    [[nodiscard]] bool directed() const noexcept { return directed_; }
    /// True if there are weights, and the caller wants them.
    [[nodiscard]] bool weighted() const noexcept { return weighted_; }
    /// The number that the input gives vertex 0, if vertices are declared.
    [[nodiscard]] std::int64_t first_id() const noexcept { return first_id_; }
    /// True if an edge that is no loop is there more than once, so that its weights have a sum.
    [[nodiscard]] bool has_equal_edges() const noexcept { return has_equal_edges_; }

    /// Makes the forms of a `graph`. Collective: yes, within a gate. Cost: O(edges / P), one read of the rows
    /// of each side that is needed, two censuses. Throws: as `rows`.
    [[nodiscard]] simple_graph simple(gate& call, uniform_distribution const& vertices) const;
    [[nodiscard]] arc_graph arcs(
        gate& call, uniform_distribution const& vertices, arc_direction direction, bool weights) const;
    /// Makes the graph that is stored. Local.
    [[nodiscard]] static graph graph_of(vertex_set vertices, std::shared_ptr<stored_rows const> rows);

protected:
    stored_rows() = default;

    /// The vertices with the names of this rank's; numbers without any ascend from `first_id`. Local.
    [[nodiscard]] static vertex_set vertices_of(communicator comm, std::int64_t vertices,
        vertex_naming naming, std::int64_t first_id, std::vector<std::int64_t> numbers,
        std::vector<std::string> texts);

    bool directed_ = false;
    bool weighted_ = false;
    bool has_equal_edges_ = false;
    std::int64_t first_id_ = 0;
    std::int64_t loops_ = 0; ///< on all ranks

private:
    /// Without names, as the forms of a `graph` have them.
    [[nodiscard]] static vertex_set numbered_vertices(
        communicator const& comm, uniform_distribution const& owners);
    [[nodiscard]] vertex_rows rows_along(gate& call, arc_direction direction, bool weights) const;
};

} // namespace weft::detail
