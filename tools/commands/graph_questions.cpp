#include "graph_questions.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace weft::tool {

using maker = std::unique_ptr<command>(CLI::App& app);
maker make_components, make_scc, make_degrees, make_bfs, make_sssp, make_spmv, make_pagerank, make_triangles;
maker make_betweenness, make_clustering, make_communities, make_cores, make_forest;

namespace {

constexpr graph_question rows[] = {
    {"components", "Connected components of a graph", "find_components", true, make_components,
        {"weft components my_graph.mtx",
            "weft -n 4 components rmat:16 --labels labels.txt --sizes sizes.txt"}},
    {"scc", "Strongly connected components of a directed graph", "find_strong_components", true, make_scc,
        {"weft -n 4 scc votes.txt --labels labels.txt"}},
    {"degrees", "Degrees of a graph and their distribution", "find_degrees", true, make_degrees,
        {"weft -n 4 degrees my_graph.txt --json report.json", "weft -n 2 degrees rmat:16 --engine mailbox"}},
    {"bfs", "Distances of all vertices from one, by breadth-first search", "find_distances", true, make_bfs,
        {"weft -n 4 bfs my_graph.txt --source 1 --distances distances.txt"}},
    {"sssp", "Lengths of the shortest paths from one vertex, along weighted edges", "find_shortest_paths",
        true, make_sssp, {"weft -n 4 sssp roads.gr.xz --source 1 --distances distances.txt"}},
    {"spmv", "The product of a sparse matrix and a vector", "sparse_matrix::multiply", true, make_spmv,
        {"weft -n 4 spmv matrix.mtx --vector x.txt --out y.txt", "weft spmv matrix.mtx --analyze-ranks 512"}},
    {"pagerank", "PageRank of all vertices", "find_pagerank", true, make_pagerank,
        {"weft -n 4 pagerank votes.txt --out values.txt"}},
    {"triangles", "Count the triangles of a graph", "count_triangles", true, make_triangles,
        {"weft -n 4 triangles friends.txt.gz"}},
    {"betweenness", "Betweenness of all vertices, exact or by sampled sources", "find_betweenness", true,
        make_betweenness,
        {"weft -n 4 betweenness friends.txt.gz --out values.csv",
            "weft -n 4 betweenness rmat:12 --sources 64 --normalized"}},
    {"clustering", "Clustering coefficients of all vertices, and transitivity", "find_clustering", true,
        make_clustering, {"weft -n 4 clustering friends.txt.gz --out coefficients.csv"}},
    {"communities", "Communities of a graph, by label propagation (CDLP)", "find_communities", true,
        make_communities, {"weft -n 4 communities friends.txt.gz --labels labels.txt"}},
    {"cores", "Core numbers of all vertices", "find_core_numbers", true, make_cores,
        {"weft -n 4 cores friends.txt.gz --out cores.txt"}},
    {"forest", "The minimum spanning forest of a graph", "find_spanning_forest", true, make_forest,
        {"weft -n 4 forest roads.gr.xz --edges forest.txt"}},
};

} // namespace

std::span<graph_question const> graph_questions() noexcept {
    return rows;
}

graph_question const& graph_question_named(std::string_view name) {
    auto const found = std::ranges::find(rows, name, &graph_question::name);
    if (found == std::end(rows))
        throw std::invalid_argument(std::string(name) + ": no row in tools/commands/graph_questions.cpp");
    return *found;
}

} // namespace weft::tool
