/// Colours as light, and as bytes of a screen.
#pragma once

#include <array>
#include <cstdint>

namespace weft {

/// Red, green and blue from 0 to 1, linear in light, so that they can be averaged and mixed.
using colour = std::array<float, 3>;

/// Lightness from 0 to 1 and two opponent axes, in which equal distances look about equal. Source: Ottosson,
/// A perceptual color space for image processing, 2020.
struct perceived_colour {
    double lightness = 0;
    double green_red = 0;
    double blue_yellow = 0;
};

[[nodiscard]] colour as_light(perceived_colour const& seen) noexcept;
[[nodiscard]] perceived_colour as_perceived(colour const& light) noexcept;

/// Returns the bytes of sRGB.
[[nodiscard]] std::array<std::uint8_t, 3> on_screen(colour const& light) noexcept;
/// Returns the light of "#rrggbb", written as 0xrrggbb.
[[nodiscard]] colour from_screen(std::uint32_t rgb) noexcept;

/// Returns a mixture of light: `from` for share 0, `to` for share 1.
[[nodiscard]] colour mixed(colour const& from, colour const& to, float share) noexcept;

} // namespace weft
