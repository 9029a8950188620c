/// Lines that go round a domain.
#pragma once

#include <tracing/field_block.hpp>
#include <tracing/line_store.hpp>

namespace weft {

/// Lines with all their points in the domain: where one crosses the end of a periodic axis, it is cut, and
/// goes on at the other end as a line of the same seed. The lines themselves where no axis is periodic.
/// Local, O(points).
[[nodiscard]] line_set cut_at_seams(line_set lines, flow_domain const& domain);

} // namespace weft
