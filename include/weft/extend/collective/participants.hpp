/// The participants of a schedule, and their ranks.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace weft {

/// Participants 0, 1, ... of a schedule: ranks, or blocks. Equal on all ranks but for `mine`.
struct participants {
    std::vector<std::int64_t> mine;                     ///< The participants of this rank, ascending.
    std::function<int(std::int64_t)> rank_of = nullptr; ///< Returns the rank of any participant.

    /// Returns the participants for which participant i is rank i.
    [[nodiscard]] static participants ranks(int rank) {
        return {{rank}, [](std::int64_t i) { return static_cast<int>(i); }};
    }
};

} // namespace weft
