/// Random bits as a function of a seed and an index, so that any rank can compute any of them.
#pragma once

#include <weft/detail/core/hash.hpp>

#include <cstdint>

namespace weft {

/// The generator splitmix64 with random access: Steele, Lea, Flood, Fast splittable pseudorandom number
/// generators, OOPSLA 2014.
class counter_random {
public:
    explicit counter_random(std::uint64_t seed) noexcept : start_(detail::mixed(seed)) {}

    /// Makes an independent sequence for every `stream`.
    counter_random(std::uint64_t seed, std::uint64_t stream) noexcept
        : start_(detail::mixed(detail::mixed(seed) + detail::golden * stream)) {}

    /// Returns 64 bits, element `index` of the sequence.
    [[nodiscard]] std::uint64_t operator()(std::uint64_t index) const noexcept {
        return detail::mixed(start_ + detail::golden * (index + 1));
    }

private:
    std::uint64_t start_;
};

} // namespace weft
