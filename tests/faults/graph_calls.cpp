#include "call.hpp"

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
#include <weft/io/generators.hpp>
#include <weft/io/named_generator.hpp>

#include <optional>

namespace faults {

namespace {

constexpr std::int64_t vertices = 2100; // so that an array of a rank's vertices counts as a user's

/// A ring of all vertices, and from each a short chord and a long one, mostly to another rank; rank r has
/// what begins at every P-th vertex.
weft::edge_list ring_with_chords(trial const& now) {
    weft::edge_list made;
    for (std::int64_t v = now.rank(); v < vertices; v += now.size()) {
        made.edges.push_back({v, (v + 1) % vertices});
        made.edges.push_back({v, (v + 2) % vertices});
        made.edges.push_back({v, (v + 701) % vertices});
        made.weights.insert(made.weights.end(), {1.0, 2.5, 4.0});
    }
    made.vertices = made.rows = made.columns = vertices;
    made.directed = made.weighted = true;
    return made;
}

weft::edge_list without_weights(weft::edge_list list) {
    list.weights.clear();
    list.weighted = false;
    list.directed = false;
    return list;
}

void made_simple_graph(trial& now) {
    auto edges = without_weights(ring_with_chords(now));
    std::optional<weft::simple_graph> graph;
    if (now.under_test([&] { graph.emplace(now.comm(), std::move(edges)); }))
        now.expect(graph->edge_count() == 3 * vertices);
}

/// The ids of a file that does not declare its vertices.
void made_of_numbers(trial& now) {
    auto edges = without_weights(ring_with_chords(now));
    edges.naming = weft::vertex_naming::numbers;
    for (weft::edge& each : edges.edges) each = {7 * each.source + 3, 7 * each.target + 3};
    std::optional<weft::simple_graph> graph;
    if (now.under_test([&] { graph.emplace(now.comm(), std::move(edges)); }))
        now.expect(graph->edge_count() == 3 * vertices && graph->vertex_count() == vertices);
}

void kept_largest(trial& now) {
    auto edges = ring_with_chords(now);
    weft::edge_list kept;
    std::size_t const mine = edges.edges.size();
    if (now.under_test([&] { kept = weft::keep_largest_component(now.comm(), std::move(edges)); }))
        now.expect(kept.edges.size() == mine && kept.weights.size() == mine);
}

void kept_largest_of_graph(trial& now) {
    auto edges = ring_with_chords(now);
    std::size_t const mine = edges.edges.size();
    edges.naming = weft::vertex_naming::numbers;
    edges.vertices = edges.rows = edges.columns = 0;
    weft::graph graph(now.comm(), std::move(edges));
    weft::component_labels const found = weft::find_components(graph.simple());
    weft::edge_list kept;
    if (now.under_test([&] { kept = graph.largest_component(found); }))
        now.expect(kept.edges.size() == mine && kept.weights.size() == mine);
}

void made_forms(trial& now) {
    auto edges = ring_with_chords(now);
    std::optional<weft::graph> graph;
    if (now.under_test([&] {
            graph.emplace(now.comm(), std::move(edges));
            (void)graph->simple();
            (void)graph->arcs(weft::arc_direction::backward, weft::arc_weights::sum);
        }))
        now.expect(graph->simple().edge_count() == 3 * vertices);
}

template <class Ask>
call of_simple(char const* name, Ask ask) {
    return {name, [ask](trial& now) {
                weft::simple_graph const graph(now.comm(), without_weights(ring_with_chords(now)));
                ask(now, graph);
            }};
}

void visited(trial& now, weft::simple_graph const& graph) {
    std::int64_t found = 0;
    if (now.under_test([&] {
            found = weft::for_each_triangle(graph, [](auto const& of) {
                if (of[0] % 100 == 0) in_callback(); // some are enough
            });
        }))
        now.expect(found / vertices == 1);
}

call of_arcs(char const* name, weft_test::graph_question<weft::arc_graph, trial> const& row) {
    return {name, [row](trial& now) {
                weft::arc_graph const graph(now.comm(), ring_with_chords(now), row.direction, row.weights);
                row.run(now, graph);
            }};
}

void made_arc_graph(trial& now) {
    auto edges = ring_with_chords(now);
    std::optional<weft::arc_graph> graph;
    if (now.under_test([&] {
            graph.emplace(
                now.comm(), std::move(edges), weft::arc_direction::forward, weft::arc_weights::lightest);
        }))
        now.expect(graph->arc_count() == 3 * vertices);
}

void multiplied(trial& now) {
    auto entries = ring_with_chords(now);
    double sum = 0;
    std::vector<double> const x(static_cast<std::size_t>(vertices), 1.0);
    std::vector<double> y(static_cast<std::size_t>(vertices));
    if (now.under_test([&] {
            weft::sparse_matrix matrix(now.comm(), std::move(entries));
            auto const rows = static_cast<std::size_t>(matrix.local_rows());
            auto const columns = static_cast<std::size_t>(matrix.local_columns());
            matrix.multiply(std::span(x).first(columns), std::span(y).first(rows));
            (void)weft::count_neighbors(matrix, 4, weft::block_layout::floor);
            sum = y[0];
        }))
        now.expect(sum == 7.5);
}

void multiplied_by_columns(trial& now) {
    weft::sparse_matrix const matrix(now.comm(), ring_with_chords(now));
    double sum = 0;
    std::vector<double> const x(static_cast<std::size_t>(matrix.local_columns()), 1.0);
    std::vector<double> y(static_cast<std::size_t>(matrix.local_rows()));
    if (now.under_test([&] {
            weft::column_matrix columns(matrix, {.delegate_threshold = 1});
            columns.multiply(x, y);
            sum = y[0];
        }))
        now.expect(sum == 7.5);
}

void names_of_vertices(trial& now) {
    weft::edge_list list;
    list.naming = weft::vertex_naming::text;
    for (int i = 0; i < 300; ++i) list.names.push_back("vertex " + std::to_string(i * 7 % 300));
    for (int i = 0; i < 299; ++i) list.edges.push_back({i, i + 1});
    std::vector<weft::global_id> asked(600, 5);
    std::vector<std::string> names;
    weft::global_id found = -1;
    if (now.under_test([&] {
            weft::vertex_set const all(now.comm(), list);
            names = all.original_ids(asked);
            found = all.find("vertex 14");
        }))
        now.expect(names.size() == 600 && names.front() == names.back() && found >= 0);
}

void generated(trial& now) {
    weft::edge_list rmat;
    weft::edge_list random;
    if (now.under_test([&] {
            rmat = weft::generate_rmat(
                now.comm(), {.scale = 9, .progress = [](std::int64_t, std::int64_t) { in_callback(); }});
            random = weft::generate_erdos_renyi(
                now.comm(), {.vertices = 500, .progress = [](std::int64_t, std::int64_t) { in_callback(); }});
        }))
        now.expect(rmat.vertices == 512 && random.vertices == 500);
}

void generated_in_space(trial& now) {
    auto const count = [](std::int64_t, std::int64_t) { in_callback(); };
    weft::edge_list near;
    weft::edge_list lattice;
    weft::edge_list named;
    if (now.under_test([&] {
            near =
                weft::generate_geometric(now.comm(), {.vertices = 900, .dimensions = 3, .progress = count});
            lattice = weft::generate_lattice(now.comm(), {.extents = {40, 20}, .progress = count});
            named = weft::generate_graph(now.comm(), "torus:30x30", {.progress = count});
        }))
        now.expect(near.vertices == 900 && lattice.vertices == 800 && named.vertices == 900);
}

} // namespace

std::vector<call> graph_calls() {
    std::vector<call> all{
        {"simple_graph", made_simple_graph},
        {"simple_graph of numbers", made_of_numbers},
        {"arc_graph", made_arc_graph},
        {"keep_largest_component", kept_largest},
        {"graph::largest_component", kept_largest_of_graph},
        of_simple("for_each_triangle", visited),
        {"graph", made_forms},
        {"sparse_matrix", multiplied},
        {"column_matrix", multiplied_by_columns},
        {"vertex_set", names_of_vertices},
        {"generate_rmat, generate_erdos_renyi", generated},
        {"generate_geometric, generate_lattice, generate_graph", generated_in_space},
    };
    for (auto const& [name, method] : {std::pair("find_components", weft::components_method::contraction),
             std::pair("find_components by union_find", weft::components_method::union_find),
             std::pair("find_components by propagation", weft::components_method::propagation)})
        all.push_back(of_simple(name, [method = method](trial& now, weft::simple_graph const& graph) {
            now.ask([&] {
                return weft::find_components(graph, {.method = method, .gather_below = 4}).components;
            });
        }));
    all.push_back(of_simple("find_degrees by mailbox", [](trial& now, weft::simple_graph const& graph) {
        now.ask([&] { return weft::find_degrees(graph, weft::degree_engine::mailbox).max_degree / 4; });
    }));
    for (auto const& row : weft_test::questions_about_simple_graphs<trial>())
        all.push_back(of_simple(row.name, row.run));
    for (auto const& row : weft_test::questions_about_arcs<trial>()) all.push_back(of_arcs(row.name, row));
    auto const ranked = weft_test::ask_for_pagerank<trial>;
    all.push_back(of_arcs(
        "find_pagerank by weights", {"", ranked, weft::arc_direction::backward, weft::arc_weights::sum}));
    all.push_back(of_arcs("find_pagerank by weights of edges",
        {"", ranked, weft::arc_direction::both, weft::arc_weights::lightest}));
    return all;
}

} // namespace faults
