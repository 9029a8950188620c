/// Transforms lines and ends from the axes of a field to the world.
#pragma once

#include <tracing/field_block.hpp>

#include <weft/tracing/traces.hpp>

#include <vector>

namespace weft {

/// All are local, O(size).
[[nodiscard]] line_set in_world(line_set lines, placement const& place);
[[nodiscard]] std::vector<trace_end> in_world(std::vector<trace_end> ends, placement const& place);
/// Returns the axis-parallel box in the world around a domain, as one cell.
[[nodiscard]] flow_domain in_world(flow_domain const& domain);

} // namespace weft
