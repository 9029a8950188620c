#include "oriented_arcs.hpp"

#include <algorithm>

namespace weft {

arc_orientation::arc_orientation(
    uniform_distribution const& vertices, int here, std::span<std::int64_t const> degree, mailbox& mail)
    : order_(vertices.total()),
      here_(here),
      first_(vertices.begin(here)),
      degree_(degree),
      mail_(mail),
      owner_of_(vertices),
      lower_(mail.channel<arc>([this](std::span<arc const> from_here) {
          arcs_.insert(arcs_.end(), from_here.begin(), from_here.end());
      })),
      // The owner of the far end knows both degrees. It keeps the arc or returns it.
      proposed_(mail.channel<arc>([this](int source, std::span<arc const> edges) {
          for (arc const& each : edges) {
              name const own = name_of(each.vertex - first_);
              if (own < each.other)
                  arcs_.push_back(each);
              else
                  lower_.send(source, {order_.vertex_of(each.other), own});
          }
      })) {
}

oriented_arcs arc_orientation::finish() {
    mail_.drain();
    oriented_arcs made{order_, {}, {}};
    made.first.assign(degree_.size() + 1, 0);
    for (arc const& each : arcs_) ++made.first[static_cast<std::size_t>(each.vertex - first_) + 1];
    for (std::size_t i = 1; i < made.first.size(); ++i) made.first[i] += made.first[i - 1];
    made.targets.resize(arcs_.size());
    std::vector<std::size_t> next(made.first.begin(), made.first.end() - 1);
    for (arc const& each : arcs_)
        made.targets[next[static_cast<std::size_t>(each.vertex - first_)]++] = each.other;
    for (std::size_t i = 0; i < degree_.size(); ++i)
        std::sort(made.targets.begin() + static_cast<std::ptrdiff_t>(made.first[i]),
            made.targets.begin() + static_cast<std::ptrdiff_t>(made.first[i + 1]));
    return made;
}

oriented_arcs orient_by_degree(
    simple_graph const& graph, std::span<std::int64_t const> degree, mailbox& mail) {
    arc_orientation arcs(graph.vertices(), graph.comm().rank(), degree, mail);
    for (std::int64_t local = 0; local < graph.local_count(); ++local)
        for (global_id const other : graph.stored_neighbors(local)) arcs.take(local, other);
    return arcs.finish();
}

} // namespace weft
