/// Components of trajectories by union-find over blocks: algorithm 8 of Morozov and others, LDAV 2021,
/// section 4.2.
#pragma once

#include "block_application.hpp"

#include <weft/blocks/regular_grid.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace weft::tool {

/// Trajectories of points that move on spirals through two dimensions of space and one of time.
struct spiral_paths {
    std::int64_t across = 128;     ///< voxels along x and along y
    std::int64_t time_steps = 128; ///< voxels along z
    std::int64_t paths = 280;      ///< each is one component
    std::int64_t shortest = 4;     ///< elements of a path
    std::int64_t longest = 574;
    double mean = 337;
    double element_seconds = 1e-6; ///< of the processor, to unite an element or a label that has come
    std::uint64_t seed = 1;
};

/// The paths cut into blocks, as cubic as possible. Consecutive elements of a path in one block are a piece,
/// which local union-find makes one set; its label is the least number of its elements. Over the edges
/// between pieces a block tells each change of a label to the block at the other end.
class union_find final : public block_application {
public:
    /// Throws `usage_error` where there are more blocks than voxels allow, or no lengths have this mean.
    union_find(spiral_paths const& what, std::int64_t blocks);

    [[nodiscard]] std::int64_t blocks() const override { return grid_.blocks(); }
    [[nodiscard]] std::vector<link> links(assignment const& where, int rank) const override;

    /// Units of work are elements, the first time, and labels that have come.
    [[nodiscard]] std::int64_t take(detail::block_queues& queues, bool first_time) override;
    [[nodiscard]] double seconds(block_id block, std::int64_t units) const override;
    void leave(detail::block_queues& queues, std::int64_t units) override;
    void check(std::string const& engine) const override;

    /// Returns the most pieces of a path: as many rounds do its labels take at most.
    [[nodiscard]] std::int64_t longest_chain() const noexcept { return longest_chain_; }

private:
    /// Elements of a path that lie in one block. The pieces before and after it are those of the next
    /// numbers.
    struct piece {
        std::int64_t label;
        std::int64_t elements;
        std::int64_t path;
        block_id block;
        bool changed = true;
    };

    [[nodiscard]] bool joins(std::size_t a, std::size_t b) const noexcept;
    void cut(spiral_paths const& what);

    regular_grid<std::int64_t> grid_;
    double element_seconds_;
    std::vector<piece> pieces_;                       // path by path
    std::vector<std::vector<std::uint32_t>> inside_;  // the pieces of each block
    std::vector<std::vector<std::uint32_t>> changed_; // of these, whose labels others have yet to learn
    std::int64_t longest_chain_ = 0;
};

} // namespace weft::tool
