#include <weft/tracing/trace_particles.hpp>

#include <tracing/path_rule.hpp>
#include <tracing/tracer.hpp>

#include <weft/core/error.hpp>
#include <weft/detail/core/hash.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <bit>
#include <cmath>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <utility>

namespace weft {

namespace {

std::vector<double> axis_of(vector_grid const& grid, std::size_t d) {
    if (grid.points[d] < 1)
        throw usage_error("trace_particles: expected at least 1 point along each axis, found " +
                          std::to_string(grid.points[d]));
    auto const points = static_cast<std::size_t>(grid.points[d]);
    if (!grid.axes[d].empty()) {
        if (grid.axes[d].size() != points)
            throw usage_error("trace_particles: expected " + std::to_string(points) +
                              " coordinates along axis " + std::to_string(d) + ", found " +
                              std::to_string(grid.axes[d].size()));
        return grid.axes[d];
    }
    std::vector<double> numbers(points);
    for (std::size_t i = 0; i < points; ++i) numbers[i] = static_cast<double>(i);
    return numbers;
}

/// Returns a checksum of arguments that must be equal on all ranks and are too long for a message.
std::uint64_t checksum_of(vector_grid const& grid, bool backward) noexcept {
    std::uint64_t sum = backward ? 1 : 0;
    auto const add = [&sum](std::uint64_t value) { sum = detail::mixed(sum + detail::mixed(value)); };
    for (std::size_t d = 0; d < 3; ++d) {
        add(static_cast<std::uint64_t>(grid.points[d]));
        add(grid.periodic[d] ? 1 : 0);
    }
    for (std::vector<double> const* const each : {&grid.axes[0], &grid.axes[1], &grid.axes[2], &grid.times}) {
        add(each->size());
        for (double const value : *each) add(std::bit_cast<std::uint64_t>(value));
    }
    return sum;
}

/// A field that is read by a callable.
class called_flow final : public flow {
public:
    called_flow(vector_grid const& grid, vector_reader read) : read_(read) {
        flow_domain made{
            {flow_axis(axis_of(grid, 0)), flow_axis(axis_of(grid, 1)), flow_axis(axis_of(grid, 2))},
            flow_axis(grid.times)};
        for (std::size_t d = 0; d < 3; ++d)
            if (grid.periodic[d]) made.period[d] = made.axes[d].hi() - made.axes[d].lo();
        domain_ = std::make_shared<flow_domain const>(std::move(made));
    }

    [[nodiscard]] std::shared_ptr<flow_domain const> const& domain() const noexcept override {
        return domain_;
    }
    [[nodiscard]] field_block read(
        box<std::int64_t> const& points, regular_grid<std::int64_t> const&) const override {
        std::size_t values = 3;
        for (std::size_t d = 0; d < 3; ++d) values *= static_cast<std::size_t>(points.hi[d] - points.lo[d]);
        std::vector<std::vector<std::byte>> steps(domain_->times.points().size());
        for (std::size_t step = 0; step < steps.size(); ++step) {
            steps[step].resize(values * (read_.is_double() ? sizeof(double) : sizeof(float)));
            std::lock_guard const only_me(one_reads_);
            read_(step, points, steps[step].data(), values);
        }
        return {
            domain_, points, read_.is_double() ? value_type::float64 : value_type::float32, std::move(steps)};
    }

private:
    vector_reader read_;
    std::shared_ptr<flow_domain const> domain_;
    mutable std::mutex one_reads_; // the callable need not be thread-safe
};

} // namespace

traces trace_particles(communicator const& comm, vector_grid const& grid, vector_reader read,
    std::span<vector3 const> seeds, path_options const& options) try {
    gate call(comm, "trace_particles");
    std::unique_ptr<called_flow> field;
    call.same("blocks", options.blocks).same("step", options.step).same("min_step", options.min_step);
    call.same("max_step", options.max_step).same("start", options.start.value_or(0));
    call.same("max_steps", options.max_steps).same("duration", options.duration);
    call.same("tolerance", options.tolerance).same("adaptive", options.adaptive);
    call.same("lines", options.lines).same("in_rounds", options.in_rounds);
    call.same("the checksum of grid, times and direction", checksum_of(grid, options.backward));
    agreed(call, [&] {
        constexpr std::int64_t most_blocks = std::int64_t{1} << 20;
        if (options.blocks < 1 || options.blocks > most_blocks || options.threads < 1)
            throw usage_error("trace_particles: expected 1 to " + std::to_string(most_blocks) +
                              " blocks a rank and at least one thread, found " +
                              std::to_string(options.blocks) + " and " + std::to_string(options.threads));
        if (!(options.step >= 0 && options.min_step >= 0 && options.max_step >= 0))
            throw usage_error("trace_particles: a step takes a time of more than 0, and 0 has one chosen; "
                              "`backward` goes back in time");
        if (options.start && !std::isfinite(*options.start))
            throw usage_error("trace_particles: the time at which particles start is not finite");
        field = std::make_unique<called_flow>(grid, read);
    });
    tracer with(comm, *field, {.blocks = options.blocks * comm.size(), .threads = options.threads});
    std::int64_t id = exclusive_sum(comm, static_cast<std::int64_t>(seeds.size())).before;
    std::vector<seed> mine;
    agreed(call, [&] {
        mine.reserve(seeds.size());
        for (vector3 const& place : seeds) mine.push_back({id++, place});
    });
    return with.trace(mine, options_of(options, with, *field->domain()));
} catch (std::bad_alloc const&) {
    alone_unless_agreed("trace_particles");
    throw;
}

} // namespace weft
