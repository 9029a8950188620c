#include "trial.hpp"

#include <harness/graph_questions.hpp>
#include <weft/graph/arc_graph.hpp>
#include <weft/graph/column_matrix.hpp>
#include <weft/graph/components.hpp>
#include <weft/graph/degrees.hpp>
#include <weft/graph/graph.hpp>
#include <weft/graph/largest_component.hpp>
#include <weft/graph/neighbor_counts.hpp>
#include <weft/graph/simple_graph.hpp>
#include <weft/graph/sparse_matrix.hpp>
#include <weft/graph/vertex_set.hpp>
#include <weft/io/generators.hpp>
#include <weft/io/named_generator.hpp>

namespace arguments {

namespace {

constexpr std::int64_t vertices = 20;

/// A ring of all vertices; rank r has every P-th edge.
weft::edge_list ring(trial const& now) {
    weft::edge_list made;
    for (std::int64_t v = now.rank(); v < vertices; v += now.size()) {
        made.edges.push_back({v, (v + 1) % vertices});
        made.weights.push_back(1.5);
    }
    made.vertices = made.rows = made.columns = vertices;
    made.directed = made.weighted = true;
    return made;
}

/// Its fields are arguments of all that takes a list of edges.
weft::edge_list given_list(trial& now) {
    weft::edge_list list = ring(now);
    list.edges.front().source = now.own("source of an edge", list.edges.front().source);
    list.edges.back().target = now.own("target of an edge", list.edges.back().target);
    list.weights = now.own("weights", list.weights, {{}, std::vector<double>(1)});
    list.vertices = now.equal("vertices", list.vertices, {vertices + 1, -1, INT64_MIN, INT64_MAX});
    list.rows = now.hint("rows", list.rows, {vertices + 1, -1, INT64_MIN, INT64_MAX});
    list.columns = now.hint("columns", list.columns, {vertices + 1, -1, INT64_MIN, INT64_MAX});
    list.directed = now.hint("directed", true);
    list.bipartite = now.hint("bipartite", false);
    list.weighted = now.hint("weighted", true);
    list.naming = now.equal("naming", list.naming);
    list.names = now.own("names", list.names);
    return list;
}

template <class Make>
call made(char const* name, Make make) {
    return {name, [make](trial& now) {
                auto list = given_list(now);
                now.under_test([&] { make(now, std::move(list)); });
            }};
}

void made_matrix(trial& now) {
    auto list = given_list(now);
    now.under_test([&] { weft::sparse_matrix const matrix(now.comm(), std::move(list)); });
}

weft::edge_list ring_of_edges(trial const& now) {
    weft::edge_list list = ring(now);
    list.weights.clear();
    list.weighted = list.directed = false;
    return list;
}

void components(trial& now) {
    weft::simple_graph const graph(now.comm(), ring_of_edges(now));
    weft::components_options how;
    how.method = now.equal("method", how.method);
    how.gather_below = now.equal("gather_below", std::int64_t{4});
    how.seed = now.equal("seed", std::uint64_t{1});
    how.delegate_threshold = now.equal("delegate_threshold", std::int64_t{0});
    now.ask([&] { return weft::find_components(graph, how); });
}

void multiplied(trial& now) {
    weft::sparse_matrix matrix(now.comm(), ring(now));
    auto const x = now.own("x", std::vector<double>(static_cast<std::size_t>(matrix.local_columns())),
        {{}, std::vector<double>(99)});
    auto y = now.own("y", std::vector<double>(static_cast<std::size_t>(matrix.local_rows())),
        {{}, std::vector<double>(99)});
    now.under_test([&] { matrix.multiply(x, y); });
}

void multiplied_by_columns(trial& now) {
    weft::sparse_matrix const matrix(now.comm(), ring(now));
    weft::column_matrix_options how;
    how.delegate_threshold = now.equal("delegate_threshold", std::int64_t{1});
    auto const x = now.own("x", std::vector<double>(static_cast<std::size_t>(matrix.local_columns())),
        {{}, std::vector<double>(99)});
    auto y = now.own("y", std::vector<double>(static_cast<std::size_t>(matrix.local_rows())),
        {{}, std::vector<double>(99)});
    now.under_test([&] {
        weft::column_matrix columns(matrix, how);
        columns.multiply(x, y);
    });
}

void neighbours(trial& now) {
    weft::sparse_matrix const matrix(now.comm(), ring(now));
    auto const ranks = now.equal("ranks", 4, {0, -1, INT32_MIN, 5});
    auto const layout = now.equal("layout", weft::block_layout::floor);
    now.under_test([&] { (void)weft::count_neighbors(matrix, ranks, layout); });
}

void names(trial& now) {
    weft::edge_list list;
    list.naming = weft::vertex_naming::text;
    for (int i = 0; i < 30; ++i) list.names.push_back("vertex " + std::to_string(i * 7 % 30));
    for (int i = 0; i < 29; ++i) list.edges.push_back({i, i + 1});
    weft::vertex_set const all(now.comm(), list);
    auto const asked = now.own("asked", std::vector<weft::global_id>(6, 5));
    auto const wanted = now.equal("wanted", std::string("vertex 14"));
    now.under_test([&] { (void)all.original_ids(asked); });
    if (!now.thrown()) now.under_test([&] { (void)all.find(wanted); });
}

void triangles(trial& now) {
    weft::simple_graph const graph(now.comm(), ring_of_edges(now));
    auto const visit =
        now.own("visit", weft::triangle_visitor([](auto const&) {}), {weft::triangle_visitor()});
    now.under_test([&] { (void)weft::for_each_triangle(graph, visit); });
}

void rmat(trial& now) {
    weft::rmat_options how;
    how.scale = now.equal("scale", 6, {-1, 7, 63, INT32_MAX, INT32_MIN});
    how.edge_factor = now.equal("edge_factor", std::int64_t{4}, {-1, 0, 5, INT64_MAX, INT64_MIN});
    how.a = now.equal("a", 0.57);
    how.b = now.equal("b", 0.19);
    how.c = now.equal("c", 0.19);
    how.seed = now.equal("seed", std::uint64_t{1});
    how.scramble = now.equal("scramble", true);
    now.under_test([&] { (void)weft::generate_rmat(now.comm(), how); });
}

void erdos_renyi(trial& now) {
    weft::erdos_renyi_options how;
    how.vertices = now.equal("vertices", std::int64_t{50}, {-1, 0, 51, INT64_MAX, INT64_MIN});
    how.average_degree = now.equal("average_degree", 4.0);
    how.probability = now.equal("probability", how.probability);
    how.seed = now.equal("seed", std::uint64_t{1});
    now.under_test([&] { (void)weft::generate_erdos_renyi(now.comm(), how); });
}

void forms(trial& now) {
    weft::graph kept(now.comm(), ring(now));
    auto const direction = now.equal("direction", weft::arc_direction::forward);
    auto const weights = now.equal("weights", weft::arc_weights::sum);
    now.under_test([&] {
        (void)kept.simple();
        (void)kept.arcs(direction, weights);
    });
}

void largest(trial& now) {
    weft::graph kept(now.comm(), ring(now));
    weft::component_labels found = weft::find_components(kept.simple());
    found.largest_label = now.equal("largest_label", found.largest_label);
    now.under_test([&] { (void)kept.largest_component(found); });
}

void geometric(trial& now) {
    weft::geometric_options how;
    how.vertices = now.equal("vertices", std::int64_t{50}, {-1, 0, 51, INT64_MAX, INT64_MIN});
    how.dimensions = now.equal("dimensions", 2, {3, 1, -1, 4});
    how.average_degree = now.equal("average_degree", 4.0);
    how.radius = now.equal("radius", how.radius);
    how.seed = now.equal("seed", std::uint64_t{1});
    now.under_test([&] { (void)weft::generate_geometric(now.comm(), how); });
}

void lattice(trial& now) {
    weft::lattice_options how;
    how.extents = now.equal("extents", std::vector<std::int64_t>{5, 4},
        {{}, {5, 5}, {5, 0}, {-1, -1}, {5, 4, 2}, {INT64_MAX, INT64_MAX}, std::vector<std::int64_t>(9, 1)});
    how.periodic = now.equal("periodic", false);
    now.under_test([&] { (void)weft::generate_lattice(now.comm(), how); });
}

void generated_by_name(trial& now) {
    std::string const text = now.equal("text", std::string("er:50:4"), {"", "er:", "er:51:4", "rmat:3,d=1"});
    weft::generation_options how;
    how.seed = now.equal("seed", std::uint64_t{1});
    now.under_test([&] { (void)weft::generate_graph(now.comm(), text, how); });
}

} // namespace

std::vector<call> graph_calls() {
    std::vector<call> all{
        made("simple_graph",
            [](trial& now, weft::edge_list list) {
                weft::simple_graph const graph(now.comm(), std::move(list));
            }),
        made("arc_graph",
            [](trial& now, weft::edge_list list) {
                weft::arc_graph const graph(
                    now.comm(), std::move(list), weft::arc_direction::forward, weft::arc_weights::lightest);
            }),
        made("graph",
            [](trial& now, weft::edge_list list) { weft::graph const kept(now.comm(), std::move(list)); }),
        made("keep_largest_component",
            [](trial& now, weft::edge_list list) {
                (void)weft::keep_largest_component(now.comm(), std::move(list));
            }),
        {"graph::simple, graph::arcs", forms},
        {"graph::largest_component", largest},
        made("vertex_set",
            [](trial& now, weft::edge_list list) { weft::vertex_set const set(now.comm(), list); }),
        {"sparse_matrix", made_matrix},
        {"sparse_matrix::multiply", multiplied, told::neighbours},
        {"column_matrix", multiplied_by_columns, told::neighbours},
        {"count_neighbors", neighbours},
        {"find_components", components},
        {"for_each_triangle", triangles},
        {"vertex_set::find", names},
        {"generate_rmat", rmat},
        {"generate_erdos_renyi", erdos_renyi},
        {"generate_geometric", geometric},
        {"generate_lattice", lattice},
        {"generate_graph", generated_by_name},
    };
    for (auto const& row : weft_test::questions_about_simple_graphs<trial>())
        all.push_back({row.name, [row](trial& now) {
                           weft::simple_graph const graph(now.comm(), ring_of_edges(now));
                           row.run(now, graph);
                       }});
    for (auto const& row : weft_test::questions_about_arcs<trial>())
        all.push_back({row.name, [row](trial& now) {
                           weft::arc_graph const graph(now.comm(), ring(now), row.direction, row.weights);
                           row.run(now, graph);
                       }});
    return all;
}

} // namespace arguments
