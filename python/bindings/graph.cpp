/// Graphs from arrays or files, and what is computed on them. Values stay with the ranks that own the
/// vertices.
#include "call.hpp"

#include <weft/core/error.hpp>
#include <weft/graph/bfs.hpp>
#include <weft/graph/components.hpp>
#include <weft/graph/degrees.hpp>
#include <weft/graph/pagerank.hpp>
#include <weft/graph/triangles.hpp>
#include <weft/io/read_graph.hpp>

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <charconv>
#include <cstring>
#include <optional>

namespace weft::python {

namespace {

using edge_array = nb::ndarray<std::int64_t const, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

/// A graph as Python gives it: a file, or the edges of this rank.
struct graph_input {
    std::optional<std::string> file;
    edge_array edges;
    std::int64_t vertices = -1; ///< of an array: how many; -1 where they are those that occur
    bool directed = false;

    [[nodiscard]] edge_list read(communicator const& comm) const {
        if (file) return read_graph(comm, *file);
        edge_list list;
        list.edges.resize(edges.shape(0));
        if (!list.edges.empty())
            std::memcpy(list.edges.data(), edges.data(), list.edges.size() * sizeof(edge));
        list.naming = vertices >= 0 ? vertex_naming::declared : vertex_naming::numbers;
        if (vertices >= 0) list.vertices = list.rows = list.columns = vertices;
        list.directed = directed;
        list.format = "arrays";
        return list;
    }
};
static_assert(sizeof(edge) == 2 * sizeof(std::int64_t));

/// Original ids: numbers where the input has numbers.
struct original_names {
    std::vector<std::int64_t> numbers;
    std::vector<std::string> texts;
    bool are_text = false;

    [[nodiscard]] nb::object to_python() && {
        if (are_text) return nb::cast(texts);
        return nb::cast(array_of(std::move(numbers)));
    }
};

std::int64_t number_in(std::string const& text) {
    std::int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

/// Of the vertices of this rank. Local.
original_names own_names(vertex_set const& vertices) {
    original_names names{.numbers = {}, .texts = {}, .are_text = vertices.naming() == vertex_naming::text};
    std::int64_t const count = vertices.local_count();
    if (names.are_text) {
        for (std::int64_t i = 0; i < count; ++i) names.texts.push_back(vertices.original_id(i));
        return names;
    }
    names.numbers.reserve(static_cast<std::size_t>(count));
    if (vertices.naming() == vertex_naming::declared && count > 0) { // they follow each other
        std::int64_t const first = number_in(vertices.original_id(0));
        for (std::int64_t i = 0; i < count; ++i) names.numbers.push_back(first + i);
        return names;
    }
    for (std::int64_t i = 0; i < count; ++i) names.numbers.push_back(number_in(vertices.original_id(i)));
    return names;
}

/// Of vertices of any rank. Collective.
original_names names_of(vertex_set const& vertices, std::vector<global_id>&& asked, std::int64_t first_id) {
    original_names names{.numbers = {}, .texts = {}, .are_text = vertices.naming() == vertex_naming::text};
    if (vertices.naming() == vertex_naming::declared) {
        names.numbers = std::move(asked);
        if (first_id != 0)
            for (std::int64_t& each : names.numbers) each += first_id;
        return names;
    }
    std::vector<std::string> texts = vertices.original_ids(asked);
    if (names.are_text) {
        names.texts = std::move(texts);
    } else {
        names.numbers.reserve(texts.size());
        for (std::string const& each : texts) names.numbers.push_back(number_in(each));
    }
    return names;
}

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
    dict_by_name made;
    made["vertices"] = std::move(own).to_python();
    made["degrees"] = array_of(std::move(found.degree));
    made["largest"] = found.max_degree;
    made["histogram"] = found.histogram;
    return made;
}

arc_direction direction_of(edge_list const& edges, arc_direction if_directed) {
    return edges.directed ? if_directed : arc_direction::both;
}

dict_by_name pagerank_of(communicator const& comm, graph_input const& input, double damping, double tolerance,
    std::int64_t max_iterations) {
    original_names own;
    pagerank_values found;
    {
        collective_call const call(comm, "pagerank");
        edge_list edges = input.read(comm);
        arc_direction const direction = direction_of(edges, arc_direction::backward);
        arc_graph const graph(comm, std::move(edges), direction);
        found = find_pagerank(
            graph, {.damping = damping, .tolerance = tolerance, .max_iterations = max_iterations});
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
            [](graph_input* place, std::optional<std::string> file, edge_array edges, std::int64_t vertices,
                bool directed) {
                new (place) graph_input{std::move(file), std::move(edges), vertices, directed};
            },
            nb::arg("file").none(), nb::arg("edges"), nb::arg("vertices"), nb::arg("directed"));
    module.def("components", &components_of, nb::arg("comm"), nb::arg("graph"));
    module.def("degrees", &degrees_of, nb::arg("comm"), nb::arg("graph"));
    module.def("pagerank", &pagerank_of, nb::arg("comm"), nb::arg("graph"), nb::arg("damping"),
        nb::arg("tolerance"), nb::arg("max_iterations"));
    module.def("bfs", &distances_of, nb::arg("comm"), nb::arg("graph"), nb::arg("source"));
    module.def("triangles", &triangles_of, nb::arg("comm"), nb::arg("graph"));
}

} // namespace weft::python
