/// Particles that are traced through a steady flow in three dimensions: as in section 4.2 of Peterka, Ross,
/// EuroMPI 2012.
#pragma once

#include "block_application.hpp"

#include <weft/blocks/regular_grid.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace weft::tool {

/// A flow of vortices in a cube of voxels, with particles that begin anywhere in it.
struct vortex_flow {
    std::int64_t voxels = 2048;       ///< along an edge of the cube
    std::int64_t particles = 262'144; ///< that begin
    std::int64_t steps = 1000;        ///< of each, unless it leaves the cube before
    double step_voxels = 1;           ///< of the longest step along an axis
    double step_seconds = 2.4e-6;     ///< of the processor, a particle and step
    std::uint64_t seed = 1;
};

/// The flow cut into blocks, as cubic as possible. A particle that leaves its block goes to the one where it
/// is then, which is one of the 26 around it.
class traced_particles final : public block_application {
public:
    /// Throws `usage_error` where there are more blocks than voxels along an edge allow, or a step is too
    /// long for the blocks.
    traced_particles(vortex_flow const& what, std::int64_t blocks);

    [[nodiscard]] std::int64_t blocks() const override { return grid_.blocks(); }
    /// To all blocks around each.
    [[nodiscard]] std::vector<link> links(assignment const& where, int rank) const override;

    /// Steps of integration are the units of work; the first time those of particles that begin here are
    /// among them.
    [[nodiscard]] std::int64_t take(detail::block_queues& queues, bool first_time) override;
    [[nodiscard]] double seconds(block_id block, std::int64_t steps) const override;
    /// Sends on those that have left the block after this number of steps.
    void leave(detail::block_queues& queues, std::int64_t steps) override;
    void check(std::string const& engine) const override;

    [[nodiscard]] std::int64_t particles() const noexcept { return what_.particles; }
    /// Returns how many have made their last step, or left the cube, up to now in all blocks.
    [[nodiscard]] std::int64_t finished() const noexcept { return finished_; }

private:
    struct particle {
        std::array<double, 3> place;
        std::int64_t steps_left;
    };
    static_assert(sizeof(particle) == 32);

    /// One that has been traced to the end of its block.
    struct departure {
        std::int64_t after; ///< this number of steps that the block had to do
        block_id to;
        bool finished;
        particle what;
    };
    struct block_state {
        std::vector<departure> departures; // in the order of `after`
        std::size_t next = 0;
        std::int64_t done = 0; ///< steps since the last `take`
    };

    [[nodiscard]] std::array<double, 3> velocity(std::array<double, 3> const& place) const;
    /// Traces a particle to the end of its block; returns its steps there.
    [[nodiscard]] std::int64_t trace(block_id block, particle what, std::int64_t before);

    vortex_flow what_;
    regular_grid<std::int64_t> grid_;
    std::vector<std::vector<particle>> seeds_; // by block
    std::vector<block_state> states_;
    std::int64_t finished_ = 0;
};

} // namespace weft::tool
