/// A graph whose vertices with many neighbours are on all ranks. Private.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/graph/simple_graph.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft {

/// The end of an edge, in one word: a vertex of this rank by its local number, a delegate by its place
/// among them, or a vertex of another rank.
class edge_end {
public:
    [[nodiscard]] static edge_end local(std::int64_t number) noexcept { return edge_end(0, number); }
    [[nodiscard]] static edge_end delegate(std::int64_t place) noexcept { return edge_end(1, place); }
    [[nodiscard]] static edge_end remote(global_id vertex) noexcept { return edge_end(2, vertex); }

    [[nodiscard]] bool is_local() const noexcept { return word_ >> value_bits == 0; }
    [[nodiscard]] bool is_delegate() const noexcept { return word_ >> value_bits == 1; }
    /// The number, place, or vertex.
    [[nodiscard]] std::int64_t value() const noexcept {
        return static_cast<std::int64_t>(word_ & ((std::uint64_t{1} << value_bits) - 1));
    }

private:
    static constexpr int value_bits = 62;
    edge_end(std::uint64_t kind, std::int64_t value) noexcept
        : word_(kind << value_bits | static_cast<std::uint64_t>(value)) {}

    std::uint64_t word_;
};

/// The ends of the edges at each of some vertices.
struct end_lists {
    std::vector<std::size_t> first; ///< one more at the end
    std::vector<edge_end> ends;

    [[nodiscard]] std::span<edge_end const> of(std::int64_t place) const noexcept {
        auto const i = static_cast<std::size_t>(place);
        return std::span(ends).subspan(first[i], first[i + 1] - first[i]);
    }
};

/// A vertex that is not a delegate has a list of all its neighbours. The edges of a delegate are on the
/// rank of the other endpoint; an edge between two delegates is on one rank.
struct delegated_graph {
    std::vector<global_id> delegates; ///< ascending, the same on all ranks
    end_lists of_local;               ///< by local vertex; nothing for delegates
    end_lists of_delegate;            ///< the part on this rank: local vertices and delegates
};

/// Makes delegates of the vertices with more than `threshold` neighbours. Collective: yes, within a gate.
/// Cost: O(edges / P), three phases of a mailbox: the degrees, a broadcast of each delegate, 16 bytes an
/// edge between ranks. Throws: what the gate has kept, agreed; a `remote_error` where a rank fails among
/// its messages. The gate keeps what fails in the end.
[[nodiscard]] delegated_graph delegate_hubs(gate& call, simple_graph const& graph, std::int64_t threshold);

} // namespace weft
