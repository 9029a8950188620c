/// The participants of a schedule, and their ranks.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace weft {

/// Participants 0, 1, ... of a schedule: ranks, or blocks. Equal on all ranks but for `mine`.
struct participants {
    std::vector<std::int64_t> mine;                     ///< those of this rank, ascending
    std::function<int(std::int64_t)> rank_of = nullptr; ///< of any participant

    /// Participant i is rank i.
    [[nodiscard]] static participants ranks(int rank) {
        return {{rank}, [](std::int64_t i) { return static_cast<int>(i); }};
    }
};

} // namespace weft
