/// Even shares of the particles of a file.
#pragma once

#include <cstdint>

namespace weft::nbody {

struct share {
    std::int64_t first = 0;
    std::int64_t last = 0; ///< One beyond.
};

/// The indices of a rank; those of lower ranks come first.
[[nodiscard]] constexpr share share_of(std::int64_t particles, int rank, int ranks) noexcept {
    std::int64_t const each = particles / ranks;
    std::int64_t const rest = particles % ranks;
    auto const begin = [&](std::int64_t r) { return r * each + (r < rest ? r : rest); };
    return {begin(rank), begin(rank + 1)};
}

[[nodiscard]] constexpr int owner_of_index(std::int64_t index, std::int64_t particles, int ranks) noexcept {
    std::int64_t const each = particles / ranks;
    std::int64_t const rest = particles % ranks;
    std::int64_t const in_large = rest * (each + 1);
    return static_cast<int>(index < in_large ? index / (each + 1) : rest + (index - in_large) / each);
}

} // namespace weft::nbody
