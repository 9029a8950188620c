#include <tracing/path_rule.hpp>

#include <algorithm>
#include <cmath>

namespace weft {

trace_options options_of(path_options const& path, tracer& with, flow_domain const& domain) {
    double narrowest = 0;
    double diagonal = 0;
    for (flow_axis const& axis : domain.axes) {
        if (axis.points().size() < 2) continue;
        narrowest = narrowest == 0 ? axis.least_width() : std::min(narrowest, axis.least_width());
        diagonal = std::hypot(diagonal, axis.hi() - axis.lo());
    }
    trace_options options{.method = path.adaptive ? trace_method::rk45 : trace_method::rk4,
        .engine = path.in_rounds ? trace_engine::exchange : trace_engine::iexchange,
        .lines = path.lines};
    trace_rule& rule = options.rule;
    rule.max_steps = path.max_steps;
    rule.duration = path.duration;
    if (path.max_step != 0) rule.max_step = path.max_step;
    bool const needs_bound = path.adaptive && path.max_step == 0;
    double step = path.step;
    double const speed = step == 0 || needs_bound ? with.greatest_speed() : 0;
    if (step == 0) step = speed > 0 ? 0.5 * narrowest / speed : 1;
    // Without motion, the error estimate is 0 and steps would grow without limit.
    if (needs_bound && speed > 0) rule.max_step = std::max(step, diagonal / speed);
    rule.tolerance = path.tolerance * diagonal;
    rule.min_step = path.min_step != 0 ? path.min_step : 1e-6 * step;
    if (path.adaptive) step = std::min({step, rule.max_step, rule.duration});
    rule.step = path.backward ? -step : step;
    rule.start_time = path.start.value_or(path.backward ? domain.times.hi() : domain.times.lo());
    return options;
}

} // namespace weft
