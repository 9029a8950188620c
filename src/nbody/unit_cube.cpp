#include "unit_cube.hpp"

#include <algorithm>
#include <cmath>

namespace weft::nbody {

namespace {

constexpr int half = deepest_level / 2; // levels in each half of a key
constexpr std::uint64_t last_place = (std::uint64_t{1} << deepest_level) - 1;

/// Inserts two zeros between neighbouring bits.
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

unit_cube::unit_cube(bounds const& of_all, std::array<double, 3> const& origin) : origin_(origin) {
    if (of_all.empty()) return;
    double side = 0;
    double farthest = 0;
    for (std::size_t d = 0; d < 3; ++d) {
        side = std::max(side, of_all.hi[d] - of_all.lo[d]);
        farthest = std::max({farthest, std::abs(of_all.lo[d]), std::abs(of_all.hi[d])});
    }
    if (side == 0) side = farthest > 0 ? farthest : 1; // all particles are at one place
    int exponent = 0;
    double const part = std::frexp(side, &exponent); // side = part * 2^exponent, part in [0.5, 1)
    if (part == 0.5) --exponent;
    scale_ = std::ldexp(1.0, -std::clamp(exponent, -1000, 1000));
    lo_ = place_of(of_all.lo);
}

cell_key unit_cube::key_of(std::array<double, 3> const& place) const noexcept {
    cell_key key;
    for (std::size_t d = 0; d < 3; ++d) {
        double const along = (place[d] - lo_[d]) * static_cast<double>(last_place + 1);
        auto const digits =
            static_cast<std::uint64_t>(std::clamp(along, 0.0, static_cast<double>(last_place)));
        key.high |= spread(digits >> half) << d;
        key.low |= spread(digits) << d;
    }
    return key;
}

void unit_cube::center_of(cell_key const& key, int level, double (&center)[3]) const noexcept {
    double const side = std::ldexp(1.0, -level);
    for (std::size_t d = 0; d < 3; ++d) {
        std::uint64_t const digits = gather(key.high >> d) << half | gather(key.low >> d);
        center[d] = lo_[d] + (static_cast<double>(digits >> (deepest_level - level)) + 0.5) * side;
    }
}

} // namespace weft::nbody
