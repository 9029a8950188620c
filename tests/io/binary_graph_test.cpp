#include <io/formats/binary_head.hpp>
#include <io/shared_folder.hpp>

#include <weft/core/error.hpp>
#include <weft/graph/vertex_set.hpp>
#include <weft/io/generators.hpp>
#include <weft/io/read_graph.hpp>
#include <weft/io/write_graph.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

using weft::edge_list;
using weft::read_graph;
using weft::write_graph;
using namespace weft_test;

namespace {

class binary_graph : public with_folder {
protected:
    [[nodiscard]] edge_list read(
        std::string const& name, std::string const& content, bool weights = false) const {
        return read_graph(world(), file(name, content), {.weights = weights});
    }

    /// The graph as it comes back from a file.
    [[nodiscard]] edge_list through_a_file(edge_list const& graph, bool weights = false) const {
        write_graph(world(), graph, path("b.wgraph"));
        return read_graph(world(), path("b.wgraph"), {.weights = weights});
    }

    /// The bytes of a small file, on all ranks.
    [[nodiscard]] std::string bytes_of(edge_list const& graph) const {
        write_graph(world(), graph, path("b.wgraph"));
        std::string content = content_of(path("b.wgraph"));
        meet();
        return content;
    }

    /// The complaint of reading, without the name of the file; the same on every rank.
    [[nodiscard]] std::string complaint(
        std::string const& content, weft::read_options const& options = {.weights = true}) const {
        auto const made = file("bad.wgraph", content);
        try {
            (void)read_graph(world(), made, options);
        } catch (weft::io_error const& caught) {
            std::string const text = caught.what();
            EXPECT_TRUE(text.starts_with(made.string())) << text;
            return text.substr(std::min(text.size(), made.string().size()));
        }
        return "nothing was thrown";
    }
};

std::string with_own_sum(std::string content) {
    weft::io::binary_head head;
    std::memcpy(&head, content.data(), sizeof head);
    head.own_sum = head.sum();
    std::memcpy(content.data(), &head, sizeof head);
    return content;
}

void expect_same_description(edge_list const& a, edge_list const& b) {
    EXPECT_EQ(a.naming, b.naming);
    EXPECT_EQ(a.vertices, b.vertices);
    EXPECT_EQ(a.first_id, b.first_id);
    EXPECT_EQ(a.rows, b.rows);
    EXPECT_EQ(a.columns, b.columns);
    EXPECT_EQ(a.bipartite, b.bipartite);
    EXPECT_EQ(a.symmetry, b.symmetry);
    EXPECT_EQ(a.directed, b.directed);
    EXPECT_EQ(a.both_directions, b.both_directions);
    EXPECT_EQ(a.weighted, b.weighted);
}

TEST_F(binary_graph, a_matrix_comes_back_as_it_was) {
    for (char const* const kind : {"general", "symmetric", "skew-symmetric"}) {
        edge_list const graph = read("a.mtx",
            "%%MatrixMarket matrix coordinate real " + std::string(kind) +
                "\n5 5 3\n3 1 -0.5\n5 4 7\n3 2 1e300\n",
            true);
        edge_list const back = through_a_file(graph, true);
        expect_same_description(back, graph);
        EXPECT_EQ(edges_of_all(back), edges_of_all(graph)) << kind;
    }
    edge_list const wide =
        read("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 3 2\n1 3\n2 1\n");
    expect_same_description(through_a_file(wide), wide);
}

TEST_F(binary_graph, edges_listed_from_both_ends_stay_so) {
    edge_list const graph = read("a.graph", "3 2\n2 3\n1\n1\n");
    edge_list const back = through_a_file(graph);
    expect_same_description(back, graph);
    EXPECT_EQ(edges_of_all(back), edges_of_all(graph));
}

TEST_F(binary_graph, labels_that_are_numbers_of_64_bits) {
    edge_list const graph = read("a.txt", "-9223372036854775808 9223372036854775807\n7 7\n-1 12\n");
    edge_list const back = through_a_file(graph);
    expect_same_description(back, graph);
    EXPECT_EQ(edges_of_all(back), edges_of_all(graph));
    EXPECT_EQ(bytes_of(graph).size(), sizeof(weft::io::binary_head) + 3 * 16);
    EXPECT_EQ(bytes_of(read("a.txt", "0 4294967295\n7 7\n")).size(), sizeof(weft::io::binary_head) + 2 * 8);
}

TEST_F(binary_graph, labels_that_are_text_and_vertices_without_edges) {
    edge_list graph = read("a.csv",
        "source,target\nNew York,\"a, b\"\nRome,New York\nMil\xc3\xa1n,Rome\nRome,Rome\n\"\"\"q\"\"\",7\n");
    if (rank() == 0) graph.names.push_back("alone");
    edge_list back = through_a_file(graph);
    expect_same_description(back, graph);
    EXPECT_EQ(labels_of_all(back), labels_of_all(graph));
    weft::vertex_set const before(world(), graph);
    weft::vertex_set const after(world(), back);
    EXPECT_EQ(after.owners().total(), 7);
    EXPECT_EQ(before.owners().total(), 7);
    EXPECT_GE(after.find("alone"), 0);
}

TEST_F(binary_graph, weights_take_four_bytes_where_these_tell_all) {
    std::size_t const head = sizeof(weft::io::binary_head);
    EXPECT_EQ(bytes_of(read("a.txt", "1 2 0.5\n2 3 255\n", true)).size(), head + 2 * (8 + 4));
    EXPECT_EQ(bytes_of(read("a.txt", "1 2 0.1\n2 3 255\n", true)).size(), head + 2 * (8 + 8));
    edge_list graph;
    graph.vertices = graph.rows = graph.columns = 4;
    std::vector<double> const odd{-0.0, std::numeric_limits<double>::quiet_NaN(),
        std::numeric_limits<double>::infinity(), std::numeric_limits<double>::denorm_min()};
    for (std::int64_t i = 0; i < std::ssize(odd); ++i)
        if (i % size() == rank()) {
            graph.edges.push_back({i, i});
            graph.weights.push_back(odd[static_cast<std::size_t>(i)]);
        }
    edge_list const back = through_a_file(graph, true);
    for (std::size_t i = 0; i < back.edges.size(); ++i) {
        double const expected = odd[static_cast<std::size_t>(back.edges[i].source)];
        EXPECT_EQ(std::memcmp(&back.weights[i], &expected, sizeof expected), 0) << expected;
    }
}

TEST_F(binary_graph, weights_are_1_where_the_file_has_none) {
    edge_list const graph = read("a.gr", "p tw 4 2\n1 2\n4 3\n");
    write_graph(world(), graph, path("b.wgraph"));
    edge_list const back = read_graph(world(), path("b.wgraph"), {.weights = true});
    EXPECT_FALSE(back.weighted);
    EXPECT_EQ(back.weights, std::vector<double>(back.edges.size(), 1.0));
    EXPECT_TRUE(read_graph(world(), path("b.wgraph")).weights.empty());
}

TEST_F(binary_graph, ranks_read_shares_in_order_and_tell_progress) {
    edge_list const graph = weft::generate_rmat(world(), {.scale = 12});
    write_graph(world(), graph, path("b.wgraph"));
    std::int64_t done = 0, all = -1;
    edge_list const back = read_graph(world(), path("b.wgraph"),
        {.progress = [&](std::int64_t now, std::int64_t total) { done = now, all = total; }});
    EXPECT_EQ(edges_of_all(back), edges_of_all(graph));
    EXPECT_EQ(done, all);
    std::int64_t const edges = weft::sum(world(), std::ssize(graph.edges));
    EXPECT_EQ(std::ssize(back.edges), edges / size() + (rank() < edges % size() ? 1 : 0));
}

TEST_F(binary_graph, is_known_by_its_first_bytes) {
    std::string const content = bytes_of(read("a.txt", "1 2\n2 3\n"));
    EXPECT_EQ(sorted(edges_of_all(read("without_suffix", content))),
        (std::vector<weighted_edge>{{1, 2, 1}, {2, 3, 1}}));
}

TEST_F(binary_graph, no_edges) {
    edge_list const graph = read("a.gr", "p tw 4 0\n");
    edge_list const back = through_a_file(graph, true);
    expect_same_description(back, graph);
    EXPECT_TRUE(back.edges.empty());
}

TEST_F(binary_graph, other_files_are_refused_with_a_cure) {
    std::string const begin = ": expected a graph in Weft's binary form, found ";
    EXPECT_EQ(complaint(""), begin + "an empty file");
    EXPECT_EQ(complaint("1 2\n"), begin + "another one; set `format` to what it is");
    EXPECT_EQ(complaint("\x1f\x8b\x08 and more"), begin + "a packed one; unpack it first");
    std::string const good = bytes_of(read("a.txt", "1 2 0.5\n2 3 4\n", true));
    std::string other_order = good;
    std::reverse(other_order.begin() + 8, other_order.begin() + 12);
    EXPECT_EQ(complaint(other_order),
        ": the graph was written with another order of bytes; make it again by weft "
        "convert on a machine like this one");
    std::string newer = good;
    newer[12] = 9;
    EXPECT_EQ(complaint(newer),
        ": expected version 1 or 2 of the binary form, found 9, which another version of Weft "
        "reads; make it again by weft convert of this one");
}

TEST_F(binary_graph, every_cut_and_every_changed_byte_is_told) {
    for (std::string const& good : {bytes_of(read("a.txt", "1 2 0.1\n2 3 4\n5 6 7\n", true)),
             bytes_of(read("a.txt", "x yy 0.5\nzz x 2\n", true))}) {
        ASSERT_EQ(complaint(good), "nothing was thrown");
        for (std::size_t bytes = 0; bytes < good.size(); bytes += bytes < 120 ? 17 : 1)
            EXPECT_NE(complaint(good.substr(0, bytes)), "nothing was thrown") << bytes;
        for (std::size_t at = 0; at < good.size(); at += at < 120 ? 5 : 1) {
            std::string bad = good;
            bad[at] = static_cast<char>(bad[at] ^ 4);
            EXPECT_NE(complaint(bad), "nothing was thrown") << at;
        }
        EXPECT_NE(complaint(good + 'x'), "nothing was thrown");
    }
    std::string const good = bytes_of(read("a.txt", "1 2\n2 3\n"));
    std::string damaged = good;
    damaged.back() = 9;
    EXPECT_EQ(complaint(damaged),
        ": the graph is damaged: its check sum does not match; make it again by weft convert");
    EXPECT_EQ(complaint(good.substr(0, good.size() - 1)),
        ": expected 136 bytes, found 135: the file is cut short; "
        "make it again by weft convert");
}

TEST_F(binary_graph, heads_that_cannot_be_are_refused) {
    std::string const good = bytes_of(read("a.txt", "x yy 0.5\nzz x 2\n", true));
    for (std::size_t at = 16; at < 88; ++at)
        for (char const value : {'\x7f', '\xff', '\x01'}) {
            std::string bad = good;
            bad[at] = value;
            if (bad[at] == good[at]) continue;
            std::string const said = complaint(with_own_sum(bad));
            bool const is_free = at >= 28 && at < 32; // flags of a list of labels change nothing
            bool const describes = (at >= 40 && at < 64) || (at == 20 && value == 1);
            EXPECT_TRUE(is_free || describes || said != "nothing was thrown") << at << ' ' << int{value};
        }
}

TEST_F(binary_graph, lengths_are_checked) {
    auto const graph = read("a.txt", "1 2 0.5\n2 3 -4\n3 4 -5\n", true);
    EXPECT_EQ(complaint(bytes_of(graph), {.weights = true, .lengths = true}),
        "[1]: expected a weight that is finite and at least 0, found -4.000000");
}

TEST_F(binary_graph, is_not_packed) {
    auto const graph = read("a.txt", "1 2\n");
    try {
        write_graph(world(), graph, path("b.wgraph.gz"));
        FAIL() << "nothing was thrown";
    } catch (weft::usage_error const& caught) {
        EXPECT_EQ(std::string(caught.what()), "write_graph: expected a plain file for the binary form, whose "
                                              "ranks read their shares of it, found " +
                                                  path("b.wgraph.gz").string());
    }
}

} // namespace
