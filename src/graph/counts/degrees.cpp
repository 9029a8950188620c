#include <weft/graph/degrees.hpp>

#include "graph/ghost_counts.hpp"
#include "mailed_degrees.hpp"

#include <collective/gated_merges.hpp>
#include <exchange/gated_exchange.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace weft {

namespace {

std::vector<std::int64_t> count_neighbors(gate& call, simple_graph const& graph) {
    global_id const first = graph.first_vertex();
    std::int64_t const local_count = graph.local_count();
    std::vector<std::int64_t> degree;
    outbox<vertex_count> out(graph.comm());
    call.guard([&] {
        degree.resize(static_cast<std::size_t>(local_count));
        ghost_counts ghosts{ghost_index(graph)};
        for (std::int64_t local = 0; local < local_count; ++local) {
            auto const neighbors = graph.stored_neighbors(local);
            degree[static_cast<std::size_t>(local)] += static_cast<std::int64_t>(neighbors.size());
            for (global_id const other : neighbors) {
                std::int64_t const offset = other - first;
                if (offset >= 0 && offset < local_count)
                    ++degree[static_cast<std::size_t>(offset)];
                else
                    ghosts.add(other);
            }
        }
        ghosts.put_into(out, graph.vertices());
    });
    add_counts(exchange(call, std::move(out)), first, degree);
    return degree;
}

} // namespace

degree_summary find_degrees(simple_graph const& graph, degree_engine engine) {
    gate call(graph.comm(), "find_degrees");
    call.same("engine", engine).agree();
    degree_summary found;
    found.degree = engine == degree_engine::mailbox ? count_neighbors_by_mail(call, graph)
                                                    : count_neighbors(call, graph);

    // Most degrees are small: those are counted in a table.
    std::array<std::int64_t, 1024> of_small{};
    std::map<std::int64_t, std::int64_t> histogram;
    census_value totals = census_value::identity();
    std::int64_t largest = -1;
    call.guard([&] {
        for (std::int64_t const degree : found.degree) {
            ++(degree < std::ssize(of_small) ? of_small[static_cast<std::size_t>(degree)]
                                             : histogram[degree]);
            largest = std::max(largest, degree);
            totals.sum[0] += degree * degree;
        }
        for (std::size_t degree = 0; degree < of_small.size(); ++degree)
            if (of_small[degree] != 0) histogram[static_cast<std::int64_t>(degree)] = of_small[degree];
    });
    totals.max[census_slot::load_messages] = largest;
    totals = call.agree(totals);
    largest = totals.max[census_slot::load_messages];
    found.sum_squares = totals.sum[0];
    found.max_degree = std::max<std::int64_t>(largest, 0);

    auto const widest = std::ranges::find(found.degree, largest);
    constexpr std::int64_t nowhere = INT64_MAX;
    std::int64_t const candidate =
        widest == found.degree.end() ? nowhere : graph.first_vertex() + (widest - found.degree.begin());
    std::int64_t const smallest = min(graph.comm(), candidate);
    found.max_vertex = smallest == nowhere ? -1 : smallest;
    using counts = std::map<std::int64_t, std::int64_t>;
    found.histogram = all_reduce(call, std::move(histogram), [](counts all, counts const& other) {
        for (auto const& [degree, vertices] : other) all[degree] += vertices;
        return all;
    });
    return found;
}

} // namespace weft
