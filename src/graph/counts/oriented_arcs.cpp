#include "oriented_arcs.hpp"

#include <frames/owner_cursor.hpp>

#include <algorithm>

namespace weft {

oriented_arcs orient_by_degree(
    simple_graph const& graph, std::span<std::int64_t const> degree, mailbox& mail) {
    using name = degree_order::name;
    struct arc {
        global_id vertex; // that the receiver owns
        name other;
    };
    degree_order const order(graph.vertex_count());
    global_id const first = graph.first_vertex();
    auto const name_of = [&](global_id own) {
        return order.of(own, degree[static_cast<std::size_t>(own - first)]);
    };

    std::vector<arc> arcs;
    auto const lower = mail.channel<arc>(
        [&](std::span<arc const> from_here) { arcs.insert(arcs.end(), from_here.begin(), from_here.end()); });
    // The owner of the far end knows both degrees, keeps the arc, or gives it back.
    auto const proposed = mail.channel<arc>([&](int source, std::span<arc const> edges) {
        for (arc const& each : edges) {
            name const own = name_of(each.vertex);
            if (own < each.other)
                arcs.push_back(each);
            else
                lower.send(source, {order.vertex_of(each.other), own});
        }
    });
    owner_cursor owner_of(graph.vertices());
    int const here = graph.comm().rank();
    for (std::int64_t local = 0; local < graph.local_count(); ++local) {
        name const own = name_of(first + local);
        for (global_id const other : graph.stored_neighbors(local)) {
            int const owner = owner_of(other);
            if (owner != here) {
                proposed.send(owner, {other, own});
                continue;
            }
            name const far = name_of(other);
            arcs.push_back(own < far ? arc{first + local, far} : arc{other, own});
        }
    }
    mail.drain();

    oriented_arcs made{order, {}, {}};
    made.first.assign(degree.size() + 1, 0);
    for (arc const& each : arcs) ++made.first[static_cast<std::size_t>(each.vertex - first) + 1];
    for (std::size_t i = 1; i < made.first.size(); ++i) made.first[i] += made.first[i - 1];
    made.targets.resize(arcs.size());
    std::vector<std::size_t> next(made.first.begin(), made.first.end() - 1);
    for (arc const& each : arcs)
        made.targets[next[static_cast<std::size_t>(each.vertex - first)]++] = each.other;
    for (std::size_t i = 0; i < degree.size(); ++i)
        std::sort(made.targets.begin() + static_cast<std::ptrdiff_t>(made.first[i]),
            made.targets.begin() + static_cast<std::ptrdiff_t>(made.first[i + 1]));
    return made;
}

} // namespace weft
