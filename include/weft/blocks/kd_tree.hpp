/// A domain cut into blocks that have about equal numbers of points.
#pragma once

#include <weft/blocks/box.hpp>
#include <weft/blocks/link.hpp>
#include <weft/core/communicator.hpp>
#include <weft/core/ids.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace weft {

/// The rule that chooses the dimension of the next cut.
enum class kd_split : std::uint8_t {
    /// The dimension in which the points to be cut extend farthest; the lowest such dimension if several are
    /// equal.
    widest,
    cycling, ///< The dimensions in turn, except those in which all points to be cut are equal.
};

/// Options of a `kd_tree`, equal on all ranks.
struct kd_tree_options {
    kd_split split = kd_split::widest; ///< The rule that chooses the dimension of a cut.
    /// The domain. Default: the bounding box of the points, or the unit box if there are 0 points.
    std::optional<box<double>> domain = std::nullopt;
};

namespace detail {
/// Points with less than `at` in a dimension are on the left.
struct kd_plane {
    double at = 0;
    std::int32_t dimension = 0;

    friend bool operator==(kd_plane const&, kd_plane const&) = default;
};
} // namespace detail

/// A tree of cuts through points that are distributed over the ranks. All ranks have the same tree. A part of
/// the domain for n blocks is cut into a lower part for floor(n / 2) blocks and an upper part for ceil(n / 2)
/// blocks. The points are divided in the same proportion, as nearly as one plane can divide them: points that
/// are equal in the dimension of the cut stay together. The plane lies halfway between the nearest points on
/// its two sides. If a part has no points, or if all its points are equal, its bounds are divided in the
/// proportion of the numbers of blocks. The tree depends only on the set of points, not on their order or on
/// the ranks that have them.
///
/// Queries are local. A block owns the points lo <= x < hi of its bounds, and also x = hi at the upper end of
/// the domain. (If the domain or a block has no extent, the last of the blocks at a point owns the point.)
/// Memory: O(blocks) on every rank.
class kd_tree {
public:
    /// Cuts the domain into `blocks` blocks. `points` has the points of this rank, all coordinates of a point
    /// together; a rank may have no points. Collective: yes; all arguments but `points` are equal on all
    /// ranks. Blocks: until all ranks have called. Cost: ceil(log2 blocks) levels, each with at most 18
    /// reductions of at most 2^16 words (or 16 words for each part of the level) and about 5 passes over the
    /// local points, or 20 if the points cluster strongly. A reduction takes 2 ceil(log2 P) messages one
    /// after another. Throws: `usage_error` on all ranks if the number of dimensions is not 1 to 4, if the
    /// number of blocks is not 1 to 2^31 - 1, if the number of coordinates is not a multiple of `dimensions`,
    /// if a point is not finite or lies outside of the domain, or if arguments differ between ranks;
    /// `mpi_error`. Source: Bentley, CACM 18(9), 1975; the k-th smallest by refining histograms, as in
    /// Morozov and Peterka, "Efficient Delaunay tessellation through K-D tree decomposition", SC 2016.
    kd_tree(communicator const& comm, int dimensions, std::span<double const> points, std::int64_t blocks,
        kd_tree_options const& options = {});

    /// Returns the number of dimensions, 1 to 4.
    [[nodiscard]] int dimensions() const noexcept { return domain_.dimensions; }
    /// Returns the box that the tree cuts.
    [[nodiscard]] box<double> const& domain() const noexcept { return domain_; }
    /// Returns the number of blocks.
    [[nodiscard]] std::int64_t blocks() const noexcept {
        return static_cast<std::int64_t>(planes_.size()) + 1;
    }

    /// Returns the bounds of a block. O(log blocks). Throws: `usage_error` for a block that does not exist.
    [[nodiscard]] box<double> bounds(block_id block) const;
    /// Returns the block that owns a point; nullopt for a point outside the domain. O(log blocks).
    [[nodiscard]] std::optional<block_id> block_of(coordinates<double> const& point) const noexcept;
    /// Returns the other blocks whose bounds touch those of a block, also those that touch only at a corner.
    /// The relation is symmetric. O(log blocks) per neighbour. Throws: as `bounds`.
    [[nodiscard]] link link_of(block_id block) const;

    friend bool operator==(kd_tree const&, kd_tree const&) = default;

private:
    box<double> domain_;
    // The part at i with n blocks has its cut there, its lower part at i + 1 and its upper at i + n / 2; a
    // part of one block has none.
    std::vector<detail::kd_plane> planes_;
};

} // namespace weft
