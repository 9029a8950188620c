/// Defaults where a caller says nothing of steps.
#pragma once

#include <tracing/tracer.hpp>

#include <weft/tracing/trace_particles.hpp>

namespace weft {

/// How a tracer is to go about `path`. In a field that is 0 everywhere a step takes a time of 1. Collective:
/// yes. Cost: a look at all values where the greatest speed is asked for.
[[nodiscard]] trace_options options_of(path_options const& path, tracer& with, flow_domain const& domain);

} // namespace weft
