#include "advection.hpp"

#include <weft/blocks/block_port.hpp>

#include <algorithm>
#include <stdexcept>

namespace weft::tool {

advection::advection(bundled_flow const& what, std::int64_t blocks)
    : what_(what), grid_({3, {0, 0, 0}, {what.voxels, what.voxels, what.voxels}}, blocks) {
}

bool advection::is_slow(block_id block) const {
    box<std::int64_t> const core = grid_.bounds(block);
    std::int64_t const enters = std::max({core.lo[0], core.lo[1], core.lo[2]});
    std::int64_t const leaves = std::min({core.hi[0], core.hi[1], core.hi[2]});
    return enters < leaves;
}

std::vector<link> advection::links(assignment const& where, int rank) const {
    std::vector<link> made;
    for (std::int64_t place = 0; place < where.blocks_of(rank); ++place) {
        block_id const block = where.block_at(rank, place);
        coordinates<std::int64_t> const at = grid_.coordinates_of(block);
        bool const is_last = at[0] + 1 == grid_.divisions()[0];
        made.emplace_back(is_last ? std::vector<block_id>{} : std::vector{block_id{index_of(block) + 1}});
    }
    return made;
}

std::int64_t advection::take(detail::block_queues& queues, bool first_time) {
    block_port<flying_particle> port(queues);
    box<std::int64_t> const core = grid_.bounds(queues.id);
    std::int64_t flying = 0;
    if (first_time && core.lo[0] == 0)
        flying = (core.hi[1] - core.lo[1]) * (core.hi[2] - core.lo[2]) * what_.seeds_per_voxel *
                 what_.seeds_per_voxel;
    for (auto const& [source, items] : port.messages()) flying += static_cast<std::int64_t>(items.size());
    return flying;
}

double advection::seconds(block_id block, std::int64_t flying) const {
    box<std::int64_t> const core = grid_.bounds(block);
    double const steps =
        static_cast<double>(core.hi[0] - core.lo[0]) / (is_slow(block) ? what_.slow : what_.fast);
    return static_cast<double>(flying) * (steps * what_.step_seconds + what_.visit_seconds);
}

void advection::leave(detail::block_queues& queues, std::int64_t flying) {
    block_port<flying_particle> port(queues);
    if (port.link().empty())
        retired_ += flying;
    else
        port.give(port.link()[0], std::vector<flying_particle>(static_cast<std::size_t>(flying)));
}

void advection::check(std::string const& engine) const {
    std::int64_t const along = what_.voxels * what_.seeds_per_voxel;
    if (retired_ != along * along)
        throw std::logic_error("simulate iexchange: " + engine + " lost " +
                               std::to_string(along * along - retired_) + " particles");
}

} // namespace weft::tool
