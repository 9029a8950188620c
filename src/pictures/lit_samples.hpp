/// The light of drawn lines and surfaces, and the encoding of samples. Private.
#pragma once

#include <pictures/colour.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace weft {

/// The direction of the light: from the left, above and in front of the picture; y grows downwards.
inline constexpr float light_from[3] = {-0.45F, -0.55F, 0.70F};
/// The direction half way between the light and the eye.
inline constexpr float light_half_way[3] = {-0.244F, -0.298F, 0.922F};

/// Packs a colour: ten bits for the square root of each part, which gives dark colours enough precision.
[[nodiscard]] inline std::uint32_t sample_of(colour const& of) noexcept {
    std::uint32_t bits = 0;
    for (float const each : of)
        bits = bits << 10 | static_cast<std::uint32_t>(1023 * std::sqrt(std::clamp(each, 0.0F, 1.0F)) + 0.5F);
    return bits;
}

/// Returns a part of a colour packed by `sample_of`.
[[nodiscard]] inline float part_of_sample(std::uint32_t bits, std::size_t part) noexcept {
    float const root = static_cast<float>(bits >> (20 - 10 * part) & 1023) / 1023;
    return root * root;
}

} // namespace weft
