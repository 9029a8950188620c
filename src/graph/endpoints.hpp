/// Endpoints that are vertices. Private.
#pragma once

#include <weft/graph/edge_list.hpp>

#include <string>

namespace weft {

/// Throws a `usage_error` that begins with `call` for a naming that does not exist, for weights that are not
/// one an edge, and for an endpoint of this rank's edges that is no declared vertex, or none of its names.
/// Local.
void check_endpoints(edge_list const& list, std::string const& call);

} // namespace weft
