#include <weft/core/communicator.hpp>
#include <weft/core/error.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/frames/uniform_distribution.hpp>
#include <weft/io/generators.hpp>

#include <algorithm>
#include <string>

namespace weft {

namespace {

constexpr std::size_t most_axes = 8;

std::string extents_as_text(std::vector<std::int64_t> const& extents) {
    std::string text;
    for (std::int64_t const each : extents) text += (text.empty() ? "" : " x ") + std::to_string(each);
    return text;
}

std::int64_t vertices_of(lattice_options const& options) {
    auto const& extents = options.extents;
    if (extents.empty() || extents.size() > most_axes)
        throw usage_error(
            "generate_lattice: expected 1 to 8 extents, found " + std::to_string(extents.size()));
    constexpr std::int64_t most_vertices = (std::int64_t{1} << 60) - 1;
    std::int64_t vertices = 1;
    for (std::int64_t const each : extents) {
        if (each < 1)
            throw usage_error(
                "generate_lattice: expected extents of at least 1, found " + std::to_string(each));
        if (each > most_vertices / vertices)
            throw usage_error(
                "generate_lattice: expected fewer than 2^60 vertices, found " + extents_as_text(extents));
        vertices *= each;
    }
    return vertices;
}

edge_list own_share(communicator const& comm, lattice_options const& options) {
    std::int64_t const vertices = vertices_of(options);
    auto const& extents = options.extents;
    edge_list graph;
    graph.vertices = graph.rows = graph.columns = vertices;
    graph.format = (options.periodic ? "torus of " : "grid of ") + extents_as_text(extents) + " vertices";
    uniform_distribution const shares(vertices, comm.size());
    std::int64_t const begin = shares.begin(comm.rank());
    std::int64_t const end = shares.end(comm.rank());
    graph.edges.reserve(static_cast<std::size_t>(end - begin) * extents.size());
    constexpr std::int64_t vertices_between_calls = 1 << 20;
    for (std::int64_t vertex = begin; vertex < end; ++vertex) {
        if (options.progress && (vertex - begin) % vertices_between_calls == 0)
            options.progress(vertex - begin, end - begin);
        std::int64_t stride = 1; // between neighbours along the axis
        for (std::int64_t const extent : extents) {
            bool const is_last = vertex / stride % extent + 1 == extent;
            if (!is_last)
                graph.edges.push_back({vertex, vertex + stride});
            else if (options.periodic && extent > 2)
                graph.edges.push_back({vertex, vertex - (extent - 1) * stride});
            stride *= extent;
        }
    }
    return graph;
}

} // namespace

edge_list generate_lattice(communicator const& comm, lattice_options const& options) {
    gate call(comm, "generate_lattice");
    call.same("periodic", options.periodic).same("number of extents", options.extents.size());
    for (std::size_t axis = 0; axis < std::min(options.extents.size(), most_axes); ++axis)
        call.same("extents", options.extents[axis]);
    edge_list graph;
    agreed(call, [&] { graph = own_share(comm, options); });
    return graph;
}

} // namespace weft
