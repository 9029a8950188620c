/// Particles that fly through blocks: the synthetic flow of Morozov and others, LDAV 2021, section 4.1.1.
#pragma once

#include "block_application.hpp"

#include <weft/blocks/regular_grid.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace weft::tool {

/// A particle that flies from block to block: its place and number.
struct flying_particle {
    double place[3];
    std::int64_t number;
};
static_assert(sizeof(flying_particle) == 32);

/// A cube of voxels and particles on the plane x = 0, which go in the direction of +x.
struct bundled_flow {
    std::int64_t voxels = 512;
    std::int64_t seeds_per_voxel = 4; ///< along y and along z
    double fast = 10;                 ///< voxels a step
    double slow = 1;                  ///< in blocks that the diagonal of the cube passes through
    double step_seconds = 0;          ///< of the processor, a particle and step
    double visit_seconds = 0;         ///< beside that, a particle and block
};

/// The flow cut into blocks, as cubic as possible and numbered with x running fastest. The particles of a row
/// of blocks fly as one bundle: they all fare alike.
class advection final : public block_application {
public:
    /// Throws `usage_error` where there are more blocks than voxels along an edge allow.
    advection(bundled_flow const& what, std::int64_t blocks);

    [[nodiscard]] std::int64_t blocks() const override { return grid_.blocks(); }
    /// True if the diagonal of the cube passes through the block, not only along it: on a lattice of n x n x
    /// n blocks those at (i, i, i).
    [[nodiscard]] bool is_slow(block_id block) const;
    /// To the next block in x.
    [[nodiscard]] std::vector<link> links(assignment const& where, int rank) const override;

    /// Particles are the units of work; the first time the seeds are among them.
    [[nodiscard]] std::int64_t take(detail::block_queues& queues, bool first_time) override;
    [[nodiscard]] double seconds(block_id block, std::int64_t flying) const override;
    /// Sends particles on, or retires them.
    void leave(detail::block_queues& queues, std::int64_t flying) override;
    void check(std::string const& engine) const override;

private:
    bundled_flow what_;
    regular_grid<std::int64_t> grid_;
    std::int64_t retired_ = 0;
};

} // namespace weft::tool
