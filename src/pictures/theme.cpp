#include <pictures/theme.hpp>

#include <weft/core/error.hpp>

namespace weft {

theme light_theme() noexcept {
    return {false, from_screen(0xFFFFFF), from_screen(0x22262B), from_screen(0xD5D9DE),
        colour_map::magnitude_dark};
}

theme dark_theme() noexcept {
    return {true, from_screen(0x12151B), from_screen(0xD8DEE6), from_screen(0x3A414C), colour_map::magnitude};
}

theme theme_named(std::string const& name) {
    if (name == "light") return light_theme();
    if (name == "dark") return dark_theme();
    throw usage_error("theme \"" + name + "\": expected light or dark");
}

} // namespace weft
