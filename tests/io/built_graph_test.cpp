#include <io/formats/rows_head.hpp>
#include <io/shared_folder.hpp>

#include <weft/core/error.hpp>
#include <weft/graph/components.hpp>
#include <weft/graph/triangles.hpp>
#include <weft/io/generators.hpp>
#include <weft/io/load_graph.hpp>
#include <weft/io/write_graph.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

using weft::arc_direction;
using weft::arc_weights;
using weft::edge_list;
using weft::read_graph;
using namespace weft_test;

namespace {

class built_graph : public with_folder {
protected:
    [[nodiscard]] edge_list read(
        std::string const& name, std::string const& content, bool weights = false) const {
        return read_graph(world(), file(name, content), {.weights = weights});
    }

    [[nodiscard]] std::string written(edge_list const& graph) const {
        weft::write_built_graph(world(), graph, path("b.wgraph").string());
        return path("b.wgraph").string();
    }

    [[nodiscard]] std::string bytes_of(edge_list const& graph) const {
        std::string content = content_of(written(graph));
        meet();
        return content;
    }

    [[nodiscard]] std::string complaint(
        std::string const& content, weft::read_options const& options = {.weights = true}) const {
        auto const made = file("bad.wgraph", content);
        auto const ask = [&](auto&& question) {
            try {
                question();
            } catch (weft::io_error const& caught) {
                std::string const text = caught.what();
                EXPECT_TRUE(text.starts_with(made.string())) << text;
                return text.substr(std::min(text.size(), made.string().size()));
            }
            return std::string("nothing was thrown");
        };
        std::string const loaded = ask([&] {
            weft::graph graph = weft::load_graph(world(), made, options);
            (void)graph.simple();
            (void)graph.arcs(arc_direction::backward, arc_weights::lightest);
        });
        std::string const all = ask([&] { (void)read_graph(world(), made, options); });
        return all == "nothing was thrown" ? loaded : all;
    }
};

std::string with_sum_of_rows(std::string content) {
    weft::io::rows_head head;
    std::memcpy(&head, content.data(), sizeof head);
    head.own_sum = head.sum();
    std::memcpy(content.data(), &head, sizeof head);
    return content;
}

/// A graph with loops, equal edges of other weights, and vertices without edges.
edge_list drawn(std::uint64_t seed, bool directed, bool weighted) {
    edge_list graph;
    std::mt19937_64 draw(seed * 1000 + static_cast<std::uint64_t>(rank()));
    graph.vertices = graph.rows = graph.columns = 40 + static_cast<std::int64_t>(seed % 3);
    graph.first_id = 1;
    graph.directed = directed;
    graph.weighted = weighted;
    auto const vertex = [&] { return static_cast<std::int64_t>(draw() % 35); };
    for (std::uint64_t i = draw() % 90; i > 0; --i) {
        graph.edges.push_back({vertex(), vertex()});
        if (draw() % 5 == 0) graph.edges.push_back(graph.edges.back());
    }
    if (weighted)
        for (std::size_t i = 0; i < graph.edges.size(); ++i)
            graph.weights.push_back(static_cast<double>(draw() % 7) / 4);
    return graph;
}

void expect_same_arcs(weft::arc_graph const& a, weft::arc_graph const& b) {
    EXPECT_EQ(a.direction(), b.direction());
    EXPECT_EQ(a.arc_count(), b.arc_count());
    EXPECT_EQ(a.loop_count(), b.loop_count());
    EXPECT_EQ(a.most_neighbors(), b.most_neighbors());
    EXPECT_EQ(a.weighted(), b.weighted());
    EXPECT_TRUE(std::ranges::equal(a.first_neighbors(), b.first_neighbors()));
    EXPECT_TRUE(std::ranges::equal(a.all_neighbors(), b.all_neighbors()));
    EXPECT_TRUE(std::ranges::equal(a.all_weights(), b.all_weights()));
    EXPECT_TRUE(std::ranges::equal(a.ghosts(), b.ghosts()));
}

TEST_F(built_graph, has_the_forms_that_are_built_of_the_edges) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        bool const directed = seed % 2 == 0, weighted = seed % 3 != 0;
        edge_list const list = drawn(seed, directed, weighted);
        weft::graph expected(world(), list);
        weft::graph found = weft::load_graph(world(), written(list), {.weights = true});
        EXPECT_EQ(found.directed(), directed);
        EXPECT_EQ(found.weighted(), weighted);
        EXPECT_EQ(found.vertices().find("7"), 6);
        auto const& a = found.simple();
        auto const& b = expected.simple();
        EXPECT_EQ(a.edge_count(), b.edge_count());
        EXPECT_EQ(a.most_stored(), b.most_stored());
        EXPECT_TRUE(std::ranges::equal(a.first_stored(), b.first_stored()));
        EXPECT_TRUE(std::ranges::equal(a.stored_others(), b.stored_others()));
        for (auto const direction : {arc_direction::both, arc_direction::forward, arc_direction::backward})
            for (auto const weights : {arc_weights::none, arc_weights::lightest, arc_weights::sum})
                expect_same_arcs(found.arcs(direction, weights), expected.arcs(direction, weights));
    }
}

