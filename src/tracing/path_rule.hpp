/// Default steps and tolerances of a trace.
#pragma once

#include <tracing/tracer.hpp>

#include <weft/tracing/trace_particles.hpp>

namespace weft {

/// Returns the options of a tracer for `path`. In a field that is 0 everywhere, a step takes a time of 1.
/// Collective: yes. Cost: reads all values if the greatest speed is needed.
[[nodiscard]] trace_options options_of(path_options const& path, tracer& with, flow_domain const& domain);

} // namespace weft
