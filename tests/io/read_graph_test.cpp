#include <io/odd_files.hpp>
#include <io/packed_bytes.hpp>
#include <io/shared_folder.hpp>

#include <weft/core/error.hpp>
#include <weft/io/read_graph.hpp>

#include <stdexcept>
#include <string>
#include <vector>

using weft::edge_list;
using weft::read_graph;
using weft::vertex_naming;
using namespace weft_test;

namespace {

class reading : public with_folder {
protected:
    [[nodiscard]] edge_list read(
        std::string const& name, std::string const& content, weft::read_options const& options = {}) const {
        return read_graph(world(), file(name, content), options);
    }

    /// Reads the file plain and packed, in blocks of every size, with weights.
    void expect_read(odd_file const& odd, vertex_naming naming, std::uint64_t seed) const {
        SCOPED_TRACE("seed " + std::to_string(seed) + ":\n" + odd.content);
        for (std::int64_t const block : {1, 64, 1000, 1 << 20}) {
            edge_list const graph = read(odd.name, odd.content, {.weights = true, .block_bytes = block});
            EXPECT_EQ(edges_of_all(graph), odd.edges) << "block of " << block;
            EXPECT_EQ(graph.vertices, odd.vertices);
            EXPECT_EQ(graph.naming, naming);
            EXPECT_EQ(graph.file_bytes, std::ssize(odd.content));
        }
        std::int64_t const block = 1 + static_cast<std::int64_t>(seed * 7 % 200);
        weft::read_options const options{.weights = true, .block_bytes = block};
        std::vector<weighted_edge> const expected = sorted(odd.edges);
        EXPECT_EQ(sorted(edges_of_all(read(odd.name + ".zst", zstd(odd.content, 77), options))), expected);
        EXPECT_EQ(sorted(edges_of_all(read(odd.name + ".gz", gzip(odd.content, 77), options))), expected);
        EXPECT_EQ(sorted(edges_of_all(read(odd.name + ".bz2", bzip2(odd.content, 77), options))), expected);
        EXPECT_EQ(sorted(edges_of_all(read(odd.name + ".xz", xz(odd.content, 77), options))), expected);
    }
};

constexpr std::uint64_t seeds = 12;

TEST_F(reading, edge_lists_of_numbers) {
    for (std::uint64_t seed = 1; seed <= seeds; ++seed)
        expect_read(odd_writer(seed).edge_list(seed % 2 == 0), vertex_naming::numbers, seed);
}

TEST_F(reading, square_and_rectangular_matrices) {
    for (std::uint64_t seed = 1; seed <= seeds; ++seed)
        expect_read(
            odd_writer(seed).matrix_market(seed % 2 == 0, seed % 4 < 2), vertex_naming::declared, seed);
}

TEST_F(reading, metis_graphs) {
    for (std::uint64_t seed = 1; seed <= 2 * seeds; ++seed)
        expect_read(odd_writer(seed).metis(seed % 2 == 0, seed % 4 < 2), vertex_naming::declared, seed);
}

TEST_F(reading, dimacs_graphs) {
    for (std::uint64_t seed = 1; seed <= seeds; ++seed)
        expect_read(odd_writer(seed).dimacs("pea"[seed % 3]), vertex_naming::declared, seed);
}

TEST_F(reading, a_matrix_says_what_it_is) {
    edge_list const graph =
        read("m.mtx", "%%MatrixMarket matrix coordinate integer general\n% two\n2 3 2\n1 3 5\n2 1 0\n");
    EXPECT_EQ(edges_of_all(graph), (std::vector<weighted_edge>{{0, 4, 1}, {1, 2, 1}}));
    EXPECT_TRUE(graph.weights.empty());
    EXPECT_EQ(graph.rows, 2);
    EXPECT_EQ(graph.columns, 3);
    EXPECT_EQ(graph.vertices, 5);
    EXPECT_EQ(graph.first_id, 1);
    EXPECT_TRUE(graph.bipartite);
    EXPECT_TRUE(graph.directed);
    EXPECT_TRUE(graph.weighted);
    EXPECT_EQ(graph.format, "MatrixMarket coordinate integer general");
}

TEST_F(reading, symmetries_are_stored_once_and_named) {
    edge_list const symmetric = read("m.mtx",
        "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 -1.5\n2 1 2\n", {.weights = true});
    EXPECT_EQ(symmetric.symmetry, weft::matrix_symmetry::symmetric);
    EXPECT_FALSE(symmetric.directed);
    EXPECT_FALSE(symmetric.bipartite);
    EXPECT_EQ(edges_of_all(symmetric), (std::vector<weighted_edge>{{0, 0, -1.5}, {1, 0, 2}}));
    edge_list const skew =
        read("m.mtx", "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 2\n");
    EXPECT_EQ(skew.symmetry, weft::matrix_symmetry::skew);
    EXPECT_EQ(edges_of_all(read("m.mtx",
                  "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 3\n1 1 0.0\n2 1 2\n2 2 -0e0\n")),
        (std::vector<weighted_edge>{{0, 0, 1}, {1, 0, 1}, {1, 1, 1}}));
    edge_list const hermitian =
        read("m.mtx", "%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 1 2 -1\n");
    EXPECT_EQ(hermitian.symmetry, weft::matrix_symmetry::hermitian);
    EXPECT_EQ(edges_of_all(hermitian), (std::vector<weighted_edge>{{1, 0, 1}}));
}

TEST_F(reading, metis_says_what_it_is) {
    edge_list const graph = read("g.graph", "4 2\n2 3\n1\n1\n\n");
    EXPECT_EQ(edges_of_all(graph), (std::vector<weighted_edge>{{0, 1, 1}, {0, 2, 1}, {1, 0, 1}, {2, 0, 1}}));
    EXPECT_EQ(graph.vertices, 4);
    EXPECT_EQ(graph.rows, 4);
    EXPECT_FALSE(graph.directed);
    EXPECT_TRUE(graph.both_directions);
    EXPECT_EQ(graph.format, "METIS");
}

TEST_F(reading, metis_vertices_without_neighbours_are_empty_lines) {
    EXPECT_EQ(
        edges_of_all(read("g.graph", "4 1\n\n4\n\n2\n")), (std::vector<weighted_edge>{{1, 3, 1}, {3, 1, 1}}));
    EXPECT_EQ(edges_of_all(read("g.graph", "3 0\n\n\n\n")).size(), 0u);
    EXPECT_EQ(edges_of_all(read("g.graph", "0 0\n")).size(), 0u);
}

TEST_F(reading, metis_loops_listed_once_or_twice) {
    EXPECT_EQ(edges_of_all(read("g.graph", "2 2\n1 2\n1\n")).size(), 3u);
    EXPECT_EQ(edges_of_all(read("g.graph", "2 2\n1 1 2\n1\n")).size(), 4u);
}

TEST_F(reading, dimacs_problems_say_what_they_are) {
    edge_list const pace = read("g.gr", "c hello\np tw 3 2\n1 2\n2 3\n");
    EXPECT_EQ(pace.format, "PACE tw");
    EXPECT_FALSE(pace.directed);
    EXPECT_EQ(pace.first_id, 1);
    edge_list const roads = read("g.gr", "p sp 3 2\na 1 2 7\na 2 1 7\n", {.weights = true});
    EXPECT_EQ(roads.format, "DIMACS sp");
    EXPECT_TRUE(roads.directed);
    EXPECT_EQ(edges_of_all(roads), (std::vector<weighted_edge>{{0, 1, 7}, {1, 0, 7}}));
    edge_list const colouring = read("g.col", "p edge 3 1\nn 1 5\ne 3 2\n");
    EXPECT_EQ(colouring.format, "DIMACS edge");
    EXPECT_EQ(edges_of_all(colouring), (std::vector<weighted_edge>{{2, 1, 1}}));
}

TEST_F(reading, one_label_of_text_makes_all_labels_text) {
    std::string content = "# labels\r\n";
    std::vector<std::string> expected;
    for (int i = 0; i < 200; ++i) {
        std::string const source = i == 150 ? "C41D11.8" : "0" + std::to_string(i % 10);
        content += source + "\t" + std::to_string(i) + " 2.5 x\r\n";
        expected.push_back(source + " " + std::to_string(i));
    }
    for (std::int64_t const block : {1, 100, 1 << 20}) {
        edge_list const graph = read("g.txt", content, {.weights = true, .block_bytes = block});
        EXPECT_EQ(graph.naming, vertex_naming::text);
        EXPECT_EQ(graph.format, "edge list of text labels");
        EXPECT_EQ(labels_of_all(graph), expected);
        for (double const weight : graph.weights) EXPECT_EQ(weight, 2.5);
        std::vector<std::string> names = graph.names;
        std::sort(names.begin(), names.end());
        EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
        std::vector<std::string> packed =
            labels_of_all(read("g.txt.gz", gzip(content, 99), {.block_bytes = block}));
        std::sort(packed.begin(), packed.end());
        std::vector<std::string> in_order = expected;
        std::sort(in_order.begin(), in_order.end());
        EXPECT_EQ(packed, in_order);
    }
}

TEST_F(reading, numbers_beyond_64_bits_are_text) {
    edge_list const graph = read("g.txt", "9223372036854775807 -9223372036854775808\n");
    EXPECT_EQ(graph.naming, vertex_naming::numbers);
    EXPECT_EQ(edges_of_all(graph), (std::vector<weighted_edge>{{INT64_MAX, INT64_MIN, 1}}));
    EXPECT_EQ(labels_of_all(read("g.txt", "9223372036854775808 1\n")),
        (std::vector<std::string>{"9223372036854775808 1"}));
}

TEST_F(reading, files_without_edges) {
    for (char const* content : {"", "\n", "# nothing\n", "\xef\xbb\xbf", "\r\n\r\n", "# no newline"}) {
        EXPECT_EQ(edges_of_all(read("g.txt", content)).size(), 0u);
        EXPECT_EQ(edges_of_all(read("g.txt", zstd(content))).size(), 0u);
    }
    edge_list const empty = read("m.mtx", "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n");
    EXPECT_EQ(empty.vertices, 0);
    EXPECT_EQ(read("g.gr", "p tw 5 0\n").vertices, 5);
}

TEST_F(reading, weights_of_a_file_without_weights_are_one) {
    for (auto const& [name, content] :
        std::vector<std::pair<std::string, std::string>>{{"g.txt", "1 2\n"}, {"g.gr", "p tw 2 1\n1 2\n"},
            {"m.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n"}}) {
        edge_list const graph = read(name, content, {.weights = true});
        EXPECT_FALSE(graph.weighted);
        EXPECT_EQ(graph.weights.size(), graph.edges.size());
        EXPECT_EQ(edges_of_all(graph).at(0).weight, 1.0);
    }
}

TEST_F(reading, the_format_is_told_by_suffix_content_or_caller) {
    std::string const matrix = "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n";
    EXPECT_EQ(read("graph.txt", matrix).format, "MatrixMarket coordinate pattern general");
    EXPECT_EQ(read("graph", matrix).format, "MatrixMarket coordinate pattern general");
    EXPECT_EQ(read("graph", "c comment\nc\np tw 2 1\n1 2\n").format, "PACE tw");
    EXPECT_EQ(read("graph", "1 2\n").format, "edge list");
    EXPECT_EQ(read("GRAPH.MTX.GZ", gzip(matrix)).format, "MatrixMarket coordinate pattern general");
    EXPECT_EQ(
        read("packed_without_saying_so.mtx", xz(matrix)).format, "MatrixMarket coordinate pattern general");
    EXPECT_EQ(read("graph", "2 1\n2\n1\n", {.format = weft::graph_format::metis}).format, "METIS");
    EXPECT_EQ(read("graph.mtx", "1 2\n", {.format = weft::graph_format::edge_list}).format, "edge list");
}

TEST_F(reading, progress_is_told_on_every_rank) {
    std::string content;
    for (int i = 0; i < 1000; ++i) content += "1234 5678\n";
    std::int64_t last = 0;
    std::int64_t of = 0;
    auto const progress = [&](std::int64_t done, std::int64_t total) {
        EXPECT_GE(done, last);
        last = done;
        of = total;
    };
    (void)read("g.txt", content, {.progress = progress, .block_bytes = 100});
    EXPECT_EQ(last, of);
    EXPECT_EQ(weft::sum(world(), of), std::ssize(content));
    last = 0;
    std::string const packed = gzip(content);
    (void)read("g.txt", packed, {.progress = progress, .block_bytes = 100});
    EXPECT_EQ(of, std::ssize(packed));
    EXPECT_GT(last, 0);
}

TEST_F(reading, what_progress_throws_reaches_every_rank) {
    std::string content;
    for (int i = 0; i < 1000; ++i) content += "1234 5678\n";
    auto const progress = [](std::int64_t, std::int64_t) {
        if (rank() == size() - 1) throw std::runtime_error("stop");
    };
    for (std::string const& text : {content, zstd(content)}) {
        auto const made = file("g.txt", text);
        if (rank() == size() - 1)
            EXPECT_THROW((void)read_graph(world(), made, {.progress = progress, .block_bytes = 100}),
                std::runtime_error);
        else
            EXPECT_THROW((void)read_graph(world(), made, {.progress = progress, .block_bytes = 100}),
                weft::remote_error);
    }
}

TEST_F(reading, a_block_needs_a_byte) {
    EXPECT_THROW((void)read("g.txt", "1 2\n", {.block_bytes = 0}), weft::usage_error);
}

} // namespace
