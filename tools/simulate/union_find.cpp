#include "union_find.hpp"

#include <weft/blocks/block_port.hpp>
#include <weft/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <stdexcept>

namespace weft::tool {

namespace {

/// A label for a piece of the block that gets it.
struct label_update {
    std::int64_t piece;
    std::int64_t label;
};

/// Lengths from the shortest to the longest with this mean: they grow by a power of the place in the row.
std::int64_t length_of(spiral_paths const& what, std::int64_t path) {
    double const range = static_cast<double>(what.longest - what.shortest);
    if (range == 0) return what.longest;
    double const power = range / (what.mean - static_cast<double>(what.shortest)) - 1;
    double const place =
        what.paths == 1 ? 1 : static_cast<double>(path) / static_cast<double>(what.paths - 1);
    return what.shortest + std::llround(range * std::pow(place, power));
}

} // namespace

union_find::union_find(spiral_paths const& what, std::int64_t blocks)
    : grid_({3, {0, 0, 0}, {what.across, what.across, what.time_steps}}, blocks),
      element_seconds_(what.element_seconds) {
    bool const has_mean =
        what.mean > static_cast<double>(what.shortest) && what.mean < static_cast<double>(what.longest);
    if (what.shortest > what.longest || (!has_mean && what.shortest != what.longest))
        throw usage_error("union-find: --mean must lie between --shortest and --longest");
    cut(what);
    inside_.resize(static_cast<std::size_t>(blocks));
    for (std::size_t i = 0; i < pieces_.size(); ++i)
        inside_[static_cast<std::size_t>(index_of(pieces_[i].block))].push_back(
            static_cast<std::uint32_t>(i));
    changed_ = inside_;
}

void union_find::cut(spiral_paths const& what) {
    std::mt19937_64 random(what.seed);
    auto const between = [&](double lo, double hi) {
        return lo + (hi - lo) * std::uniform_real_distribution<double>()(random);
    };
    double const across = static_cast<double>(what.across);
    double const steps = static_cast<double>(what.time_steps);
    // A path crosses several faces of voxels a step: the longest one lasts as long as the data.
    double const elements_a_step = std::max(1.0, static_cast<double>(what.longest) / steps);
    std::int64_t number = 0;
    for (std::int64_t path = 0; path < what.paths; ++path) {
        std::int64_t const length = length_of(what, path);
        double const radius = between(0, across / 4);
        double const turn = 2 * std::numbers::pi / 32; // a time step
        double const x = between(radius, across - radius);
        double const y = between(radius, across - radius);
        double const phase = between(0, 2 * std::numbers::pi);
        double const from = between(0, steps - static_cast<double>(length) / elements_a_step);
        std::int64_t chain = 0;
        for (std::int64_t i = 0; i < length; ++i, ++number) {
            double const since = static_cast<double>(i) / elements_a_step;
            auto const voxel = [](double at, std::int64_t size) {
                return std::clamp(static_cast<std::int64_t>(at), std::int64_t{0}, size - 1);
            };
            block_id const block =
                *grid_.block_of({voxel(x + radius * std::cos(phase + turn * since), what.across),
                    voxel(y + radius * std::sin(phase + turn * since), what.across),
                    voxel(from + since, what.time_steps)});
            if (chain == 0 || pieces_.back().block != block) {
                pieces_.push_back({number, 0, path, block});
                ++chain;
            }
            ++pieces_.back().elements;
        }
        longest_chain_ = std::max(longest_chain_, chain);
    }
}

bool union_find::joins(std::size_t a, std::size_t b) const noexcept {
    return b < pieces_.size() && pieces_[a].path == pieces_[b].path;
}

std::vector<link> union_find::links(assignment const& where, int rank) const {
    std::vector<link> made;
    for (std::int64_t place = 0; place < where.blocks_of(rank); ++place) {
        std::vector<block_id> others;
        for (std::size_t const each :
            inside_[static_cast<std::size_t>(index_of(where.block_at(rank, place)))])
            for (std::size_t const other : {each - 1, each + 1})
                if (joins(each, other)) others.push_back(pieces_[other].block);
        made.emplace_back(std::move(others));
    }
    return made;
}

std::int64_t union_find::take(detail::block_queues& queues, bool first_time) {
    auto const block = static_cast<std::size_t>(index_of(queues.id));
    std::int64_t units = 0;
    if (first_time)
        for (std::size_t const each : inside_[block]) units += pieces_[each].elements;
    block_port<label_update> port(queues);
    for (label_update const& each : port.received()) {
        ++units;
        piece& its = pieces_[static_cast<std::size_t>(each.piece)];
        if (each.label >= its.label) continue;
        its.label = each.label;
        if (!std::exchange(its.changed, true))
            changed_[block].push_back(static_cast<std::uint32_t>(each.piece));
    }
    return units;
}

double union_find::seconds(block_id /*block*/, std::int64_t units) const {
    return static_cast<double>(units) * element_seconds_;
}

void union_find::leave(detail::block_queues& queues, std::int64_t /*units*/) {
    block_port<label_update> port(queues);
    for (std::size_t const each :
        std::exchange(changed_[static_cast<std::size_t>(index_of(queues.id))], {})) {
        pieces_[each].changed = false;
        for (std::size_t const other : {each - 1, each + 1})
            if (joins(each, other))
                port.send(pieces_[other].block, {static_cast<std::int64_t>(other), pieces_[each].label});
    }
}

void union_find::check(std::string const& engine) const {
    std::int64_t least = 0;
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
        if (i == 0 || !joins(i - 1, i)) least = pieces_[i].label;
        if (pieces_[i].label != least)
            throw std::logic_error(
                fmt::format("simulate union-find: {} left a path in two components", engine));
    }
}

} // namespace weft::tool
