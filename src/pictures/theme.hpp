/// Light or dark.
#pragma once

#include <pictures/colour_map.hpp>

#include <cstdint>
#include <string>

namespace weft {

/// The ground of a picture and what stands on it.
struct theme {
    bool is_dark = false;
    colour ground{};
    colour ink{};   ///< of text and axes
    colour faint{}; ///< of frames and grid lines
    colour_map magnitude = colour_map::magnitude;
};

[[nodiscard]] theme light_theme() noexcept;
[[nodiscard]] theme dark_theme() noexcept;
/// "light" or "dark". Throws: `usage_error`.
[[nodiscard]] theme theme_named(std::string const& name);

} // namespace weft
