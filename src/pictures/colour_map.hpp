/// From a number to a colour.
#pragma once

#include <pictures/colour.hpp>

#include <cstddef>
#include <cstdint>

namespace weft {

/// Maps whose lightness changes evenly, so that they can be read without seeing colours, in grey print too.
enum class colour_map : std::uint8_t {
    magnitude,      ///< dark blue over green to yellow; on dark ground
    magnitude_dark, ///< pale yellow over green to dark blue; on light ground
    grey,           ///< black to white
    diverging       ///< blue over pale to orange: below and above a middle
};

/// The colour of a share from 0 to 1 of the range; what is beyond is as the end.
[[nodiscard]] colour colour_at(colour_map map, double share) noexcept;

/// The number of colours that `category` has before they repeat.
inline constexpr std::size_t categories = 8;
/// Colours that colour-blind readers tell apart, on light and on dark ground; they repeat after `categories`.
/// Source: Okabe and Ito, Color universal design, 2008; yellow and black replaced by tones that both grounds
/// bear.
[[nodiscard]] colour category(std::size_t number) noexcept;

} // namespace weft
