/// A domain cut into blocks with about as many points each.
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
    widest,  ///< the dimension in which the points of the part reach farthest; of equal dimensions the lowest
    cycling, ///< the dimensions in turn, leaving out those in which the points of the part are all equal
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

/// A tree of cuts over points that are spread over the ranks, the same on all of them. A part of n blocks is
/// cut in two of floor(n / 2) and ceil(n / 2), the blocks of the lower one first, with the points shared out
/// in that proportion as exactly as one plane can: points equal in the dimension of the cut stay together.
/// The plane lies in the middle between the two coordinates that it divides. A part without points, or with
/// all points equal, is cut where its bounds are in that proportion. The tree depends on the set of points
/// only, not on their order, the ranks that have them or the number of ranks.
///
/// Queries are local. A block owns the points lo <= x < hi of its bounds, and x = hi where that is the end of
/// the domain (the last of several such blocks if the domain or a block has no extent). Memory: O(blocks) on
/// every rank.
class kd_tree {
public:
    /// Cuts the domain into `blocks` blocks. `points` are those of this rank, the coordinates of each one
    /// after the other; any rank may have none. Collective: yes, all else equal on all ranks. Blocks: until
    /// all ranks have called. Cost: for each of ceil(log2 blocks) levels at most 18 reductions of at most
    /// 2^16 words (or 16 for each part of the level), 2 ceil(log2 P) messages deep, and about 5 passes over
    /// the local points, 20 where they cluster most. Throws: `usage_error` on all ranks for a number of
    /// dimensions that is not 1 to 4, of blocks not 1 to 2^31 - 1, for coordinates that do not form whole
    /// points, are not finite or outside the given domain, or ranks that disagree; `mpi_error`. Source:
    /// Bentley, CACM 18(9), 1975; the k-th smallest by refining histograms, as in Morozov and Peterka,
    /// "Efficient Delaunay tessellation through K-D tree decomposition", SC 2016.
    kd_tree(communicator const& comm, int dimensions, std::span<double const> points, std::int64_t blocks,
        kd_tree_options const& options = {});

    /// Returns the number of dimensions, 2 or 3.
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
    /// Returns the other blocks whose bounds touch those of a block, be it in a corner; symmetric. O(log
    /// blocks) a neighbour. Throws: as `bounds`.
    [[nodiscard]] link link_of(block_id block) const;

    friend bool operator==(kd_tree const&, kd_tree const&) = default;

private:
    box<double> domain_;
    // The part at i with n blocks has its cut there, its lower part at i + 1 and its upper at i + n / 2; a
    // part of one block has none.
    std::vector<detail::kd_plane> planes_;
};

} // namespace weft
