#include "endpoints.hpp"

#include <weft/core/error.hpp>

namespace weft {

void check_endpoints(edge_list const& list, std::string const& call) {
    if (list.naming > vertex_naming::text)
        throw usage_error(
            call + ": naming " + std::to_string(static_cast<int>(list.naming)) + " does not exist");
    if (!list.weights.empty() && list.weights.size() != list.edges.size())
        throw usage_error(call + ": " + std::to_string(list.weights.size()) + " weights for " +
                          std::to_string(list.edges.size()) + " edges; expected one an edge, or no weights");
    if (list.naming == vertex_naming::numbers) return; // any number names a vertex
    bool const is_text = list.naming == vertex_naming::text;
    std::int64_t const count = is_text ? std::ssize(list.names) : list.vertices;
    if (count < 0) throw usage_error(call + ": " + std::to_string(count) + " vertices; expected 0 or more");
    for (edge const& each : list.edges)
        for (std::int64_t const end : {each.source, each.target})
            if (end < 0 || end >= count)
                throw usage_error(call + ": endpoint " + std::to_string(end) + " is " +
                                  (is_text ? "none of the names of its rank; they are 0.."
                                           : "not a vertex; vertices are 0..") +
                                  std::to_string(count - 1));
}

} // namespace weft
