/// Domains by orthogonal recursive bisection.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/nbody/particle.hpp>

#include <array>
#include <span>
#include <vector>

namespace weft::nbody {

/// Cuts space into one domain a rank: each cut divides the ranks of a box into halves, and its particles so
/// that the halves have work by their number of ranks.
class bisection {
public:
    bisection() = default;
    /// Cuts across the longest side, where the work asks for it. Collective: yes. Blocks: until all ranks
    /// have called. Cost: O(log P) rounds, each an all_reduce of at most 64 P numbers, several a cut. Throws:
    /// `mpi_error`. Source: Salmon, Parallel hierarchical N-body methods, 1991.
    bisection(communicator const& comm, std::span<particle const> particles);

    /// The rank whose domain has a point. Local, O(log P).
    [[nodiscard]] int owner_of(std::array<double, 3> const& point) const noexcept;

private:
    struct cut {
        std::size_t axis = 0;
        double at = 0; ///< Points below go to the first half of the ranks.
    };
    std::vector<cut> cuts_; // in preorder: P - 1 of them
    int ranks_ = 1;
};

} // namespace weft::nbody