TEST_F(built_graph, a_sparse_graph_has_its_ghosts_sorted) {
    edge_list list; // far more vertices than edges
    list.vertices = list.rows = list.columns = 1000;
    for (std::int64_t i = 0; i < 1000; i += 191)
        if (i % size() == rank()) list.edges.push_back({i, 999 - i});
    weft::graph expected(world(), list);
    weft::graph found = weft::load_graph(world(), written(list));
    expect_same_arcs(found.arcs(arc_direction::both), expected.arcs(arc_direction::both));
}

TEST_F(built_graph, no_edge_is_lost) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        edge_list list = drawn(seed, seed % 2 == 0, true);
        edge_list back = read_graph(world(), written(list), {.weights = true});
        EXPECT_EQ(back.vertices, list.vertices);
        EXPECT_EQ(back.first_id, 1);
        EXPECT_EQ(back.directed, list.directed);
        EXPECT_TRUE(back.weighted);
        auto const turned = [](edge_list& some) {
            if (!some.directed)
                for (auto& each : some.edges)
                    if (each.source > each.target) std::swap(each.source, each.target);
        };
        turned(list);
        turned(back);
        EXPECT_EQ(sorted(edges_of_all(back)), sorted(edges_of_all(list)));
    }
}

TEST_F(built_graph, labels_come_back) {
    auto const numbers = read("a.txt", "-9223372036854775808 9223372036854775807\n7 7\n-1 12\n");
    std::int64_t const least = std::numeric_limits<std::int64_t>::min();
    std::int64_t const most = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(sorted(edges_of_all(read_graph(world(), written(numbers)))),
        (std::vector<weighted_edge>{{least, most, 1}, {-1, 12, 1}, {7, 7, 1}}));
    auto const ascending = read("a.txt", "5 6\n6 7\n7 8\n");
    std::string const file = written(ascending);
    EXPECT_EQ(weft::load_graph(world(), file).vertices().find("7"), 2);
    EXPECT_EQ(weft::load_graph(world(), file).vertices().find("9"), -1);
    EXPECT_EQ(sorted(edges_of_all(read_graph(world(), file))),
        (std::vector<weighted_edge>{{5, 6, 1}, {6, 7, 1}, {7, 8, 1}}));

    edge_list text = read("a.csv", "source,target\nNew York,\"a, b\"\nRome,New York\nMil\xc3\xa1n,Rome\n");
    if (rank() == 0) text.names.push_back("alone");
    std::string const named = written(text);
    weft::graph const graph = weft::load_graph(world(), named);
    EXPECT_EQ(graph.vertices().owners().total(), 5);
    EXPECT_GE(graph.vertices().find("alone"), 0);
    edge_list back = read_graph(world(), named);
    weft::graph again(world(), std::move(back));
    EXPECT_EQ(again.vertices().owners().total(), 5);
    weft::graph from_text(world(), std::move(text));
    expect_same_arcs(again.arcs(arc_direction::both), from_text.arcs(arc_direction::both));
    std::vector<weft::global_id> const all{0, 1, 2, 3, 4};
    EXPECT_EQ(graph.vertices().original_ids(all), from_text.vertices().original_ids(all));
}

TEST_F(built_graph, answers_are_those_of_the_edges) {
    edge_list const list = weft::generate_rmat(world(), {.scale = 9});
    weft::graph expected(world(), list);
    weft::graph found = weft::load_graph(world(), written(list));
    EXPECT_EQ(weft::count_triangles(found.simple()), weft::count_triangles(expected.simple()));
    auto const labels = weft::find_components(found.simple());
    EXPECT_EQ(labels.label, weft::find_components(expected.simple()).label);
    auto const largest = found.largest_component(labels);
    EXPECT_EQ(weft::sum(world(), std::ssize(largest.edges)),
        weft::sum(
            world(), std::ssize(expected.largest_component(weft::find_components(expected.simple())).edges)));
}

TEST_F(built_graph, other_ranks_read_what_some_have_written) {
    edge_list const list = drawn(4, true, true);
    edge_list on_one = list;
    std::vector<weighted_edge> const all = edges_of_all(list);
    on_one.edges.clear();
    on_one.weights.clear();
    if (rank() == size() - 1)
        for (auto const& [source, target, weight] : all) {
            on_one.edges.push_back({source, target});
            on_one.weights.push_back(weight);
        }
    EXPECT_EQ(bytes_of(list).size(), bytes_of(on_one).size());
    std::string const file = written(on_one);
    weft::communicator const alone = world().split(rank());
    weft::graph mine = weft::load_graph(alone, file, {.weights = true});
    weft::graph ours(world(), list);
    EXPECT_EQ(mine.arcs(arc_direction::forward).arc_count(), ours.arcs(arc_direction::forward).arc_count());
}

