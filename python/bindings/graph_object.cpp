/// A graph that is built once, and the questions about it. Values stay with the ranks that own the vertices.
#include "graph_input.hpp"

#include <weft/collective/gather.hpp>
#include <weft/core/error.hpp>
#include <weft/graph/betweenness.hpp>
#include <weft/graph/clustering.hpp>
#include <weft/graph/communities.hpp>
#include <weft/graph/components.hpp>
#include <weft/graph/core_numbers.hpp>
#include <weft/graph/degrees.hpp>
#include <weft/graph/graph.hpp>
#include <weft/graph/pagerank.hpp>
#include <weft/graph/parents.hpp>
#include <weft/graph/rounds.hpp>
#include <weft/graph/spanning_forest.hpp>
#include <weft/graph/strong_components.hpp>
#include <weft/graph/triangles.hpp>

#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>

#include <limits>

namespace weft::python {

namespace {

class graph_object {
public:
    graph_object(communicator const& comm, graph_input const& input, std::optional<bool> directed)
        : graph_(made(comm, input, directed, first_id_)) {}

    [[nodiscard]] bool directed() const { return graph_.directed(); }
    [[nodiscard]] bool weighted() const { return graph_.weighted(); }
    [[nodiscard]] std::int64_t vertex_count() const { return graph_.vertices().owners().total(); }
    [[nodiscard]] nb::object vertices() const {
        original_names own;
        {
            library_call const call;
            own = own_names(graph_.vertices());
        }
        return std::move(own).to_python();
    }

    [[nodiscard]] dict_by_name components() {
        component_labels found;
        original_names labels;
        asked("Graph.components", [&] {
            found = find_components(graph_.simple());
            labels = named(std::move(found.label));
        });
        dict_by_name made;
        made["labels"] = std::move(labels).to_python();
        made["components"] = found.components;
        made["isolated"] = found.isolated;
        made["largest"] = found.largest;
        return made;
    }

    /// A graph of its own, whose vertices keep their names.
    [[nodiscard]] graph_object largest_component() {
        std::optional<graph> made;
        asked("Graph.largest_component",
            [&] { made.emplace(graph_.comm(), graph_.largest_component(find_components(graph_.simple()))); });
        return graph_object(*std::move(made));
    }

    [[nodiscard]] dict_by_name strong_components() {
        strong_component_labels found;
        original_names labels;
        asked("Graph.scc", [&] {
            found = find_strong_components(graph_.arcs(arc_direction::forward));
            labels = named(std::move(found.label));
        });
        dict_by_name made;
        made["labels"] = std::move(labels).to_python();
        made["components"] = found.components;
        made["isolated"] = found.trivial;
        made["largest"] = found.largest;
        return made;
    }

    [[nodiscard]] dict_by_name communities(std::int64_t max_iterations) {
        community_labels found;
        original_names labels;
        asked("Graph.communities", [&] {
            found = find_communities(graph_.arcs(arc_direction::forward), {.max_iterations = max_iterations});
            labels = named(std::move(found.label));
        });
        dict_by_name made;
        made["labels"] = std::move(labels).to_python();
        made["communities"] = found.communities;
        made["largest"] = found.largest;
        made["iterations"] = found.iterations;
        made["converged"] = found.converged;
        return made;
    }

    [[nodiscard]] dict_by_name degrees() {
        degree_summary found;
        asked("Graph.degrees", [&] { found = find_degrees(graph_.simple()); });
        return counted("degrees", std::move(found.degree), found.max_degree, found.histogram);
    }

    [[nodiscard]] dict_by_name cores() {
        core_numbers found;
        asked("Graph.cores", [&] { found = find_core_numbers(graph_.arcs(arc_direction::both)); });
        return counted("cores", std::move(found.core), found.largest, found.histogram);
    }

    [[nodiscard]] dict_by_name clustering() {
        clustering_coefficients found;
        asked("Graph.clustering", [&] { found = find_clustering(graph_.arcs(arc_direction::forward)); });
        dict_by_name made;
        made["coefficients"] = array_of(std::move(found.coefficient));
        made["links"] = array_of(std::move(found.links));
        made["mean"] = found.mean;
        made["triangles"] = found.triangles;
        made["transitivity"] = found.transitivity;
        return made;
    }

    [[nodiscard]] std::int64_t triangles() {
        std::int64_t found = 0;
        asked("Graph.triangles", [&] { found = count_triangles(graph_.simple()); });
        return found;
    }

