/// The messages of a collective, as MPI libraries send them. Private.
#pragma once

#include <cstdint>

namespace weft {

enum class collective_kind { all_to_all, reduce_scatter, all_reduce };

/// The part of one rank in one round: it sends, then waits for its message. -1: no rank.
struct collective_round {
    int to = -1;
    int from = -1;
    std::int64_t bytes = 0; ///< sent by the rank
};

/// The rounds of a collective of `ranks` ranks on one word for each rank and peer, or on one census value.
///
/// `all_to_all`: Bruck's algorithm. `reduce_scatter`: recursive halving; `all_reduce`: recursive doubling.
/// The last two use the largest power of two of ranks, with a round before and one after for the others.
/// Source: Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005, sections 3.3, 4.4, 4.5.
class collective_schedule {
public:
    collective_schedule(collective_kind what, int ranks);

    [[nodiscard]] int rounds() const noexcept { return rounds_; }
    [[nodiscard]] collective_round at(int rank, int round) const noexcept;

private:
    [[nodiscard]] collective_round between_powers(int rank, int round) const noexcept;

    collective_kind what_;
    int ranks_;
    int power_;  // the largest power of two up to `ranks_`
    int beyond_; // number of the other ranks
    int rounds_;
};

} // namespace weft
