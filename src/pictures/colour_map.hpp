/// Maps numbers to colours.
#pragma once

#include <pictures/colour.hpp>

#include <cstddef>
#include <cstdint>

namespace weft {

/// Maps whose lightness changes evenly, so that they remain readable in grey and for the colour-blind.
enum class colour_map : std::uint8_t {
    magnitude,      ///< dark blue over green to yellow; for a dark background
    magnitude_dark, ///< pale yellow over green to dark blue; for a light background
    grey,           ///< black to white
    diverging       ///< blue over pale to orange: below and above a middle
};

/// Returns the colour of a share of the range, clamped to 0..1.
[[nodiscard]] colour colour_at(colour_map map, double share) noexcept;

/// The number of distinct colours of `category`.
inline constexpr std::size_t categories = 8;
/// Returns one of `categories` colours, which colour-blind readers can tell apart on light and dark
/// backgrounds. Source: Okabe and Ito, Color universal design, 2008; yellow and black are replaced by tones
/// visible on both backgrounds.
[[nodiscard]] colour category(std::size_t number) noexcept;

} // namespace weft
