#include "traced_particles.hpp"

#include <weft/blocks/block_port.hpp>
#include <weft/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <stdexcept>
#include <utility>

namespace weft::tool {

namespace {

/// So many steps go straight on: the flow is smooth, and the paths are the same for all engines.
constexpr std::int64_t straight_steps = 10;

} // namespace

traced_particles::traced_particles(vortex_flow const& what, std::int64_t blocks)
    : what_(what),
      grid_({3, {0, 0, 0}, {what.voxels, what.voxels, what.voxels}}, blocks),
      seeds_(static_cast<std::size_t>(blocks)),
      states_(static_cast<std::size_t>(blocks)) {
    coordinates<std::int64_t> const divisions = grid_.divisions();
    std::int64_t const shortest = what.voxels / std::max({divisions[0], divisions[1], divisions[2]});
    if (static_cast<double>(shortest) < straight_steps * what.step_voxels)
        throw usage_error(
            fmt::format("tracing: blocks of {} voxels along an edge are too small: {} steps must not "
                        "pass over one; take fewer --ranks, or more --voxels",
                shortest, straight_steps));
    std::mt19937_64 random(what.seed);
    std::uniform_real_distribution<double> anywhere(0, static_cast<double>(what.voxels));
    for (std::int64_t i = 0; i < what.particles; ++i) {
        particle const made{{anywhere(random), anywhere(random), anywhere(random)}, what.steps};
        block_id const block = *grid_.block_of({static_cast<std::int64_t>(made.place[0]),
            static_cast<std::int64_t>(made.place[1]), static_cast<std::int64_t>(made.place[2])});
        seeds_[static_cast<std::size_t>(index_of(block))].push_back(made);
    }
}

std::vector<link> traced_particles::links(assignment const& where, int rank) const {
    std::vector<link> made;
    for (std::int64_t place = 0; place < where.blocks_of(rank); ++place) {
        std::vector<block_id> around;
        for (grid_neighbor const& each : grid_.neighbors(where.block_at(rank, place)))
            around.push_back(each.block);
        made.emplace_back(std::move(around));
    }
    return made;
}

/// Arnold, Beltrami and Childress: two vortices across each edge, of equal strength.
std::array<double, 3> traced_particles::velocity(std::array<double, 3> const& place) const {
    double const turn = 4 * std::numbers::pi / static_cast<double>(what_.voxels);
    double const fastest = what_.step_voxels / 2;
    double const x = turn * place[0];
    double const y = turn * place[1];
    double const z = turn * place[2];
    return {fastest * (std::sin(z) + std::cos(y)), fastest * (std::sin(x) + std::cos(z)),
        fastest * (std::sin(y) + std::cos(x))};
}

std::int64_t traced_particles::trace(block_id block, particle what, std::int64_t before) {
    auto const size = static_cast<double>(what_.voxels);
    std::int64_t const steps_at_first = what.steps_left;
    std::optional<block_id> here = block;
    while (what.steps_left > 0 && here == block) {
        std::int64_t const steps = std::min(straight_steps, what.steps_left);
        std::array<double, 3> const speed = velocity(what.place);
        bool inside = true;
        for (std::size_t d = 0; d < 3; ++d) {
            what.place[d] += static_cast<double>(steps) * speed[d];
            inside = inside && what.place[d] >= 0 && what.place[d] < size;
        }
        what.steps_left -= steps;
        here = inside
                   ? grid_.block_of({static_cast<std::int64_t>(what.place[0]),
                         static_cast<std::int64_t>(what.place[1]), static_cast<std::int64_t>(what.place[2])})
                   : std::nullopt;
    }
    std::int64_t const steps = steps_at_first - what.steps_left;
    states_[static_cast<std::size_t>(index_of(block))].departures.push_back(
        {before + steps, here.value_or(block), !here || what.steps_left == 0, what});
    return steps;
}

std::int64_t traced_particles::take(detail::block_queues& queues, bool first_time) {
    auto const block = static_cast<std::size_t>(index_of(queues.id));
    states_[block] = {};
    std::int64_t steps = 0;
    if (first_time)
        for (particle const& each : std::exchange(seeds_[block], {})) steps += trace(queues.id, each, steps);
    block_port<particle> port(queues);
    for (particle const& each : port.received()) steps += trace(queues.id, each, steps);
    return steps;
}

double traced_particles::seconds(block_id /*block*/, std::int64_t steps) const {
    return static_cast<double>(steps) * what_.step_seconds;
}

void traced_particles::leave(detail::block_queues& queues, std::int64_t steps) {
    block_state& state = states_[static_cast<std::size_t>(index_of(queues.id))];
    state.done += steps;
    block_port<particle> port(queues);
    for (; state.next < state.departures.size() && state.departures[state.next].after <= state.done;
         ++state.next) {
        departure const& each = state.departures[state.next];
        if (each.finished)
            ++finished_;
        else
            port.send(each.to, each.what);
    }
}

void traced_particles::check(std::string const& engine) const {
    if (finished_ != what_.particles)
        throw std::logic_error(
            fmt::format("simulate tracing: {} lost {} particles", engine, what_.particles - finished_));
}

} // namespace weft::tool
