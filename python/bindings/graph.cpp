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

/// A graph for one question: of the rows that a file holds, or of edges, which are used up.
class graph_for_one {
public:
    graph_for_one(communicator const& comm, graph_input const& input)
        : comm_(comm), built_(input.open_built(comm)) {
        if (!built_) edges_ = input.read(comm);
        directed_ = built_ ? built_->description.directed : edges_.directed;
        first_id_ = built_ ? built_->description.first_id : edges_.first_id;
    }

    /// Builds the graph as undirected and simple. Collective; once.
    [[nodiscard]] simple_graph const& simple() {
        if (built_) return built_->made.simple();
        return simple_.emplace(comm_, std::move(edges_));
    }
    /// Builds the arcs along a direction, of undirected graphs both ways. Collective; once.
    [[nodiscard]] arc_graph const& arcs(arc_direction if_directed) {
        arc_direction const along = directed_ ? if_directed : arc_direction::both;
        if (built_) return built_->made.arcs(along);
        return arcs_.emplace(comm_, std::move(edges_), along);
    }
    /// With the names of the input. After building.
    [[nodiscard]] vertex_set const& vertices() const {
        if (built_) return built_->made.vertices();
        return arcs_ ? arcs_->vertices() : simple_->names();
    }
    [[nodiscard]] std::int64_t first_id() const noexcept { return first_id_; }

private:
    communicator const& comm_;
    std::optional<io::built_graph> built_;
    edge_list edges_;
    bool directed_ = false;
    std::int64_t first_id_ = 0; // what the input calls vertex 0
    std::optional<simple_graph> simple_;
    std::optional<arc_graph> arcs_;
};

dict_by_name components_of(communicator const& comm, graph_input const& input) {
    original_names own;
    original_names labels;
    component_labels found;
    std::int64_t vertices = 0;
    {
        collective_call const call(comm, "components");
        graph_for_one asked(comm, input);
        found = find_components(asked.simple());
        vertices = asked.vertices().owners().total();
        own = own_names(asked.vertices());
        labels = names_of(asked.vertices(), std::move(found.label), asked.first_id());
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
        graph_for_one asked(comm, input);
        found = find_degrees(asked.simple());
        own = own_names(asked.vertices());
    }
    dict_by_name made = counted("degrees", std::move(found.degree), found.max_degree, found.histogram);
    made["vertices"] = std::move(own).to_python();
    return made;
}

dict_by_name pagerank_of(communicator const& comm, graph_input const& input, double damping, double tolerance,
    std::int64_t max_iterations, named_weights const& personalization) {
    original_names own;
    pagerank_values found;
    {
        collective_call const call(comm, "pagerank");
        graph_for_one asked(comm, input);
        arc_graph const& graph = asked.arcs(arc_direction::backward);
        found = find_pagerank(
            graph, {.damping = damping,
                       .tolerance = tolerance,
                       .max_iterations = max_iterations,
                       .personalization = values_of(asked.vertices(), "personalization", personalization)});
        own = own_names(asked.vertices());
    }
    dict_by_name made;
    made["vertices"] = std::move(own).to_python();
    made["values"] = array_of(std::move(found.value));
    made["iterations"] = found.iterations;
    made["converged"] = found.converged;
    return made;
}

dict_by_name distances_of(
    communicator const& comm, graph_input const& input, std::vector<std::string> const& sources) {
    original_names own;
    bfs_distances found;
    {
        collective_call const call(comm, "bfs");
        graph_for_one asked(comm, input);
        arc_graph const& graph = asked.arcs(arc_direction::forward);
        found = find_distances(graph, vertices_named(asked.vertices(), "source", sources));
        own = own_names(asked.vertices());
    }
    dict_by_name made;
    made["vertices"] = std::move(own).to_python();
    made["distances"] = array_of(std::move(found.distance));
    made["levels"] = found.levels;
    return made;
}

std::int64_t triangles_of(communicator const& comm, graph_input const& input) {
    collective_call const call(comm, "triangles");
    return count_triangles(graph_for_one(comm, input).simple());
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
