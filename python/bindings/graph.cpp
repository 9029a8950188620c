/// Graphs from arrays or files, and what is computed on them. Values stay with the ranks that own the
/// vertices.
#include "graph_input.hpp"

#include <weft/core/error.hpp>
#include <weft/graph/bfs.hpp>
#include <weft/graph/components.hpp>
#include <weft/graph/degrees.hpp>
#include <weft/graph/pagerank.hpp>
#include <weft/graph/triangles.hpp>

#include <nanobind/stl/map.h>

namespace weft::python {

namespace {

dict_by_name components_of(communicator const& comm, graph_input const& input) {
    original_names own;
    original_names labels;
    component_labels found;
    std::int64_t vertices = 0;
    {
        collective_call const call(comm, "components");
        edge_list edges = input.read(comm);
        std::int64_t const first_id = edges.first_id;
        simple_graph const graph(comm, std::move(edges));
        vertices = graph.vertex_count();
        found = find_components(graph);
        own = own_names(graph.names());
        labels = names_of(graph.names(), std::move(found.label), first_id);
    }
    dict_by_name made;
    made["vertices"] = std::move(own).to_python();
    made["labels"] = std::move(labels).to_python();
    made["vertex_count"] = vertices;
    made["components"] = found.components;
    made["isolated"] = found.isolated;
    made["largest"] = found.largest;
    return made;
}

dict_by_name degrees_of(communicator const& comm, graph_input const& input) {
    original_names own;
    degree_summary found;
    {
        collective_call const call(comm, "degrees");
        simple_graph const graph(comm, input.read(comm));
        found = find_degrees(graph);
        own = own_names(graph.names());
    }
    dict_by_name made = counted("degrees", std::move(found.degree), found.max_degree, found.histogram);
    made["vertices"] = std::move(own).to_python();
    return made;
}

arc_direction direction_of(edge_list const& edges, arc_direction if_directed) {
    return edges.directed ? if_directed : arc_direction::both;
}

dict_by_name pagerank_of(communicator const& comm, graph_input const& input, double damping, double tolerance,
    std::int64_t max_iterations, named_weights const& personalization) {
    original_names own;
    pagerank_values found;
    {
        collective_call const call(comm, "pagerank");
        edge_list edges = input.read(comm);
        arc_direction const direction = direction_of(edges, arc_direction::backward);
        arc_graph const graph(comm, std::move(edges), direction);
        found = find_pagerank(
            graph, {.damping = damping,
                       .tolerance = tolerance,
                       .max_iterations = max_iterations,
                       .personalization = values_of(graph.vertices(), "personalization", personalization)});
        own = own_names(graph.vertices());
    }
    dict_by_name made;
    made["vertices"] = std::move(own).to_python();
    made["values"] = array_of(std::move(found.value));
    made["iterations"] = found.iterations;
    made["converged"] = found.converged;
    return made;
}

dict_by_name distances_of(communicator const& comm, graph_input const& input, std::string const& source) {
    original_names own;
    bfs_distances found;
    {
        collective_call const call(comm, "bfs");
        edge_list edges = input.read(comm);
        arc_direction const direction = direction_of(edges, arc_direction::forward);
        arc_graph const graph(comm, std::move(edges), direction);
        global_id const from = graph.vertices().find(source);
        if (from < 0) throw usage_error("source: the graph has no vertex " + source); // on all ranks
        found = find_distances(graph, from);
        own = own_names(graph.vertices());
    }
    dict_by_name made;
    made["vertices"] = std::move(own).to_python();
    made["distances"] = array_of(std::move(found.distance));
    made["levels"] = found.levels;
    return made;
}

std::int64_t triangles_of(communicator const& comm, graph_input const& input) {
    collective_call const call(comm, "triangles");
    return count_triangles(simple_graph(comm, input.read(comm)));
}

} // namespace

void bind_graph(nb::module_& module) {
    nb::class_<graph_input>(module, "GraphInput")
        .def(
            "__init__",
            [](graph_input* place, std::optional<std::string> file, bool is_generator, std::uint64_t seed,
                edge_array edges, std::optional<weight_array> weights, bool wants_weights,
                std::int64_t vertices, bool directed) {
                new (place) graph_input{std::move(file), is_generator, seed, std::move(edges),
                    std::move(weights), wants_weights, vertices, directed};
            },
            nb::arg("file").none(), nb::arg("is_generator"), nb::arg("seed"), nb::arg("edges"),
            nb::arg("weights").none(), nb::arg("wants_weights"), nb::arg("vertices"), nb::arg("directed"));
    module.def(
        "names_generator", [](std::string const& text) { return names_generator(text); }, nb::arg("text"));
    module.def("components", &components_of, nb::arg("comm"), nb::arg("graph"));
    module.def("degrees", &degrees_of, nb::arg("comm"), nb::arg("graph"));
    module.def("pagerank", &pagerank_of, nb::arg("comm"), nb::arg("graph"), nb::arg("damping"),
        nb::arg("tolerance"), nb::arg("max_iterations"), nb::arg("personalization"));
    module.def("bfs", &distances_of, nb::arg("comm"), nb::arg("graph"), nb::arg("source"));
    module.def("triangles", &triangles_of, nb::arg("comm"), nb::arg("graph"));
}

} // namespace weft::python
