#include <io/shared_folder.hpp>

#include <weft/io/read_graph.hpp>
#include <weft/io/write_graph.hpp>

#include <cstdlib>
#include <string>
#include <unordered_map>
#include <vector>

using weft::edge_list;
using weft::read_graph;
using namespace weft_test;

namespace {

/// Where the real files are: the environment says, or the build, or they stand beside the repository.
std::filesystem::path data_folder() {
    if (char const* const told = std::getenv("WEFT_TEST_DATA")) return told;
#ifdef WEFT_TEST_DATA_DIR
    return WEFT_TEST_DATA_DIR;
#else
    return std::filesystem::path(__FILE__).parent_path() / "../../../shared/data";
#endif
}

struct known_graph {
    char const* file;
    char const* format;
    std::int64_t vertices; ///< That occur, where the format does not declare them.
    std::int64_t stored_edges;
    std::int64_t simple_edges;  ///< Without loops, duplicates and directions.
    std::int64_t degree_square; ///< Sum over the vertices of the simple graph; 0: unknown.
};

// shared/data/README.md, sections 3.1 and 3.2
known_graph const known_graphs[] = {
    {"graphs/CA-GrQc.txt", "edge list", 5242, 28980, 14484, 488702},
    {"graphs/wiki-Vote.txt", "edge list", 7115, 103689, 100762, 29292684},
    {"graphs/email-Enron.txt", "edge list", 36692, 367662, 183831, 51501448},
    {"graphs/PGPgiantcompo.graph", "METIS", 10680, 48632, 24316, 918226},
    {"graphs/copter2.graph", "METIS", 55476, 704476, 352238, 9919136},
    {"graphs/NY.gr.xz", "PACE tw", 264346, 365050, 365050, 2269576},
    {"ecosystem/WormNet.v3.benchmark.txt", "edge list of text labels", 2445, 78736, 78736, 0},
    {"ecosystem/case9241pegase.edges", "edge list", 9241, 16049, 14207, 0},
    {"matrices/commanche_dual.mtx", "MatrixMarket coordinate pattern symmetric", 7920, 19800,
        (31680 - 7920) / 2, 0},
    {"matrices/c-62.mtx", "MatrixMarket coordinate real symmetric", 41731, 300537, 0, 0},
    {"matrices/bayer10.mtx", "MatrixMarket coordinate real general", 13436, 94926, 0, 0},
    {"matrices/bcspwr10.mtx", "MatrixMarket coordinate pattern symmetric", 5300, 13571, 0, 0},
    {"matrices/bcsstk13.mtx", "MatrixMarket coordinate real symmetric", 2003, 42943, 0, 0},
};

/// The edges of all ranks between numbered vertices, equal labels having equal numbers.
std::vector<weft::edge> numbered(edge_list const& graph, std::int64_t& vertices) {
    std::unordered_map<std::string, std::int64_t> numbers;
    auto const number = [&](std::string const& label) {
        return numbers.emplace(label, std::ssize(numbers)).first->second;
    };
    std::vector<weft::edge> edges;
    if (graph.naming == weft::vertex_naming::text) {
        for (std::string const& line : labels_of_all(graph)) {
            std::size_t const blank = line.find(' ');
            edges.push_back({number(line.substr(0, blank)), number(line.substr(blank + 1))});
        }
    } else {
        for (weighted_edge const& each : edges_of_all(graph))
            edges.push_back({number(std::to_string(each.source)), number(std::to_string(each.target))});
    }
    vertices = graph.naming == weft::vertex_naming::declared ? graph.vertices : std::ssize(numbers);
    return edges;
}

class real_graphs : public with_folder {};

TEST_F(real_graphs, have_the_known_counts) {
    for (known_graph const& known : known_graphs) {
        std::filesystem::path const file = data_folder() / known.file;
        if (!std::filesystem::exists(file))
            GTEST_SKIP() << file << " is not there; WEFT_TEST_DATA says where to look";
        SCOPED_TRACE(known.file);
        edge_list const graph = read_graph(world(), file);
        EXPECT_EQ(graph.format, known.format);
        std::int64_t vertices = 0;
        std::vector<weft::edge> edges = numbered(graph, vertices);
        EXPECT_EQ(vertices, known.vertices);
        EXPECT_EQ(std::ssize(edges), known.stored_edges);
        std::erase_if(edges, [](weft::edge const& each) { return each.source == each.target; });
        for (weft::edge& each : edges)
            if (each.source > each.target) std::swap(each.source, each.target);
        std::sort(edges.begin(), edges.end());
        edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
        if (known.simple_edges != 0) { EXPECT_EQ(std::ssize(edges), known.simple_edges); }
        std::unordered_map<std::int64_t, std::int64_t> degrees;
        for (weft::edge const& each : edges) {
            ++degrees[each.source];
            ++degrees[each.target];
        }
        std::int64_t squares = 0;
        for (auto const& [vertex, degree] : degrees) squares += degree * degree;
        if (known.degree_square != 0) { EXPECT_EQ(squares, known.degree_square); }
    }
}

TEST_F(real_graphs, values_make_the_known_product) {
    std::filesystem::path const file = data_folder() / "matrices/bayer10.mtx";
    if (!std::filesystem::exists(file))
        GTEST_SKIP() << file << " is not there; WEFT_TEST_DATA says where to look";
    double sum = 0;
    for (weighted_edge const& each : edges_of_all(read_graph(world(), file, {.weights = true})))
        sum += each.weight * static_cast<double>(each.target % 7 + 1);
    EXPECT_NEAR(sum, -241396.92192, 1e-10 * 708370.191216);
}

} // namespace