TEST_F(built_graph, what_rows_cannot_hold_is_written_as_edges) {
    for (char const* const text :
        {"%%MatrixMarket matrix coordinate real skew-symmetric\n5 5 2\n3 1 -0.5\n5 4 7\n",
            "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 3 1\n2 1 4\n"}) {
        edge_list const graph = read("a.mtx", text, true);
        edge_list const back = read_graph(world(), written(graph), {.weights = true});
        EXPECT_TRUE(back.format.starts_with("binary, ends")) << back.format;
        EXPECT_EQ(edges_of_all(back), edges_of_all(graph));
    }
    edge_list graph = drawn(1, false, true);
    if (rank() == 0) {
        graph.edges.push_back({1, 2});
        graph.weights.push_back(std::numeric_limits<double>::quiet_NaN());
    }
    EXPECT_TRUE(read_graph(world(), written(graph)).format.starts_with("binary, ends"));
}

TEST_F(built_graph, edges_listed_from_both_ends_are_told_once) {
    edge_list const graph = read("a.graph", "3 2\n2 3\n1\n1\n");
    edge_list const back = read_graph(world(), written(graph));
    EXPECT_TRUE(back.format.starts_with("binary, rows")) << back.format;
    EXPECT_EQ(sorted(edges_of_all(back)), (std::vector<weighted_edge>{{0, 1, 1}, {0, 2, 1}}));
}

TEST_F(built_graph, no_vertices_and_no_edges) {
    edge_list none;
    EXPECT_EQ(weft::load_graph(world(), written(none)).simple().vertex_count(), 0);
    none.vertices = none.rows = none.columns = 3;
    weft::graph graph = weft::load_graph(world(), written(none));
    EXPECT_EQ(graph.arcs(arc_direction::both).vertex_count(), 3);
    EXPECT_EQ(weft::find_components(graph.simple()).components, 3);
}

TEST_F(built_graph, every_cut_and_every_changed_byte_is_told) {
    for (std::string const& good : {bytes_of(read("a.txt", "1 2 0.1\n2 3 4\n5 6 7\n5 6 1\n2 2 1\n", true)),
             bytes_of(read("a.txt", "x yy 0.5\nzz x 2\n", true)),
             bytes_of(read("a.mtx",
                 "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 3 1\n2 1 4\n2 2 1\n", true))}) {
        ASSERT_EQ(complaint(good), "nothing was thrown");
        for (std::size_t bytes = 0; bytes < good.size(); bytes += bytes < 184 ? 31 : 5)
            EXPECT_NE(complaint(good.substr(0, bytes)), "nothing was thrown") << bytes;
        for (std::size_t at = 0; at < good.size(); at += at < 184 ? 7 : 1) {
            std::string bad = good;
            bad[at] = static_cast<char>(bad[at] ^ 4);
            EXPECT_NE(complaint(bad), "nothing was thrown") << at;
        }
        EXPECT_NE(complaint(good + 'x'), "nothing was thrown");
    }
    std::string const good = bytes_of(read("a.txt", "1 2\n2 3\n"));
    EXPECT_EQ(complaint(good.substr(0, good.size() - 1)),
        ": expected 264 bytes, found 263: the file is cut short; make it again by weft convert");
}

TEST_F(built_graph, heads_that_cannot_be_are_refused) {
    std::string const good = bytes_of(read("a.txt", "x yy 0.5\nzz x 2\n", true));
    for (std::size_t at = 28; at < 88; at += 4) {
        std::string bad = good;
        bad[at + 3] = '\x7f';
        bool const is_first_id = at >= 40 && at < 48;
        EXPECT_EQ(complaint(with_sum_of_rows(bad)) == "nothing was thrown", is_first_id) << at;
    }
}

TEST_F(built_graph, lengths_are_checked) {
    auto const graph = read("a.txt", "1 2 0.5\n2 3 -4\n", true);
    EXPECT_EQ(complaint(bytes_of(graph), {.weights = true, .lengths = true}),
        ": expected weights that are finite and at least 0, found -4.000000");
}

TEST_F(built_graph, other_suffixes_are_refused) {
    auto const graph = read("a.txt", "1 2\n");
    EXPECT_THROW(weft::write_built_graph(world(), graph, path("b.mtx").string()), weft::usage_error);
    EXPECT_THROW(weft::write_built_graph(world(), graph, path("b.txt").string()), weft::usage_error);
}

} // namespace
