#include <pictures/colour.hpp>

#include <algorithm>
#include <cmath>

namespace weft {

namespace {

std::uint8_t byte_of(float light) {
    float const of = light <= 0.0031308F ? 12.92F * light : 1.055F * std::pow(light, 1 / 2.4F) - 0.055F;
    return static_cast<std::uint8_t>(std::lround(255 * std::clamp(of, 0.0F, 1.0F)));
}

float light_of(std::uint32_t byte) {
    float const of = static_cast<float>(byte & 0xFF) / 255;
    return of <= 0.04045F ? of / 12.92F : std::pow((of + 0.055F) / 1.055F, 2.4F);
}

} // namespace

colour as_light(perceived_colour const& seen) noexcept {
    double const a = seen.green_red;
    double const b = seen.blue_yellow;
    double const l = std::pow(seen.lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
    double const m = std::pow(seen.lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
    double const s = std::pow(seen.lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
    auto const limited = [](double of) { return static_cast<float>(std::clamp(of, 0.0, 1.0)); };
    return {limited(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
        limited(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
        limited(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

perceived_colour as_perceived(colour const& light) noexcept {
    double const r = light[0];
    double const g = light[1];
    double const b = light[2];
    double const l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    double const m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    double const s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
        1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
        0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

std::array<std::uint8_t, 3> on_screen(colour const& light) noexcept {
    return {byte_of(light[0]), byte_of(light[1]), byte_of(light[2])};
}

colour from_screen(std::uint32_t rgb) noexcept {
    return {light_of(rgb >> 16), light_of(rgb >> 8), light_of(rgb)};
}

colour mixed(colour const& from, colour const& to, float share) noexcept {
    colour result{};
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = from[i] + share * (to[i] - from[i]);
    return result;
}

} // namespace weft
