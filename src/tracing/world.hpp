/// Lines and ends that were traced along the axes of a field, in the world.
#pragma once

#include <tracing/field_block.hpp>

#include <weft/tracing/traces.hpp>

#include <vector>

namespace weft {

/// All local, O(their size).
[[nodiscard]] line_set in_world(line_set lines, placement const& place);
[[nodiscard]] std::vector<trace_end> in_world(std::vector<trace_end> ends, placement const& place);
/// The box along the axes of the world that a domain lies in, as one cell.
[[nodiscard]] flow_domain in_world(flow_domain const& domain);

} // namespace weft
