/// Light and dark themes.
#pragma once

#include <pictures/colour_map.hpp>

#include <cstdint>
#include <string>

namespace weft {

/// The background of a picture and the colours of text and lines on it.
struct theme {
    bool is_dark = false;
    colour ground{};
    colour ink{};   ///< text and axes
    colour faint{}; ///< frames and grid lines
    colour_map magnitude = colour_map::magnitude;
};

[[nodiscard]] theme light_theme() noexcept;
[[nodiscard]] theme dark_theme() noexcept;
/// Returns the theme "light" or "dark". Throws: `usage_error`.
[[nodiscard]] theme theme_named(std::string const& name);

} // namespace weft