    [[nodiscard]] dict_by_name distances(std::vector<std::string> const& sources, bool with_parents) {
        bfs_distances found;
        std::optional<original_names> parents;
        asked("Graph.bfs", [&] {
            auto const from = vertices_named(graph_.vertices(), "source", sources);
            arc_graph const& arcs = graph_.arcs(arc_direction::forward);
            found = find_distances(arcs, from);
            if (with_parents) parents = named_parents(find_parents(arcs, from, found));
        });
        dict_by_name made;
        made["distances"] = array_of(std::move(found.distance));
        made["levels"] = found.levels;
        made["parents"] = parents ? std::move(*parents).to_python() : nb::none();
        return made;
    }

    [[nodiscard]] dict_by_name path_lengths_from(
        std::string const& source, std::optional<double> delta, bool with_parents) {
        path_lengths found;
        std::optional<original_names> parents;
        asked("Graph.sssp", [&] {
            global_id const from = vertex_named("source", source);
            arc_graph const& arcs = graph_.arcs(arc_direction::forward, lightest());
            found = find_shortest_paths(arcs, from, {.delta = delta.value_or(0)});
            if (with_parents) parents = named_parents(find_parents(arcs, from, found));
        });
        dict_by_name made;
        made["distances"] = array_of(std::move(found.distance));
        made["reached"] = found.reached;
        made["longest"] = found.longest;
        made["parents"] = parents ? std::move(*parents).to_python() : nb::none();
        return made;
    }

    /// The vertices of a path, on all ranks, and its length: infinite where there is none.
    [[nodiscard]] std::pair<nb::object, double> path(
        std::string const& source, std::string const& target, bool weighted) {
        original_names names;
        double length = std::numeric_limits<double>::infinity();
        asked("Graph.path", [&] {
            global_id const from = vertex_named("source", source);
            global_id const to = vertex_named("target", target);
            arc_graph const& arcs =
                graph_.arcs(arc_direction::forward, weighted ? lightest() : arc_weights::none);
            path_lengths const found = find_shortest_paths(arcs, from);
            std::vector<global_id> const vertices =
                find_path(graph_.vertices(), find_parents(arcs, from, found), to);
            if (!vertices.empty()) {
                int const owner = graph_.vertices().owners().owner(to);
                double const own =
                    graph_.comm().rank() == owner
                        ? found.distance[static_cast<std::size_t>(to - graph_.vertices().first_local())]
                        : 0;
                length = broadcast(graph_.comm(), own, owner);
            }
            names = named(std::vector<global_id>(vertices));
        });
        return {std::move(names).to_python(), length};
    }

    [[nodiscard]] dict_by_name pagerank(bool weighted, double damping, double tolerance,
        std::int64_t max_iterations, named_weights const& personalization) {
        pagerank_values found;
        asked("Graph.pagerank", [&] {
            if (weighted && !graph_.weighted()) throw usage_error("weighted: the graph has no weights");
            arc_graph const& arcs =
                graph_.arcs(arc_direction::backward, weighted ? arc_weights::sum : arc_weights::none);
            found = find_pagerank(arcs,
                {.damping = damping,
                    .tolerance = tolerance,
                    .max_iterations = max_iterations,
                    .personalization = values_of(graph_.vertices(), "personalization", personalization)});
        });
        dict_by_name made;
        made["values"] = array_of(std::move(found.value));
        made["iterations"] = found.iterations;
        made["converged"] = found.converged;
        return made;
    }

    [[nodiscard]] dict_by_name betweenness(
        std::optional<std::int64_t> sources, bool normalized, std::uint64_t seed) {
        betweenness_values found;
        asked("Graph.betweenness", [&] {
            found = find_betweenness(graph_.arcs(arc_direction::forward),
                {.sources = sources.value_or(0), .seed = seed, .normalized = normalized});
        });
        dict_by_name made;
        made["values"] = array_of(std::move(found.value));
        made["sources"] = found.sources;
        return made;
    }

    [[nodiscard]] dict_by_name forest() {
        spanning_forest found;
        original_names lower;
        original_names upper;
        std::vector<double> weights;
        asked("Graph.forest", [&] {
            found = find_spanning_forest(graph_.arcs(arc_direction::both, lightest()));
            std::vector<global_id> low;
            std::vector<global_id> up;
            for (forest_edge const& each : found.edges) {
                low.push_back(each.lower);
                up.push_back(each.upper);
                weights.push_back(each.weight);
            }
            lower = named(std::move(low));
            upper = named(std::move(up));
        });
        dict_by_name made;
        made["lower"] = std::move(lower).to_python();
        made["upper"] = std::move(upper).to_python();
        made["weights"] = array_of(std::move(weights));
        made["edge_count"] = found.edge_count;
        made["trees"] = found.trees;
        made["weight"] = found.weight;
        return made;
    }

private:
    explicit graph_object(graph&& made) : graph_(std::move(made)) {}

