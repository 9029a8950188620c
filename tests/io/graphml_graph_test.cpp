#include <io/packed_bytes.hpp>
#include <io/shared_folder.hpp>

#include <weft/core/error.hpp>
#include <weft/graph/simple_graph.hpp>
#include <weft/io/read_graph.hpp>

#include <random>
#include <string>
#include <vector>

using weft::edge_list;
using namespace weft_test;

namespace {

std::string graphml(
    std::string const& body, std::string const& kind = "directed", std::string const& keys = "") {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml "
           "xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n" +
           keys + "<graph id=\"G\" edgedefault=\"" + kind + "\">\n" + body + "</graph>\n</graphml>\n";
}

std::string const nodes =
    "<node id=\"n0\"/>\n<node id=\"n1\"/>\n<node id=\"a &amp; b\"/>\n<node id=\"lonely\"/>\n";
std::string const weight_key = "<key id=\"d1\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>\n";

class graphml_graph : public with_folder {
protected:
    [[nodiscard]] edge_list read(
        std::string const& content, weft::read_options const& options = {.weights = true}) const {
        return weft::read_graph(world(), file("g.graphml", content), options);
    }
    [[nodiscard]] std::string complaint(
        std::string const& content, weft::read_options const& options = {.weights = true}) const {
        auto const path = file("g.graphml", content);
        try {
            (void)weft::read_graph(world(), path, options);
        } catch (weft::io_error const& caught) {
            std::string const text = caught.what();
            EXPECT_TRUE(text.starts_with(path.string() + ":")) << text;
            EXPECT_EQ(text.find('\n'), text.npos) << text;
            return text.substr(path.string().size() + 1);
        }
        return "nothing was thrown";
    }
    static std::vector<double> weights_of_all(edge_list const& graph) {
        std::vector<double> weights;
        for (weighted_edge const& each : edges_of_all(graph)) weights.push_back(each.weight);
        return weights;
    }
};

TEST_F(graphml_graph, nodes_and_edges) {
    std::string const body =
        nodes + "<edge source=\"n0\" target=\"n1\"/>\n<edge id=\"e\" source=\"n1\" target=\"a &amp; b\"/>\n";
    for (std::string const& content : {graphml(body), gzip(graphml(body))}) {
        edge_list const graph = read(content);
        EXPECT_EQ(labels_of_all(graph), (std::vector<std::string>{"n0 n1", "n1 a & b"}));
        EXPECT_TRUE(graph.directed);
        EXPECT_FALSE(graph.weighted);
        EXPECT_EQ(graph.format, "GraphML");
        EXPECT_EQ(weights_of_all(graph), (std::vector<double>{1, 1}));
    }
    edge_list undirected = read(graphml(body, "undirected"));
    EXPECT_FALSE(undirected.directed);
    weft::simple_graph const graph(world(), std::move(undirected));
    EXPECT_EQ(graph.vertex_count(), 4); // the lonely one too
    EXPECT_EQ(graph.edge_count(), 2);
}

TEST_F(graphml_graph, weights_are_data_of_edges) {
    std::string const body =
        nodes +
        "<edge source=\"n0\" target=\"n1\"><data key=\"d0\">red</data><data key=\"d1\"> 2.5\n</data></edge>\n"
        "<edge source=\"n1\" target=\"n0\"><data key=\"d1\">1e3</data></edge>\n"
        "<edge source=\"n1\" target=\"n1\"/>\n";
    std::string const with_default =
        "<key id=\"d0\" for=\"edge\" attr.name=\"color\"/>\n"
        "<key id=\"d1\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"><default>7</default></key>\n";
    edge_list const graph = read(graphml(body, "directed", with_default));
    EXPECT_TRUE(graph.weighted);
    EXPECT_EQ(weights_of_all(graph), (std::vector<double>{2.5, 1000, 7}));
    EXPECT_EQ(
        complaint(graphml(body, "directed", weight_key)), "12: expected a weight of the edge, found none");
    EXPECT_TRUE(read(graphml(body, "directed", weight_key), {}).weights.empty());
}

TEST_F(graphml_graph, weights_whose_key_is_elsewhere_are_refused) {
    std::string const edge = "<edge source=\"n0\" target=\"n1\"><data key=\"d1\">3</data></edge>\n";
    std::string const of_nodes = "<key id=\"d1\" for=\"node\" attr.name=\"weight\"/>\n";
    EXPECT_EQ(complaint(graphml(nodes + edge, "directed", of_nodes)),
        "9: expected weights of edges, found one whose key \"d1\" is for=\"node\"");
    EXPECT_EQ(complaint(graphml(nodes + edge)),
        "8: expected data of edges whose key is declared, found the key \"d1\", which may be that of their "
        "weights");
    EXPECT_EQ(complaint(graphml(nodes + edge + weight_key)),
        "9: expected the key of the weights before the graph, found it behind the edge in line 8");
    std::string const other = "<key id=\"d2\" for=\"edge\" attr.name=\"Weight\"/>\n";
    EXPECT_EQ(complaint(graphml(nodes + edge, "directed", weight_key + other)),
        "4: expected one key of weights, found \"d1\" and \"d2\"");
    EXPECT_EQ(
        weights_of_all(read(graphml(nodes + edge, "directed", of_nodes), {})), (std::vector<double>{1}));
    std::string const named = "<key id=\"d1\" for=\"edge\" attr.name=\"Weight\"/>\n";
    EXPECT_EQ(weights_of_all(read(graphml(nodes + edge, "directed", named))), (std::vector<double>{3}));
}

TEST_F(graphml_graph, complaints) {
    EXPECT_EQ(complaint("<svg/>", {.format = weft::graph_format::graphml}),
        "1: expected the element <graphml>, found <svg>");
    EXPECT_EQ(
        complaint("<graphml>\n</graphml>\n"), "3: expected an element <graph>, found the end of the file");
    EXPECT_EQ(
        complaint("<graphml>\n<graph>\n"), "2: expected the attribute edgedefault of <graph>, found none");
    EXPECT_EQ(complaint(graphml("", "sideways")),
        "3: expected an edgedefault \"directed\" or \"undirected\", found \"sideways\"");
    EXPECT_EQ(complaint(graphml("<node/>\n")), "4: expected the attribute id of <node>, found none");
    EXPECT_EQ(
        complaint(graphml(nodes + "<node id=\"n1\"/>\n")), "8: expected a node once, found \"n1\" again");
    EXPECT_EQ(complaint(graphml(nodes + "<edge source=\"n0\"/>\n")),
        "8: expected the attribute target of <edge>, found none");
    EXPECT_EQ(complaint(graphml(nodes + "<edge source=\"n0\" target=\"n7\"/>\n")),
        "8: expected nodes that the file declares, found \"n7\"");
    EXPECT_EQ(complaint(graphml(nodes + "<edge source=\"n0\" target=\"n1\" directed=\"false\"/>\n")),
        "8: expected edges that are all directed or all undirected, as the graph says, found one of the "
        "other kind");
    EXPECT_EQ(
        complaint(graphml("<hyperedge/>\n")), "4: expected edges between two nodes, found a <hyperedge>");
    EXPECT_EQ(complaint(graphml("<node id=\"a\"><graph edgedefault=\"directed\"/></node>\n")),
        "4: expected one <graph> in the file, found another");
    EXPECT_EQ(complaint(graphml("<node id=\"a\">\n")), "5: expected well-formed XML, found: mismatched tag");
    std::string const edge = "<edge source=\"n0\" target=\"n1\"><data key=\"d1\">-1</data></edge>\n";
    EXPECT_EQ(complaint(graphml(nodes + edge, "directed", weight_key), {.weights = true, .lengths = true}),
        "9: expected a weight that is finite and at least 0, found \"-1\"");
    std::string const word = "<edge source=\"n0\" target=\"n1\"><data key=\"d1\">x</data></edge>\n";
    EXPECT_EQ(complaint(graphml(nodes + word, "directed", weight_key)), "9: expected a weight, found \"x\"");
}

TEST_F(graphml_graph, cut_anywhere_it_is_no_longer_whole) {
    std::string const whole = graphml(nodes + "<edge source=\"n0\" target=\"n1\"/>\n");
    weft::read_options const options{.format = weft::graph_format::graphml};
    for (std::size_t left = 0; left + 1 < whole.size(); left += 7) // but for the last newline
        EXPECT_NE(complaint(whole.substr(0, left), options), "nothing was thrown") << left;
}

TEST_F(graphml_graph, mutated_files_are_read_or_refused) {
    std::string const whole =
        graphml(nodes + "<edge source=\"n0\" target=\"n1\"><data key=\"d1\">3</data></edge>\n", "undirected",
            weight_key);
    weft::read_options const options{.format = weft::graph_format::graphml, .weights = true, .lengths = true};
    std::mt19937_64 next(6);
    int refused = 0;
    for (int round = 0; round < 100; ++round) {
        std::string text = whole;
        for (std::uint64_t changes = 1 + next() % 3; changes > 0; --changes) {
            std::size_t const place = next() % text.size();
            if (next() % 2 == 0)
                text[place] = static_cast<char>(next());
            else
                text.erase(place, 1 + next() % 9);
        }
        try {
            edge_list const graph = read(text, options);
            EXPECT_EQ(graph.weights.size(), graph.edges.size());
            for (double const weight : weights_of_all(graph)) EXPECT_GE(weight, 0);
        } catch (weft::io_error const&) { ++refused; }
    }
    EXPECT_GT(refused, 30);
}

} // namespace
