/// Space cut into domains of equal work.
#pragma once

#include <weft/core/communicator.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace weft {

/// Boxes of space in two or three dimensions, one per rank, by orthogonal recursive bisection. Each cut
/// divides the ranks of a box into halves, and the points of the box so that the weight of each half is in
/// proportion to its number of ranks. Together the boxes cover all space. The boxes are equal on all ranks.
/// Memory: O(P).
template <std::size_t D>
class recursive_bisection {
public:
    using point = std::array<double, D>; ///< Coordinates.

    /// Makes one box, which covers all space.
    recursive_bisection() = default;
    /// Cuts each box across the dimension in which its points extend farthest. The weights of the halves are
    /// exact to a thousandth of the weight of the box if the points allow it; points at the same place stay
    /// together. `weights` has a weight for each point; if it is empty, each point has the weight 1.
    /// Collective: yes. Blocks: until all ranks have called. Cost: O(log P) rounds of at most 9 reductions of
    /// 64 numbers per box. Throws: on all ranks `usage_error` if points and weights differ in number, only
    /// some ranks have weights, a coordinate or weight is not finite, or a weight is negative; `mpi_error`.
    /// Source: Salmon, Parallel hierarchical N-body methods, 1991.
    recursive_bisection(
        communicator const& comm, std::span<point const> points, std::span<double const> weights = {});

    /// Returns the rank whose box has a point. Local, O(log P).
    [[nodiscard]] int owner_of(point const& at) const noexcept {
        int first = 0;
        std::size_t here = 0;
        for (int ranks = ranks_; ranks > 1;) {
            int const left = ranks / 2;
            if (at[cuts_[here].axis] < cuts_[here].at) {
                ++here;
                ranks = left;
            } else {
                here += static_cast<std::size_t>(left);
                first += left;
                ranks -= left;
            }
        }
        return first;
    }

private:
    struct cut {
        std::size_t axis = 0;
        double at = 0; // points below go to the first half of the ranks
    };
    std::vector<cut> cuts_; // in preorder: P - 1 of them
    int ranks_ = 1;
};

extern template class recursive_bisection<2>;
extern template class recursive_bisection<3>;

} // namespace weft
