/// Colours as light, and as a screen takes them.
#pragma once

#include <array>
#include <cstdint>

namespace weft {

/// Red, green and blue from 0 to 1, as light: what can be averaged and mixed. Not yet as a screen takes them.
using colour = std::array<float, 3>;

/// Lightness from 0 to 1 and two opponent axes, in which equal distances look about equally large. Source:
/// Ottosson, A perceptual color space for image processing, 2020.
struct perceived_colour {
    double lightness = 0;
    double green_red = 0;
    double blue_yellow = 0;
};

[[nodiscard]] colour as_light(perceived_colour const& seen) noexcept;
[[nodiscard]] perceived_colour as_perceived(colour const& light) noexcept;

/// The bytes of sRGB.
[[nodiscard]] std::array<std::uint8_t, 3> on_screen(colour const& light) noexcept;
/// The light of "#rrggbb", written as 0xrrggbb.
[[nodiscard]] colour from_screen(std::uint32_t rgb) noexcept;

/// `share` 0 is `from`, 1 is `to`; mixed as light.
[[nodiscard]] colour mixed(colour const& from, colour const& to, float share) noexcept;

} // namespace weft
