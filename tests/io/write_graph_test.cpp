#include <io/shared_folder.hpp>

#include <weft/core/error.hpp>
#include <weft/io/generators.hpp>
#include <weft/io/read_graph.hpp>
#include <weft/io/write_graph.hpp>

#include <csignal>
#include <string>
#include <vector>

#include <sys/resource.h>

using weft::edge_list;
using weft::read_graph;
using weft::write_graph;
using namespace weft_test;

namespace {

class writing : public with_folder {
protected:
    std::string written(edge_list const& graph, std::string const& name) const {
        write_graph(world(), graph, path(name));
        std::string content = content_of(path(name));
        meet();
        return content;
    }

    [[nodiscard]] edge_list read(
        std::string const& name, std::string const& content, bool weights = false) const {
        return read_graph(world(), file(name, content), {.weights = weights, .block_bytes = 8});
    }

    /// The files in the folder, when all ranks are done with it: one of them removes those that are not
    /// finished. Collective.
    [[nodiscard]] std::int64_t files() const {
        meet();
        return std::distance(
            std::filesystem::directory_iterator(path("")), std::filesystem::directory_iterator());
    }

    template <class Error>
    std::string complaint(edge_list const& graph, std::filesystem::path const& to) const {
        try {
            write_graph(world(), graph, to);
        } catch (Error const& caught) { return caught.what(); }
        return "nothing was thrown";
    }
};

TEST_F(writing, an_edge_list_with_a_comment_on_its_size) {
    EXPECT_EQ(written(read("a.gr", "p tw 4 2\n1 2\n4 3\n"), "b.txt"), "# Nodes: 4 Edges: 2\n1\t2\n4\t3\n");
    EXPECT_EQ(written(read("a.txt", "7 -5 0.25\n9 9 1e300\n", true), "b.el"),
        "# Edges: 2\n7\t-5\t0.25\n9\t9\t1e+300\n");
    EXPECT_EQ(written(read("a.txt", "x y\n1 x\n"), "b.tsv"), "# Edges: 2\nx\ty\n1\tx\n");
}

TEST_F(writing, labels_with_blanks_are_read_back) {
    std::string const rows = "source,target,weight\nNew York,\"a, b\",1\n\"say \"\"no\"\"\",New York,2.5\n";
    edge_list const graph = read("a.csv", rows, true);
    EXPECT_EQ(written(graph, "b.csv"), rows);
    EXPECT_EQ(written(graph, "b.tsv"), "# Edges: 2\nNew York\ta, b\t1\nsay \"no\"\tNew York\t2.5\n");
    edge_list const back = read_graph(world(), path("b.tsv"), {.weights = true});
    EXPECT_EQ(labels_of_all(back), labels_of_all(graph));
    EXPECT_TRUE(back.weighted);
    EXPECT_EQ(complaint<weft::usage_error>(graph, path("c.txt")),
        "write_graph: expected labels that an edge list in " + path("c.txt").string() +
            " can have, found \"New York\"; write it as .csv, or with tabs as .tsv");
}

TEST_F(writing, matrices) {
    std::string const general = "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 3 -0.5\n2 1 7\n";
    EXPECT_EQ(written(read("a.mtx", general, true), "b.mtx"), general);
    std::string const symmetric = "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 3\n";
    EXPECT_EQ(written(read("a.mtx", symmetric), "b.mm"), symmetric);
    EXPECT_EQ(
        written(read("a.mtx", "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n1 2 4\n", true),
            "b.mtx"),
        "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n2 1 -4\n");
}

TEST_F(writing, an_edge_listed_from_both_ends_is_one_entry) {
    EXPECT_EQ(written(read("a.graph", "3 2\n2 3\n1\n1\n"), "b.mtx"),
        "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 1\n");
}

TEST_F(writing, packed_files_are_read_back) {
    auto const graph =
        read("a.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 3 -0.5\n2 1 7\n3 3 2\n", true);
    std::string const plain = written(graph, "plain.mtx");
    for (char const* const name : {"b.mtx.gz", "b.mtx.bz2", "b.mtx.xz", "b.mtx.zst"}) {
        EXPECT_NE(written(graph, name), plain) << name;
        EXPECT_EQ(written(read_graph(world(), path(name), {.weights = true}), "again.mtx"), plain) << name;
    }
}

TEST_F(writing, no_edges) {
    EXPECT_EQ(written(read("a.gr", "p tw 4 0\n"), "b.txt"), "# Nodes: 4 Edges: 0\n");
    EXPECT_EQ(written(read("a.gr", "p tw 4 0\n"), "b.mtx"),
        "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 0\n");
}

TEST_F(writing, a_generated_graph_is_the_same_file_at_any_number_of_ranks) {
    edge_list const graph = weft::generate_rmat(world(), {.scale = 9});
    std::string const content = written(graph, "rmat.txt");
    weft::communicator const alone = world().split(rank());
    edge_list const whole = weft::generate_rmat(alone, {.scale = 9});
    auto const mine = path("alone." + std::to_string(rank()) + ".txt");
    write_graph(alone, whole, mine);
    EXPECT_TRUE(content == content_of(mine));
    EXPECT_EQ(edges_of_all(read_graph(world(), path("rmat.txt"))), edges_of_all(graph));
}

TEST_F(writing, replaces_a_file_and_leaves_nothing_beside_it) {
    edge_list const graph = read("a.txt", "1 2\n");
    EXPECT_EQ(written(graph, "a.txt"), "# Edges: 1\n1\t2\n");
    EXPECT_EQ(files(), 1);
}

TEST_F(writing, what_cannot_be_said) {
    edge_list const graph = read("a.txt", "1 2\n");
    EXPECT_EQ(complaint<weft::usage_error>(graph, path("b.mtx")),
        "write_graph: expected a graph with declared vertices for a matrix, found labels (number the "
        "vertices or write "
        "an edge list)");
    EXPECT_EQ(complaint<weft::usage_error>(graph, path("b.zip")),
        "write_graph: expected one of the suffixes .mtx, .mm, .txt, .edges, .el, .tsv, .snap, .csv, .wgraph, "
        "and .gz, "
        ".bz2, .xz or .zst behind it, found \".zip\" in " +
            path("b.zip").string());
    edge_list half = weft::generate_rmat(world(), {.scale = 4});
    half.weights.assign(half.edges.size(), 1.5);
    if (rank() == size() - 1) half.weights.pop_back();
    EXPECT_NE(complaint<weft::usage_error>(half, path("b.txt")).find("expected a weight for each of the"),
        std::string::npos);
    EXPECT_EQ(files(), 1);
}

TEST_F(writing, what_the_system_refuses) {
    edge_list const graph = weft::generate_rmat(world(), {.scale = 10});
    EXPECT_EQ(complaint<weft::io_error>(graph, path("nowhere/b.txt"))
                  .find(path("nowhere/b.txt").string() + ": cannot write: No such file or directory"),
        0u);
    if (rank() == 0) std::filesystem::create_directory(path("folder.txt"));
    meet();
    EXPECT_EQ(complaint<weft::io_error>(graph, path("folder.txt")),
        path("folder.txt").string() + ": cannot write: Is a directory (give the path of a file)");
    EXPECT_EQ(files(), 1);
}

TEST_F(writing, a_full_disk_is_an_error_on_all_ranks) {
    edge_list const graph = weft::generate_rmat(world(), {.scale = 12});
    rlimit before;
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    auto const handler = std::signal(SIGXFSZ, SIG_IGN);
    rlimit const little{100'000, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &little), 0);
    std::string const text = complaint<weft::io_error>(graph, path("b.txt"));
    EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
    std::signal(SIGXFSZ, handler);
    EXPECT_NE(text.find("cannot write: File too large"), text.npos) << text;
    EXPECT_EQ(files(), 0);
}

} // namespace