    static graph made(communicator const& comm, graph_input const& input, std::optional<bool> directed,
        std::int64_t& first) {
        collective_call const call(comm, "Graph");
        auto const refuse_direction = [&](bool has_one) {
            if (directed == true && !has_one) // on all ranks
                throw usage_error("directed: the edges of " + *input.file + " have no direction");
        };
        if (auto built = input.open_built(comm)) {
            refuse_direction(built->description.directed);
            first = built->description.first_id;
            if (directed.value_or(true) || !built->description.directed) return std::move(built->made);
        }
        edge_list edges = input.read(comm); // whose directions may be left out
        refuse_direction(edges.directed);
        if (directed) edges.directed = *directed;
        first = edges.first_id;
        return {comm, std::move(edges)};
    }

    template <class Body>
    void asked(char const* question, Body&& body) {
        collective_call const call(graph_.comm(), question);
        body();
    }

    [[nodiscard]] original_names named(std::vector<global_id>&& vertices) const {
        return names_of(graph_.vertices(), std::move(vertices), first_id_);
    }
    /// A vertex without a parent is its own.
    [[nodiscard]] original_names named_parents(std::vector<global_id>&& parents) const {
        for (std::size_t i = 0; i < parents.size(); ++i)
            if (parents[i] < 0) parents[i] = graph_.vertices().first_local() + static_cast<global_id>(i);
        return named(std::move(parents));
    }
    [[nodiscard]] global_id vertex_named(char const* argument, std::string const& name) const {
        return vertices_named(graph_.vertices(), argument, {name}).front();
    }
    [[nodiscard]] arc_weights lightest() const noexcept {
        return graph_.weighted() ? arc_weights::lightest : arc_weights::none;
    }

    std::int64_t first_id_ = 0; // what the input calls vertex 0, before the graph that is made of it
    graph graph_;
};

/// Tells a function of Python, which raises nothing, the rounds of questions about graphs until it is closed.
class python_round_watch {
public:
    python_round_watch(
        communicator const& comm, nb::typed<nb::callable, void(std::int64_t, std::int64_t)> tell) {
        auto const kept = keep(std::move(tell));
        watch_.emplace(comm, [kept](std::int64_t done, std::int64_t all) {
            call_python([&] { nb::borrow(kept.get())(done, all); });
        });
    }
    void close() { watch_.reset(); }

private:
    std::optional<round_watch> watch_;
};

} // namespace

void bind_graph_object(nb::module_& module) {
    nb::class_<python_round_watch>(module, "RoundWatch")
        .def(nb::init<communicator const&, nb::typed<nb::callable, void(std::int64_t, std::int64_t)>>(),
            nb::arg("comm"), nb::arg("tell"))
        .def("close", &python_round_watch::close);
    nb::class_<graph_object>(module, "Graph")
        .def(nb::init<communicator const&, graph_input const&, std::optional<bool>>(), nb::arg("comm"),
            nb::arg("graph"), nb::arg("directed").none())
        .def_prop_ro("directed", &graph_object::directed)
        .def_prop_ro("weighted", &graph_object::weighted)
        .def_prop_ro("vertex_count", &graph_object::vertex_count)
        .def("vertices", &graph_object::vertices)
        .def("components", &graph_object::components)
        .def("largest_component", &graph_object::largest_component)
        .def("scc", &graph_object::strong_components)
        .def("communities", &graph_object::communities, nb::arg("max_iterations"))
        .def("degrees", &graph_object::degrees)
        .def("cores", &graph_object::cores)
        .def("clustering", &graph_object::clustering)
        .def("triangles", &graph_object::triangles)
        .def("bfs", &graph_object::distances, nb::arg("source"), nb::arg("parents"))
        .def("sssp", &graph_object::path_lengths_from, nb::arg("source"), nb::arg("delta").none(),
            nb::arg("parents"))
        .def("path", &graph_object::path, nb::arg("source"), nb::arg("target"), nb::arg("weighted"))
        .def("pagerank", &graph_object::pagerank, nb::arg("weighted"), nb::arg("damping"),
            nb::arg("tolerance"), nb::arg("max_iterations"), nb::arg("personalization"))
        .def("betweenness", &graph_object::betweenness, nb::arg("sources").none(), nb::arg("normalized"),
            nb::arg("seed"))
        .def("forest", &graph_object::forest);
}

} // namespace weft::python
