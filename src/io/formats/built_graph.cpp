#include "built_graph.hpp"

#include "graph_header.hpp"
#include "row_file.hpp"

#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/protocol/gate.hpp>

#include <new>
#include <utility>

namespace weft::io {

std::optional<built_graph> open_built_graph(
    communicator const& comm, std::string const& file, read_options const& options) try {
    gate call(comm, "load_graph");
    call.same("the file", file).same("format", options.format).same("weights", options.weights);
    call.same("lengths", options.lengths).same("CSV", asks_for_csv(options)).agree();
    bool const binary = options.format == graph_format::automatic || options.format == graph_format::binary;
    if (!binary || asks_for_csv(options)) return std::nullopt;
    weight_use const weights = !options.weights  ? weight_use::none
                               : options.lengths ? weight_use::lengths
                                                 : weight_use::numbers;
    auto rows = open_row_file(comm, file, weights, options.progress);
    if (!rows) return std::nullopt;
    vertex_set vertices = rows->vertices(call);
    edge_list description = rows->description();
    return built_graph{
        weft::detail::stored_rows::graph_of(std::move(vertices), std::move(rows)), std::move(description)};
} catch (std::bad_alloc const&) {
    alone_unless_agreed("load_graph");
    throw;
}

} // namespace weft::io
