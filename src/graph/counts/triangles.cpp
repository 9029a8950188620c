#include <weft/graph/triangles.hpp>

#include "mailed_degrees.hpp"
#include "oriented_arcs.hpp"
#include "stored_triangles.hpp"
#include "triangle_listener.hpp"

#include <frames/owner_cursor.hpp>
#include <protocol/gated_sums.hpp>
#include <weft/core/error.hpp>
#include <weft/mailbox/mailbox.hpp>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace weft {

namespace {

using vertex_names = std::span<degree_order::name const>;

/// Calls `visit` with each name that two ascending lists have in common.
template <class Visit>
void for_each_common(vertex_names a, vertex_names b, Visit const& visit) {
    for (std::size_t i = 0, k = 0; i < a.size() && k < b.size();) {
        if (a[i] == b[k]) visit(a[i]);
        bool const next_a = a[i] <= b[k];
        bool const next_b = b[k] <= a[i];
        i += next_a;
        k += next_b;
    }
}

/// Returns the number of names that two ascending lists have in common.
std::int64_t count_common(vertex_names few, vertex_names many) noexcept {
    if (few.size() > many.size()) std::swap(few, many);
    std::int64_t common = 0;
    if (many.size() / 16 > few.size()) { // much longer: search
        auto from = many.begin();
        for (auto const each : few) {
            from = std::lower_bound(from, many.end(), each);
            if (from == many.end()) break;
            common += *from == each;
        }
        return common;
    }
    for (std::size_t i = 0, k = 0; i < few.size() && k < many.size();) { // without branches but the loop's
        auto const a = few[i];
        auto const b = many[k];
        common += a == b;
        i += a <= b;
        k += b <= a;
    }
    return common;
}

/// One rank's part of the counting.
class counter {
public:
    counter(simple_graph const& graph, oriented_arcs const& arcs, triangle_listener& listener) noexcept
        : graph_(graph),
          arcs_(arcs),
          begin_(graph.first_vertex()),
          end_(begin_ + graph.local_count()),
          listener_(listener) {}

    /// `targets` are those of vertex `from`. Finds the edges between two of them whose lower one is a
    /// vertex of this rank: each is part of a triangle.
    void close(global_id from, vertex_names targets) noexcept {
        for (std::size_t i = 0; i + 1 < targets.size(); ++i) {
            global_id const vertex = arcs_.order.vertex_of(targets[i]);
            if (vertex < begin_ || vertex >= end_) continue;
            auto const others = targets.subspan(i + 1);
            auto const own = arcs_.of(vertex - begin_);
            if (!listener_.visits())
                found_ += count_common(others, own);
            else
                for_each_common(others, own, [&](degree_order::name third) {
                    ++found_;
                    listener_.tell({from, vertex, arcs_.order.vertex_of(third)});
                });
        }
    }

    /// Sends the target list of each vertex, from the receiver's first target on, to each rank that owns a
    /// target. The vertex itself comes first if triangles are visited. This rank closes its own.
    void send_all(channel<std::vector<degree_order::name>> const& wedges) {
        owner_cursor owner_of(graph_.vertices());
        int const here = graph_.comm().rank();
        std::vector<std::int64_t> told(static_cast<std::size_t>(graph_.comm().size()), -1);
        std::vector<degree_order::name> message;
        global_id const first = graph_.first_vertex();
        for (std::int64_t local = 0; local < graph_.local_count(); ++local) {
            vertex_names const targets = arcs_.of(local);
            for (std::size_t i = 0; i + 1 < targets.size(); ++i) {
                int const owner = owner_of(arcs_.order.vertex_of(targets[i]));
                if (std::exchange(told[static_cast<std::size_t>(owner)], local) == local) continue;
                vertex_names const from_there = targets.subspan(i);
                if (owner == here) {
                    close(first + local, from_there);
                } else {
                    message.clear();
                    if (listener_.visits()) message.push_back(static_cast<degree_order::name>(first + local));
                    message.insert(message.end(), from_there.begin(), from_there.end());
                    wedges.send(owner, message);
                }
            }
        }
    }

    /// Closes what `send_all` of another rank has sent.
    void take(vertex_names message) noexcept {
        if (!listener_.visits())
            close(0, message);
        else
            close(static_cast<global_id>(message[0]), message.subspan(1));
    }

    [[nodiscard]] std::int64_t found() const noexcept { return found_; }

private:
    simple_graph const& graph_;
    oriented_arcs const& arcs_;
    global_id begin_;
    global_id end_;
    triangle_listener& listener_;
    std::int64_t found_ = 0;
};

std::int64_t find_triangles(gate& call, simple_graph const& graph, triangle_visitor const* visit) {
    constexpr std::int64_t few = 8; // edges of a vertex, as in a map of roads
    if (graph.most_stored() <= few) return find_triangles_as_stored(call, graph, visit);
    triangle_listener listener(visit);
    std::vector<std::int64_t> const degree = count_neighbors_by_mail(call, graph);
    mailbox mail(graph.comm());
    oriented_arcs arcs{degree_order(graph.vertex_count()), {}, {}};
    counter mine(graph, arcs, listener);
    auto const wedges =
        mail.channel<std::vector<degree_order::name>>([&](vertex_names message) { mine.take(message); });
    arcs = orient_by_degree(graph, degree, mail);
    mine.send_all(wedges);
    mail.drain();
    call.guard([&] { listener.rethrow(); });
    return sum(call, mine.found());
}

} // namespace

std::int64_t count_triangles(simple_graph const& graph) {
    gate call(graph.comm(), "count_triangles");
    return find_triangles(call, graph, nullptr);
}

std::int64_t for_each_triangle(simple_graph const& graph, triangle_visitor const& visit) {
    gate call(graph.comm(), "for_each_triangle");
    agreed(call, [&] {
        if (!visit) throw usage_error("for_each_triangle: expected a visitor, found none");
    });
    return find_triangles(call, graph, &visit);
}

} // namespace weft
