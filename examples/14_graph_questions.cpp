/// Questions about a graph that lies on all ranks: it is built once, and each question takes the form that it
/// needs, which is kept for the next. Run: mpirun -n 4 example_14_graph_questions
#include <weft/graph/betweenness.hpp>
#include <weft/graph/bfs.hpp>
#include <weft/graph/clustering.hpp>
#include <weft/graph/communities.hpp>
#include <weft/graph/core_numbers.hpp>
#include <weft/graph/degrees.hpp>
#include <weft/graph/graph.hpp>
#include <weft/graph/pagerank.hpp>
#include <weft/graph/parents.hpp>
#include <weft/graph/shortest_paths.hpp>
#include <weft/graph/spanning_forest.hpp>
#include <weft/graph/strong_components.hpp>
#include <weft/graph/triangles.hpp>
#include <weft/io/named_generator.hpp>
#include <weft/weft.hpp>

#include <cstdio>

int main(int argc, char** argv) {
    return weft::run(argc, argv, [](weft::communicator comm) {
        weft::graph streets{comm, weft::generate_graph(comm, "grid:12x10")};
        weft::simple_graph const& simple = streets.simple();
        weft::arc_graph const& arcs = streets.arcs(weft::arc_direction::both);

        auto const degrees = weft::find_degrees(simple);
        auto const triangles = weft::count_triangles(simple);
        auto const cores = weft::find_core_numbers(arcs);
        auto const clustering = weft::find_clustering(arcs);
        auto const communities = weft::find_communities(arcs);
        auto const central = weft::find_betweenness(arcs, {.normalized = true});
        auto const ranked = weft::find_pagerank(arcs);

        // Results are of this rank's vertices, in their order; totals and extremes are the same on all ranks.
        auto const steps = weft::find_distances(arcs, 0);
        auto const parents = weft::find_parents(arcs, 0, steps);
        auto const path = weft::find_path(arcs.vertices(), parents, 119); // collective, as all of these

        auto const& weighted = streets.arcs(weft::arc_direction::both, weft::arc_weights::lightest);
        auto const lengths = weft::find_shortest_paths(weighted, 0); // edges without weights have 1
        auto const forest = weft::find_spanning_forest(weighted);
        auto const strong = weft::find_strong_components(streets.arcs(weft::arc_direction::forward));

        double const mine = central.value.empty() ? 0 : central.value.front();
        double const first = weft::broadcast(comm, mine); // of vertex 0, which rank 0 has
        if (comm.rank() == 0)
            std::printf("degree %lld, %lld triangles, core %lld, transitivity %.1f, %lld communities;\n"
                        "from 0 to 119 in %zu vertices, length %.0f; a forest of %lld edges; %lld strong "
                        "component; betweenness of 0: %.4f; PageRank adds up in %lld iterations\n",
                static_cast<long long>(degrees.max_degree), static_cast<long long>(triangles),
                static_cast<long long>(cores.largest), clustering.transitivity,
                static_cast<long long>(communities.communities), path.size(), lengths.longest,
                static_cast<long long>(forest.edge_count), static_cast<long long>(strong.components), first,
                static_cast<long long>(ranked.iterations));
    });
}
