#include "unit_cube.hpp"

#include <algorithm>
#include <cmath>

namespace weft::nbody {

namespace {

constexpr std::uint32_t last_place = (1U << deepest_level) - 1;

/// Two zeros between each two bits.
std::uint64_t spread(std::uint64_t bits) noexcept {
    bits &= 0x1fffff;
    bits = (bits | bits << 32) & 0x1f00000000ffff;
    bits = (bits | bits << 16) & 0x1f0000ff0000ff;
    bits = (bits | bits << 8) & 0x100f00f00f00f00f;
    bits = (bits | bits << 4) & 0x10c30c30c30c30c3;
    return (bits | bits << 2) & 0x1249249249249249;
}

std::uint64_t gather(std::uint64_t bits) noexcept {
    bits &= 0x1249249249249249;
    bits = (bits | bits >> 2) & 0x10c30c30c30c30c3;
    bits = (bits | bits >> 4) & 0x100f00f00f00f00f;
    bits = (bits | bits >> 8) & 0x1f0000ff0000ff;
    bits = (bits | bits >> 16) & 0x1f00000000ffff;
    return (bits | bits >> 32) & 0x1fffff;
}

} // namespace

bounds bounds_of(std::span<particle const> particles) noexcept {
    bounds found;
    for (particle const& each : particles) found.add(each.position);
    return found;
}

unit_cube::unit_cube(bounds const& of_all) {
    if (of_all.empty()) return;
    double side = 0;
    double farthest = 0;
    for (std::size_t d = 0; d < 3; ++d) {
        side = std::max(side, of_all.hi[d] - of_all.lo[d]);
        farthest = std::max({farthest, std::abs(of_all.lo[d]), std::abs(of_all.hi[d])});
    }
    if (side == 0) side = farthest > 0 ? farthest : 1; // all at one place
    int exponent = 0;
    double const part = std::frexp(side, &exponent); // side = part * 2^exponent, part in [0.5, 1)
    if (part == 0.5) --exponent;
    scale_ = std::ldexp(1.0, -std::clamp(exponent, -1000, 1000));
    for (std::size_t d = 0; d < 3; ++d) lo_[d] = scaled(of_all.lo[d]);
}

std::uint64_t unit_cube::key_of(double const (&point)[3]) const noexcept {
    std::uint64_t key = 0;
    for (std::size_t d = 0; d < 3; ++d) {
        double const place = (point[d] - lo_[d]) * static_cast<double>(1U << deepest_level);
        auto const digit =
            static_cast<std::uint64_t>(std::clamp(place, 0.0, static_cast<double>(last_place)));
        key |= spread(digit) << d;
    }
    return key;
}

void unit_cube::center_of(std::uint64_t key, int level, double (&center)[3]) const noexcept {
    double const side = std::ldexp(1.0, -level);
    for (std::size_t d = 0; d < 3; ++d) {
        auto const digit = static_cast<double>(gather(key >> d) >> (deepest_level - level));
        center[d] = lo_[d] + (digit + 0.5) * side;
    }
}

} // namespace weft::nbody
