#include "graph_questions.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace weft::tool {

using maker = std::unique_ptr<command>(CLI::App& app);
maker make_components, make_scc, make_degrees, make_bfs, make_sssp, make_spmv, make_pagerank, make_triangles;
maker make_betweenness, make_clustering, make_communities, make_cores, make_forest;

namespace {

constexpr std::string_view simple =
    "The graph is treated as undirected and simple: directions are ignored, loops and duplicate edges "
    "dropped. A rectangular matrix is a bipartite graph of rows and columns.";

constexpr graph_question rows[] = {
    {"components", "Connected components of a graph", "find_components", true, make_components,
        {"weft components my_graph.mtx",
            "weft -n 4 components rmat:16 --labels labels.txt --sizes sizes.txt"},
        simple},
    {"scc", "Strongly connected components of a directed graph", "find_strong_components", true, make_scc,
        {"weft -n 4 scc votes.txt --labels labels.txt"},
        "Two vertices are in one component if there is a directed path from each of them to the other. An "
        "edge leads from the first vertex of a line to the second (MatrixMarket: from row to column). Edges "
        "of undirected files lead both ways; loops and duplicate edges are dropped."},
    {"degrees", "Degrees of a graph and their distribution", "find_degrees", true, make_degrees,
        {"weft -n 4 degrees my_graph.txt --json report.json", "weft -n 2 degrees rmat:16 --engine mailbox"},
        simple},
    {"bfs",
        "Distances of all vertices from one vertex, or from the nearest of several vertices, by "
        "breadth-first search",
        "find_distances", true, make_bfs,
        {"weft -n 4 bfs my_graph.txt --source 1 --distances distances.txt",
            "weft bfs grid:30x20 --source 0,599"},
        "The graph is treated as undirected and simple, unless --directed is given. In the report, `levels` "
        "contains the numbers of vertices at the distances 0, 1, 2, ..., and `widest_level` contains the "
        "distance with the most vertices and their number."},
    {"sssp", "Lengths of the shortest paths from one vertex, along weighted edges", "find_shortest_paths",
        true, make_sssp, {"weft -n 4 sssp roads.gr.xz --source 1 --distances distances.txt"},
        "Weights are read from the file (DIMACS arcs, MatrixMarket values, METIS edge weights, the third "
        "column of an edge list), and must be at least 0. If the file has no weights, each edge has weight "
        "1. If an edge occurs several times, its smallest weight counts. The graph is treated as undirected, "
        "unless --directed is given. Distances are those of Dijkstra's algorithm to the last bit, at any "
        "number of ranks."},
    {"spmv", "The product of a sparse matrix and a vector", "sparse_matrix::multiply", true, make_spmv,
        {"weft -n 4 spmv matrix.mtx --vector x.txt --out y.txt", "weft spmv matrix.mtx --analyze-ranks 512"},
        "Of n rows, rank p of P ranks holds the rows from floor(n p / P) to floor(n (p + 1) / P) - 1, and "
        "the same elements of the vector. In the report, `neighbors` is the number of other ranks from which "
        "a rank needs elements of the vector. In the report, `nnz` is the number of entries, including "
        "entries that follow from symmetry. Explicit zeros are kept, and entries without a value are 1. The "
        "result is the same to the last bit at any number of ranks."},
    {"pagerank", "PageRank of all vertices", "find_pagerank", true, make_pagerank,
        {"weft -n 4 pagerank votes.txt --out values.txt"},
        "The random walk follows edges of an undirected file in both directions, and edges of a directed "
        "file in their direction (MatrixMarket general: from row to column; edge lists: from the first to "
        "the second vertex). Loops and duplicate edges are dropped. The value of a vertex without outgoing "
        "edges is distributed evenly over all vertices. Values are the same to the last bit at any number of "
        "ranks."},
    {"triangles", "Count the triangles of a graph", "count_triangles", true, make_triangles,
        {"weft -n 4 triangles friends.txt.gz"}, simple},
    {"betweenness", "Betweenness of all vertices, exact or estimated from randomly chosen vertices",
        "find_betweenness", true, make_betweenness,
        {"weft -n 4 betweenness friends.txt.gz --out values.csv",
            "weft -n 4 betweenness rmat:12 --sources 64 --normalized"},
        "The betweenness of a vertex is the sum, over all pairs of other vertices, of the fraction of the "
        "shortest paths between the pair (by number of edges) that pass through the vertex. The graph is "
        "treated as undirected and simple, unless --directed is given. Values are exact without --sources. "
        "With --sources, only shortest paths from randomly chosen vertices count, and values are multiplied "
        "by the number of vertices divided by the number of chosen vertices. Values are the same to the last "
        "bit at any number of ranks."},
    {"clustering", "Clustering coefficients of all vertices, and transitivity", "find_clustering", true,
        make_clustering, {"weft -n 4 clustering friends.txt.gz --out coefficients.csv"},
        "The clustering coefficient of a vertex is the fraction of the pairs of its neighbours that are "
        "joined by an edge. The transitivity of a graph is the fraction of joined pairs among the pairs of "
        "neighbours of all vertices. The graph is treated as undirected and simple. With --directed, edges "
        "between neighbours count once for each direction, as in LDBC Graphalytics; triangles and "
        "transitivity ignore directions."},
    {"communities", "Communities of a graph, by label propagation (CDLP)", "find_communities", true,
        make_communities, {"weft -n 4 communities friends.txt.gz --labels labels.txt"},
        "Label propagation as LDBC Graphalytics defines it (CDLP): each vertex begins with its own id as its "
        "label. In each iteration each vertex takes the label that is most frequent among its neighbours; of "
        "equally frequent labels it takes the smallest. The graph "
        "is treated as undirected and simple; with --directed, a neighbour with arcs in both directions "
        "counts as two neighbours with the same label."},
    {"cores", "Core numbers of all vertices", "find_core_numbers", true, make_cores,
        {"weft -n 4 cores friends.txt.gz --out cores.txt"},
        "The core number of a vertex is the largest k for which it belongs to a subgraph where each vertex "
        "has at least k neighbours. The graph is treated as undirected and simple."},
    {"forest", "The minimum spanning forest of a graph", "find_spanning_forest", true, make_forest,
        {"weft -n 4 forest roads.gr.xz --edges forest.txt"},
        "Weights are read from the file; if the file has no weights, each edge has weight 1. If an edge "
        "occurs several times, its smallest weight counts. The graph is treated as undirected. Edges of "
        "equal weight are ordered by their endpoints, so the forest is unique and the same at any number of "
        "ranks."},
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
