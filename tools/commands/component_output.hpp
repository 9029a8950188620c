/// Components, weak or strong, as text for a file.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/graph/vertex_set.hpp>

#include <span>
#include <string>

namespace weft::tool {

/// `original-id label` a line for the vertices of this rank, of which `label` has the components. Collective.
[[nodiscard]] std::string labels_as_text(vertex_set const& vertices, std::span<global_id const> label);

/// `label size` a line for the components that are called after vertices of this rank. Collective.
[[nodiscard]] std::string sizes_as_text(vertex_set const& vertices, std::span<global_id const> label);

} // namespace weft::tool
