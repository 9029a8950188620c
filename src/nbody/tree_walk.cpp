#include "tree_walk.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

namespace weft::nbody {

namespace {

/// The squared distances from a point to the nearest and the farthest point of a box.
struct distances {
    double nearest2 = 0;
    double farthest2 = 0;
};
[[nodiscard]] distances between(bounds const& box, double const (&point)[3]) noexcept {
    distances found;
    for (std::size_t d = 0; d < 3; ++d) {
        double const below = box.lo[d] - point[d];
        double const above = point[d] - box.hi[d];
        double const near = std::max({below, above, 0.0});
        double const far = std::max(-below, -above);
        found.nearest2 += near * near;
        found.farthest2 += far * far;
    }
    return found;
}

/// The walk of one group of particles, and the cells and sources that attract it.
class group_walk {
public:
    group_walk(source_tree const& tree, opening_rule const& rule) : tree_(tree), rule_(rule) {}

    /// Returns the number of interactions.
    std::int64_t run(unit_cube const& cube, std::span<particle> particles, std::span<attraction> forces) {
        load(cube, particles);
        cells_.clear();
        runs_.clear();
        collect(0, all_);
        std::span const blocks(blocks_, (particles.size() + lanes_a_block - 1) / lanes_a_block);
        attract(blocks, cells_, tree_.multipoles(), runs_, tree_.sources());
        store(cube, particles, forces);
        return count(particles);
    }

private:
    void load(unit_cube const& cube, std::span<particle const> particles) {
        box_ = bounds();
        all_ =
            particles.size() == group_size ? ~std::uint32_t{0} : (std::uint32_t{1} << particles.size()) - 1;
        std::size_t const lanes = (particles.size() + lanes_a_block - 1) / lanes_a_block * lanes_a_block;
        for (std::size_t i = 0; i < lanes; ++i) {
            // Spare lanes repeat the last particle, but are in no mask.
            particle const& from = particles[std::min(i, particles.size() - 1)];
            target_block& block = blocks_[i / lanes_a_block];
            std::size_t const lane = i % lanes_a_block;
            std::array<double, 3> const place = cube.place_of(from.position);
            box_.add(place);
            block.x[lane] = place[0];
            block.y[lane] = place[1];
            block.z[lane] = place[2];
            double const softening = cube.scaled(from.softening);
            block.half_softening[lane] = 0.5 * softening * softening;
            block.ax[lane] = block.ay[lane] = block.az[lane] = block.potential[lane] = 0;
        }
        lanes_ = lanes;
    }

    /// Collects the cells and sources that attract the particles in `mask`, from a cell and its descendants.
    void collect(std::size_t cell, std::uint32_t mask) {
        tree_cell const& here = tree_.cells()[cell];
        std::uint32_t taking = mask;
        if (!here.is_distant) {
            double const least = rule_.least_distance2(here.level);
            distances const to = between(box_, here.center);
            if (to.farthest2 < least)
                taking = 0;
            else if (to.nearest2 < least)
                taking = mask & far_enough({blocks_, lanes_ / lanes_a_block}, here.center, least);
        }
        if (taking != 0) cells_.push_back({cell, taking});
        std::uint32_t const opening = mask & ~taking;
        if (opening == 0) return;
        if (here.is_leaf) {
            runs_.push_back({here.begin, here.end, opening});
            return;
        }
        for (std::size_t child = cell + 1; child < here.after; child = tree_.cells()[child].after)
            collect(child, opening);
    }

    void store(unit_cube const& cube, std::span<particle const> particles, std::span<attraction> forces) {
        double const scale = cube.scale();
        for (std::size_t i = 0; i < particles.size(); ++i) {
            target_block const& block = blocks_[i / lanes_a_block];
            std::size_t const lane = i % lanes_a_block;
            // The sources of a softened particle include itself.
            double const softening2 = 2 * block.half_softening[lane];
            double const own = softening2 > 0 ? particles[i].mass / std::sqrt(softening2) : 0;
            forces[i].acceleration = {block.ax[lane] * scale * scale, block.ay[lane] * scale * scale,
                block.az[lane] * scale * scale};
            forces[i].potential = (block.potential[lane] + own) * scale;
        }
    }

    /// Returns the interactions of the group, and sets the work of its particles to equal shares.
    std::int64_t count(std::span<particle> particles) const {
        std::int64_t interactions = 0;
        std::int64_t work = 0;
        auto const blocks_in = [](std::uint32_t mask) {
            std::int64_t blocks = 0;
            for (std::size_t b = 0; b < blocks_a_group; ++b)
                blocks += ((mask >> (lanes_a_block * b)) & 0xffU) != 0;
            return blocks;
        };
        for (cell_entry const& each : cells_) {
            interactions += std::popcount(each.mask);
            work += 2 * blocks_in(each.mask); // a cell costs about as much as two sources
        }
        for (source_entry const& each : runs_) {
            auto const sources = static_cast<std::int64_t>(each.end - each.begin);
            interactions += std::popcount(each.mask) * sources;
            work += blocks_in(each.mask) * sources;
        }
        double const share = static_cast<double>(work * static_cast<std::int64_t>(lanes_a_block)) /
                             static_cast<double>(particles.size());
        for (particle& each : particles) each.work = share;
        return interactions;
    }

    source_tree const& tree_;
    opening_rule const& rule_;
    target_block blocks_[blocks_a_group];
    bounds box_;
    std::uint32_t all_ = 0;
    std::size_t lanes_ = 0;
    std::vector<cell_entry> cells_;
    std::vector<source_entry> runs_;
};

} // namespace

std::int64_t walk_tree(source_tree const& tree, opening_rule const& rule, unit_cube const& cube,
    std::span<particle> particles, std::span<attraction> forces) {
    std::int64_t interactions = 0;
    if (particles.empty()) return 0;
    group_walk walk(tree, rule);
    for (std::size_t first = 0; first < particles.size(); first += group_size) {
        std::size_t const count = std::min(group_size, particles.size() - first);
        interactions += walk.run(cube, particles.subspan(first, count), forces.subspan(first, count));
    }
    return interactions;
}

} // namespace weft::nbody
