#include "collective_schedule.hpp"

#include <weft/extend/transport/census_value.hpp>

#include <bit>

namespace weft {

namespace {

constexpr std::int64_t count_bytes = sizeof(std::int64_t);

int log2_up(int ranks) {
    return std::bit_width(static_cast<unsigned>(ranks - 1));
}

/// Returns the number of distances 0..ranks-1 with this bit set.
std::int64_t with_bit(int ranks, int bit) {
    std::int64_t const block = std::int64_t{1} << (bit + 1);
    std::int64_t const rest = ranks % block - block / 2;
    return ranks / block * (block / 2) + (rest > 0 ? rest : 0);
}

} // namespace

collective_schedule::collective_schedule(collective_kind what, int ranks)
    : what_(what),
      ranks_(ranks),
      power_(static_cast<int>(std::bit_floor(static_cast<unsigned>(ranks)))),
      beyond_(ranks - power_),
      rounds_(
          what == collective_kind::all_to_all ? log2_up(ranks) : log2_up(power_) + (beyond_ > 0 ? 2 : 0)) {
}

collective_round collective_schedule::at(int rank, int round) const noexcept {
    if (what_ != collective_kind::all_to_all) return between_powers(rank, round);
    int const distance = 1 << round;
    return {(rank + distance) % ranks_, (rank - distance + ranks_) % ranks_,
        count_bytes * with_bit(ranks_, round)};
}

collective_round collective_schedule::between_powers(int rank, int round) const noexcept {
    bool const halves = what_ == collective_kind::reduce_scatter;
    std::int64_t const all = halves ? count_bytes * ranks_ : std::int64_t{sizeof(census_value)};
    // The first 2 `beyond_` ranks form pairs; the odd rank takes part for both.
    bool const paired = rank < 2 * beyond_;
    bool const takes_part = !paired || rank % 2 == 1;
    if (beyond_ > 0) {
        if (round == 0)
            return !paired      ? collective_round{}
                   : takes_part ? collective_round{-1, rank - 1, 0}
                                : collective_round{rank + 1, -1, all};
        if (round == rounds_ - 1)
            return !paired      ? collective_round{}
                   : takes_part ? collective_round{rank - 1, -1, halves ? count_bytes : all}
                                : collective_round{-1, rank + 1, 0};
        --round;
    }
    if (!takes_part) return {};
    int const place = paired ? rank / 2 : rank - beyond_;
    int const other = halves ? place ^ (power_ >> (round + 1)) : place ^ (1 << round);
    int const peer = other < beyond_ ? 2 * other + 1 : other + beyond_;
    return {peer, peer, halves ? all >> (round + 1) : all};
}

} // namespace weft
