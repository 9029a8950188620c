#include <pictures/colour_map.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace weft {

namespace {

colour of_hue(double lightness, double strength, double degrees) noexcept {
    double const hue = degrees * std::numbers::pi / 180;
    return as_light({lightness, strength * std::cos(hue), strength * std::sin(hue)});
}

colour magnitude_at(double share) noexcept {
    return of_hue(0.36 + 0.58 * share, 0.105 + 0.07 * share * share, 278 - 172 * share);
}

/// Darkest at both ends, so that a grey print shows the size of the deviation.
colour diverging_at(double share) noexcept {
    double const away = std::abs(2 * share - 1);
    return of_hue(0.95 - 0.47 * away, 0.012 + 0.125 * away, share < 0.5 ? 250 : 55);
}

} // namespace

colour colour_at(colour_map map, double share) noexcept {
    double const within = std::isnan(share) ? 0 : std::clamp(share, 0.0, 1.0);
    switch (map) {
    case colour_map::magnitude:
        return magnitude_at(within);
    case colour_map::magnitude_dark:
        return magnitude_at(1 - within);
    case colour_map::diverging:
        return diverging_at(within);
    case colour_map::grey:
        break;
    }
    return as_light({within, 0, 0});
}

colour category(std::size_t number) noexcept {
    constexpr std::array<std::uint32_t, categories> tones{
        0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9, 0x8A6FDF, 0x999933};
    return from_screen(tones[number % categories]);
}

} // namespace weft
