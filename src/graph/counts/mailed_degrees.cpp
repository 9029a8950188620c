#include "mailed_degrees.hpp"

#include <frames/owner_cursor.hpp>
#include <weft/mailbox/mailbox.hpp>

#include <span>

namespace weft {

namespace {

/// `Offset` counts the vertices of a rank.
template <class Offset>
std::vector<std::int64_t> count(gate& call, simple_graph const& graph) {
    std::vector<std::int64_t> degree;
    agreed(call, [&] { degree.resize(static_cast<std::size_t>(graph.local_count())); });
    mailbox mail(graph.comm());
    auto const told = mail.channel<Offset>([&](std::span<Offset const> vertices) {
        for (Offset const vertex : vertices) ++degree[vertex];
    });
    owner_cursor owner_of(graph.vertices());
    int const here = graph.comm().rank();
    for (std::size_t local = 0; local < degree.size(); ++local) {
        auto const neighbors = graph.stored_neighbors(static_cast<std::int64_t>(local));
        degree[local] += static_cast<std::int64_t>(neighbors.size());
        for (global_id const other : neighbors) {
            int const owner = owner_of(other);
            auto const there = static_cast<Offset>(other - owner_of.begin());
            if (owner == here)
                ++degree[there];
            else
                told.send(owner, there);
        }
    }
    mail.drain();
    return degree;
}

} // namespace

std::vector<std::int64_t> count_neighbors_by_mail(gate& call, simple_graph const& graph) {
    bool const short_offsets = graph.vertex_count() / graph.vertices().parts() < UINT32_MAX;
    return short_offsets ? count<std::uint32_t>(call, graph) : count<std::uint64_t>(call, graph);
}

} // namespace weft
