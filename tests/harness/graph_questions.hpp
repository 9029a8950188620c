/// The questions about graphs that tests/faults and tests/arguments ask: both use the rows of this
/// file.
#pragma once

#include <weft/graph/arc_graph.hpp>
#include <weft/graph/betweenness.hpp>
#include <weft/graph/bfs.hpp>
#include <weft/graph/clustering.hpp>
#include <weft/graph/communities.hpp>
#include <weft/graph/core_numbers.hpp>
#include <weft/graph/degrees.hpp>
#include <weft/graph/pagerank.hpp>
#include <weft/graph/parents.hpp>
#include <weft/graph/shortest_paths.hpp>
#include <weft/graph/simple_graph.hpp>
#include <weft/graph/spanning_forest.hpp>
#include <weft/graph/strong_components.hpp>
#include <weft/graph/tree_check.hpp>
#include <weft/graph/triangles.hpp>

#include <cmath>
#include <vector>

namespace weft_test {

/// A question takes its arguments from `now.equal(name, usual)` and answers 1 in `now.ask`, for a graph in
/// which each vertex reaches all others and has two greater neighbours that are neighbours.
template <class Graph, class Trial>
struct graph_question {
    char const* name;
    void (*run)(Trial& now, Graph const& graph);
    weft::arc_direction direction = weft::arc_direction::both; ///< of an `arc_graph`, and so are its weights
    weft::arc_weights weights = weft::arc_weights::none;
};

template <class Trial>
std::vector<graph_question<weft::simple_graph, Trial>> questions_about_simple_graphs() {
    return {
        {"find_degrees",
            [](Trial& now, weft::simple_graph const& graph) {
                auto const engine = now.equal("engine", weft::degree_engine::exchange);
                now.ask([&] { return weft::find_degrees(graph, engine).max_degree / 4; });
            }},
        {"count_triangles",
            [](Trial& now, weft::simple_graph const& graph) {
                now.ask([&] { return weft::count_triangles(graph) / graph.vertex_count(); });
            }},
    };
}

template <class Trial>
void ask_for_pagerank(Trial& now, weft::arc_graph const& graph) {
    weft::pagerank_options options;
    options.damping = now.equal("damping", 0.85);
    options.tolerance = now.equal("tolerance", 1e-3);
    options.max_iterations = now.equal("max_iterations", std::int64_t{5});
    options.personalization = now.equal("personalization", std::vector<weft::ranked_vertex>{{0, 1}},
        {{{-1, 1}}, {{graph.vertex_count(), 1}}, {{0, 0}}, {{0, -1}}, {{0, 1}, {0, std::nan("")}}});
    now.ask([&] { return weft::find_pagerank(graph, options).iterations > 0 ? 1 : 0; });
}

template <class Trial>
std::vector<graph_question<weft::arc_graph, Trial>> questions_about_arcs() {
    using weft::arc_direction;
    return {
        {"check_tree",
            [](Trial& now, weft::arc_graph const& graph) {
                auto const found = weft::find_shortest_paths(graph, 3);
                auto const parents = weft::find_parents(graph, 3, found);
                auto const source = now.equal("source", std::int64_t{3});
                now.ask(
                    [&] { return weft::check_tree(graph, source, found.distance, parents).none() ? 1 : 0; });
            },
            arc_direction::both, weft::arc_weights::lightest},
        {"find_betweenness",
            [](Trial& now, weft::arc_graph const& graph) {
                weft::betweenness_options options;
                options.sources = now.equal("sources", std::int64_t{2});
                options.seed = now.equal("seed", std::uint64_t{1});
                options.normalized = now.equal("normalized", true);
                now.ask([&] { return weft::find_betweenness(graph, options).batches; });
            },
            arc_direction::forward},
        {"find_clustering",
            [](Trial& now, weft::arc_graph const& graph) {
                now.ask([&] { return weft::find_clustering(graph).triangles / graph.vertex_count(); });
            }},
        {"find_clustering along arcs",
            [](Trial& now, weft::arc_graph const& graph) {
                now.ask([&] { return weft::find_clustering(graph).triangles / graph.vertex_count(); });
            },
            arc_direction::forward},
        {"find_communities",
            [](Trial& now, weft::arc_graph const& graph) {
                weft::communities_options options;
                options.max_iterations = now.equal("max_iterations", std::int64_t{1});
                now.ask([&] { return weft::find_communities(graph, options).iterations; });
            },
            arc_direction::forward},
        {"find_core_numbers",
            [](Trial& now, weft::arc_graph const& graph) {
                now.ask([&] { return weft::find_core_numbers(graph).largest / 6; });
            }},
        {"find_distances",
            [](Trial& now, weft::arc_graph const& graph) {
                auto const source = now.equal("source", std::int64_t{3});
                now.ask([&] { return weft::find_distances(graph, source).reached / graph.vertex_count(); });
            }},
        {"find_pagerank", ask_for_pagerank<Trial>, arc_direction::backward},
        {"find_parents, find_path",
            [](Trial& now, weft::arc_graph const& graph) {
                auto const found = weft::find_shortest_paths(graph, 3);
                auto const source = now.equal("source", std::int64_t{3});
                auto const target = now.equal("target", std::int64_t{5});
                now.ask([&] {
                    auto const parents = weft::find_parents(graph, source, found);
                    auto const path = weft::find_path(graph.vertices(), parents, target);
                    return path.front() == source && path.back() == target ? 1 : 0;
                });
            },
            arc_direction::forward, weft::arc_weights::lightest},
        {"find_spanning_forest",
            [](Trial& now, weft::arc_graph const& graph) {
                now.ask([&] { return weft::find_spanning_forest(graph).trees; });
            },
            arc_direction::both, weft::arc_weights::lightest},
        {"find_shortest_paths",
            [](Trial& now, weft::arc_graph const& graph) {
                auto const source = now.equal("source", std::int64_t{3});
                weft::shortest_paths_options options;
                options.delta = now.equal("delta", 2.0);
                now.ask([&] {
                    return weft::find_shortest_paths(graph, source, options).reached / graph.vertex_count();
                });
            },
            arc_direction::forward, weft::arc_weights::lightest},
        {"find_strong_components",
            [](Trial& now, weft::arc_graph const& graph) {
                weft::strong_components_options options;
                options.seed = now.equal("seed", std::uint64_t{1});
                now.ask([&] { return weft::find_strong_components(graph, options).components; });
            },
            arc_direction::forward},
    };
}

} // namespace weft_test
