/// A graph whose edges point to the endpoint of higher degree. Private.
#pragma once

#include <frames/owner_cursor.hpp>
#include <weft/core/ids.hpp>
#include <weft/frames/uniform_distribution.hpp>
#include <weft/graph/simple_graph.hpp>
#include <weft/mailbox/mailbox.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft {

/// Names of vertices, one word each, that are ordered by degree and then by vertex. If a word has too few
/// bits for the largest degrees, these count as equal.
class degree_order {
public:
    using name = std::uint64_t;

    explicit degree_order(std::int64_t vertices) noexcept
        : bits_(std::bit_width(static_cast<std::uint64_t>(vertices))),
          most_((std::uint64_t{1} << (63 - bits_)) - 1) {}

    [[nodiscard]] name of(global_id vertex, std::int64_t degree) const noexcept {
        auto const known = static_cast<std::uint64_t>(degree);
        return (known < most_ ? known : most_) << bits_ | static_cast<std::uint64_t>(vertex);
    }
    [[nodiscard]] global_id vertex_of(name of) const noexcept {
        return static_cast<global_id>(of & ((std::uint64_t{1} << bits_) - 1));
    }

private:
    int bits_;
    std::uint64_t most_;
};

/// Each edge as an arc from its lower endpoint, on the owner of that endpoint.
struct oriented_arcs {
    degree_order order;
    std::vector<std::size_t> first;          ///< by local vertex, one more at the end
    std::vector<degree_order::name> targets; ///< of each vertex, ascending

    [[nodiscard]] std::span<degree_order::name const> of(std::int64_t local) const noexcept {
        auto const i = static_cast<std::size_t>(local);
        return std::span(targets).subspan(first[i], first[i + 1] - first[i]);
    }
};

/// Makes the arcs of each vertex from edges. Any rank that owns an endpoint may pass an edge; an edge that
/// is passed several times becomes several equal arcs.
class arc_orientation {
public:
    using name = degree_order::name;

    /// `degree` has the degrees of this rank's vertices. It must outlive this object, and so must the
    /// mailbox. No blocking call may come between the construction of the mailbox and `finish`. Collective:
    /// yes.
    arc_orientation(
        uniform_distribution const& vertices, int here, std::span<std::int64_t const> degree, mailbox& mail);
    arc_orientation(arc_orientation const&) = delete;
    arc_orientation& operator=(arc_orientation const&) = delete;

    /// Takes an edge from a vertex of this rank to any. Local.
    void take(std::int64_t local, global_id other) {
        int const owner = owner_of_(other);
        name const own = name_of(local);
        if (owner != here_) {
            proposed_.send(owner, {other, own});
            return;
        }
        name const far = name_of(other - first_);
        arcs_.push_back(own < far ? arc{first_ + local, far} : arc{other, own});
    }
    /// Returns the arcs. Collective: yes. Cost: O(edges / P), one drain of the mailbox with at most two
    /// messages of 16 bytes an edge.
    [[nodiscard]] oriented_arcs finish();

private:
    struct arc {
        global_id vertex; // owned by the receiver
        name other;
    };
    [[nodiscard]] name name_of(std::int64_t local) const noexcept {
        return order_.of(first_ + local, degree_[static_cast<std::size_t>(local)]);
    }

    degree_order order_;
    int here_;
    global_id first_;
    std::span<std::int64_t const> degree_;
    mailbox& mail_;
    owner_cursor owner_of_;
    std::vector<arc> arcs_;
    channel<arc> lower_;
    channel<arc> proposed_;
};

/// Orients the edges of a graph by the degrees of its vertices; `degree` has those of this rank.
/// Collective, Cost: as `arc_orientation`.
[[nodiscard]] oriented_arcs orient_by_degree(
    simple_graph const& graph, std::span<std::int64_t const> degree, mailbox& mail);

} // namespace weft
