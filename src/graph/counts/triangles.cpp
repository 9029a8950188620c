#include <weft/graph/triangles.hpp>

#include "mailed_degrees.hpp"
#include "oriented_arcs.hpp"

#include <frames/owner_cursor.hpp>
#include <weft/mailbox/mailbox.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace weft {

namespace {

using vertex_names = std::span<degree_order::name const>;

/// How many names two ascending lists have in common.
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
    counter(simple_graph const& graph, oriented_arcs const& arcs) noexcept
        : graph_(graph), arcs_(arcs), begin_(graph.first_vertex()), end_(begin_ + graph.local_count()) {}

    /// Closes the wedges over a list of targets whose lower target is a vertex of this rank.
    void close(vertex_names targets) noexcept {
        for (std::size_t i = 0; i + 1 < targets.size(); ++i) {
            global_id const vertex = arcs_.order.vertex_of(targets[i]);
            if (vertex >= begin_ && vertex < end_)
                found_ += count_common(targets.subspan(i + 1), arcs_.of(vertex - begin_));
        }
    }

    /// Sends every list to the ranks that own a target, from their first one on; own ones are closed here.
    void send_all(channel<std::vector<degree_order::name>> const& wedges) {
        owner_cursor owner_of(graph_.vertices());
        int const here = graph_.comm().rank();
        std::vector<std::int64_t> told(static_cast<std::size_t>(graph_.comm().size()), -1);
        std::vector<degree_order::name> message;
        for (std::int64_t local = 0; local < graph_.local_count(); ++local) {
            vertex_names const targets = arcs_.of(local);
            for (std::size_t i = 0; i + 1 < targets.size(); ++i) {
                int const owner = owner_of(arcs_.order.vertex_of(targets[i]));
                if (std::exchange(told[static_cast<std::size_t>(owner)], local) == local) continue;
                vertex_names const from_there = targets.subspan(i);
                if (owner == here) {
                    close(from_there);
                } else {
                    message.assign(from_there.begin(), from_there.end());
                    wedges.send(owner, message);
                }
            }
        }
    }

    [[nodiscard]] std::int64_t found() const noexcept { return found_; }

private:
    simple_graph const& graph_;
    oriented_arcs const& arcs_;
    global_id begin_;
    global_id end_;
    std::int64_t found_ = 0;
};

} // namespace

std::int64_t count_triangles(simple_graph const& graph) {
    gate call(graph.comm(), "count_triangles");
    std::vector<std::int64_t> const degree = count_neighbors_by_mail(call, graph);
    mailbox mail(graph.comm());
    oriented_arcs arcs{degree_order(graph.vertex_count()), {}, {}};
    counter mine(graph, arcs);
    auto const wedges =
        mail.channel<std::vector<degree_order::name>>([&](vertex_names targets) { mine.close(targets); });
    arcs = orient_by_degree(graph, degree, mail);
    mine.send_all(wedges);
    mail.drain();
    return sum(graph.comm(), mine.found());
}

} // namespace weft
