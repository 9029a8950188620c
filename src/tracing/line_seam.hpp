/// Lines that wrap around a periodic domain.
#pragma once

#include <tracing/field_block.hpp>
#include <tracing/line_store.hpp>

namespace weft {

/// Returns lines with all points in the domain: a line is cut at the end of a periodic axis, and continues at
/// the other end as a line of the same seed. Without periodic axes, returns the lines unchanged. Local,
/// O(points).
[[nodiscard]] line_set cut_at_seams(line_set lines, flow_domain const& domain);

} // namespace weft
