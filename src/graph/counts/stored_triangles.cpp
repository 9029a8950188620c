#include "stored_triangles.hpp"

#include "graph/adjacency.hpp"
#include "triangle_listener.hpp"

#include <frames/owner_cursor.hpp>
#include <protocol/gated_sums.hpp>
#include <weft/mailbox/mailbox.hpp>

#include <span>

namespace weft {

namespace {

/// Two edges with a common vertex, `third`. They are part of a triangle if vertex `from` stores an edge to
/// `to`.
struct open_triangle {
    global_id from;
    global_id to;
    global_id third;
};

/// An edge from the vertex that stores it to a lower one.
struct falling_edge {
    global_id upper;
    global_id lower;
};

/// One rank's part of the counting. Triangles are of two kinds. Either one vertex stores two of the edges,
/// and no other vertex does; or each vertex stores one, and the edges form a cycle. In such a cycle just
/// one edge leads to a lower vertex, of the same parity; the other two ascend by way of a vertex between
/// these.
class stored_triangle_counter {
public:
    stored_triangle_counter(simple_graph const& graph, triangle_listener& listener, mailbox& mail)
        : first_(graph.first_stored()),
          ends_(graph.stored_others()),
          listener_(listener),
          first_own_(graph.first_vertex()),
          own_(graph.local_count()),
          owner_of_(graph.vertices()),
          open_(mail.channel<open_triangle>([this](std::span<open_triangle const> from_there) {
              for (open_triangle const& each : from_there) close(each);
          })),
          falling_(mail.channel<falling_edge>([this](std::span<falling_edge const> from_there) {
              for (falling_edge const& each : from_there) ascend(each);
          })) {}

    /// Takes all edges of this rank.
    void take_all() {
        constexpr std::size_t ahead = 16;
        std::size_t i = 0;
        for (std::int64_t local = 0; local < own_; ++local) {
            global_id const vertex = first_own_ + local;
            std::size_t const end = first_[static_cast<std::size_t>(local) + 1];
            for (; i < end; ++i) {
                global_id const other = ends_[i];
                if (i + ahead < ends_.size() && is_own(ends_[i + ahead]))
                    __builtin_prefetch(first_.data() + place_of(ends_[i + ahead]));
                if (other < vertex) {
                    if (is_own(other))
                        ascend({vertex, other});
                    else
                        falling_.send(owner_of_(other), {vertex, other});
                }
                for (std::size_t k = i + 1; k < end; ++k) look_for_edge(other, ends_[k], vertex);
            }
        }
    }

    [[nodiscard]] std::int64_t found() const noexcept { return found_; }

private:
    [[nodiscard]] bool is_own(global_id vertex) const noexcept {
        return static_cast<std::uint64_t>(vertex - first_own_) < static_cast<std::uint64_t>(own_);
    }
    [[nodiscard]] std::size_t place_of(global_id own) const noexcept {
        return static_cast<std::size_t>(own - first_own_);
    }

    /// Looks for an edge at the vertex that would store it.
    void look_for_edge(global_id lower, global_id upper, global_id third) {
        bool const with_lower = is_stored_with_lower(lower, upper);
        open_triangle const triangle{with_lower ? lower : upper, with_lower ? upper : lower, third};
        if (is_own(triangle.from))
            close(triangle);
        else
            open_.send(owner_of_(triangle.from), triangle);
    }

    /// Follows the edges of the lower vertex to vertices between both ends.
    void ascend(falling_edge const& edge) {
        std::size_t const place = place_of(edge.lower);
        for (std::size_t i = first_[place]; i < first_[place + 1]; ++i)
            if (global_id const between = ends_[i]; between > edge.lower && between < edge.upper)
                look_for_edge(between, edge.upper, edge.lower);
    }

    void close(open_triangle const& triangle) noexcept {
        if (!stores(place_of(triangle.from), triangle.to)) return;
        ++found_;
        if (listener_.visits()) listener_.tell({triangle.from, triangle.to, triangle.third});
    }

    [[nodiscard]] bool stores(std::size_t place, global_id end) const noexcept {
        std::size_t i = first_[place];
        std::size_t const last = first_[place + 1];
        if (last - i <= 2 && i + 2 <= ends_.size()) [[likely]] // mostly at most two: no branches
            return (static_cast<unsigned>(last > i) & static_cast<unsigned>(ends_[i] == end)) |
                   (static_cast<unsigned>(last > i + 1) & static_cast<unsigned>(ends_[i + 1] == end));
        bool found = false;
        for (; i < last; ++i) found |= ends_[i] == end;
        return found;
    }

    std::span<std::size_t const> first_; // by vertex of this rank
    std::span<global_id const> ends_;
    triangle_listener& listener_;
    global_id first_own_;
    std::int64_t own_;
    owner_cursor owner_of_;
    channel<open_triangle> open_;
    channel<falling_edge> falling_;
    std::int64_t found_ = 0;
};

} // namespace

std::int64_t find_triangles_as_stored(gate& call, simple_graph const& graph, triangle_visitor const* visit) {
    triangle_listener listener(visit);
    mailbox mail(graph.comm());
    stored_triangle_counter mine(graph, listener, mail);
    mine.take_all();
    mail.drain();
    call.guard([&] { listener.rethrow(); });
    return sum(call, mine.found());
}

} // namespace weft
