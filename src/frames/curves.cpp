#include <weft/frames/curves.hpp>

#include <algorithm>
#include <cmath>

namespace weft {

namespace {

/// Moves bit i to bit 2 i.
std::uint64_t spread_by_2(std::uint64_t bits) noexcept {
    bits = (bits | (bits << 16)) & 0x0000FFFF0000FFFFU;
    bits = (bits | (bits << 8)) & 0x00FF00FF00FF00FFU;
    bits = (bits | (bits << 4)) & 0x0F0F0F0F0F0F0F0FU;
    bits = (bits | (bits << 2)) & 0x3333333333333333U;
    return (bits | (bits << 1)) & 0x5555555555555555U;
}

/// Moves bit i to bit 3 i, for 21 bits.
std::uint64_t spread_by_3(std::uint64_t bits) noexcept {
    bits = (bits | (bits << 32)) & 0x001F00000000FFFFU;
    bits = (bits | (bits << 16)) & 0x001F0000FF0000FFU;
    bits = (bits | (bits << 8)) & 0x100F00F00F00F00FU;
    bits = (bits | (bits << 4)) & 0x10C30C30C30C30C3U;
    return (bits | (bits << 2)) & 0x1249249249249249U;
}

} // namespace

template <std::size_t D>
requires(D == 2 || D == 3) global_id morton_key(std::array<std::uint32_t, D> const& cell)
noexcept {
    std::uint64_t key = 0;
    for (std::size_t axis = 0; axis < D; ++axis)
        key |= (D == 2 ? spread_by_2(cell[axis]) : spread_by_3(cell[axis])) << (D - 1 - axis);
    return static_cast<global_id>(key);
}

// The curve enters each subcube rotated and reflected. This is undone from the largest subcube to the
// smallest, so that one curve remains for all. Its corners follow a Gray code, which is then decoded.
template <std::size_t D>
requires(D == 2 || D == 3) global_id hilbert_key(std::array<std::uint32_t, D> cell, int bits)
noexcept {
    for (std::uint32_t bit = std::uint32_t{1} << (bits - 1); bit > 1; bit >>= 1) {
        std::uint32_t const below = bit - 1;
        for (std::size_t axis = 0; axis < D; ++axis) {
            if ((cell[axis] & bit) != 0) {
                cell[0] ^= below; // reflected
            } else {
                std::uint32_t const turned = (cell[0] ^ cell[axis]) & below;
                cell[0] ^= turned;
                cell[axis] ^= turned;
            }
        }
    }
    for (std::size_t axis = 1; axis < D; ++axis) cell[axis] ^= cell[axis - 1];
    std::uint32_t flips = 0;
    for (std::uint32_t bit = std::uint32_t{1} << (bits - 1); bit > 1; bit >>= 1)
        if ((cell[D - 1] & bit) != 0) flips ^= bit - 1;
    for (std::uint32_t& coordinate : cell) coordinate ^= flips;
    return morton_key<D>(cell);
}

template <std::size_t D>
requires(D == 2 || D == 3) curve_grid<D>::curve_grid(point const& lower, point const& upper)
noexcept : lower_(lower) {
    auto const longest_side = [&] {
        double side = 0;
        for (std::size_t axis = 0; axis < D; ++axis)
            side = std::max(side, upper[axis] * shrunk_ - lower[axis] * shrunk_);
        return side;
    };
    double const cells = std::ldexp(1.0, curve_bits<D>);
    if (!std::isfinite(longest_side())) shrunk_ = 0.25;
    double const side = longest_side();
    if (side > 0 && !std::isfinite(cells / side)) grown_ = 0x1p100;
    cells_a_unit_ = side > 0 ? cells / (side * grown_) : 0;
}

template <std::size_t D>
requires(D == 2 || D == 3) std::array<std::uint32_t, D> curve_grid<D>::cell(point const& at)
const noexcept {
    double const last = std::ldexp(1.0, curve_bits<D>) - 1;
    std::array<std::uint32_t, D> found{};
    if (!(cells_a_unit_ > 0)) return found; // without extent
    for (std::size_t axis = 0; axis < D; ++axis)
        found[axis] = static_cast<std::uint32_t>(
            std::clamp((at[axis] * shrunk_ - lower_[axis] * shrunk_) * grown_ * cells_a_unit_, 0.0, last));
    return found;
}

template global_id morton_key<2>(std::array<std::uint32_t, 2> const&) noexcept;
template global_id morton_key<3>(std::array<std::uint32_t, 3> const&) noexcept;
template global_id hilbert_key<2>(std::array<std::uint32_t, 2>, int) noexcept;
template global_id hilbert_key<3>(std::array<std::uint32_t, 3>, int) noexcept;
template class curve_grid<2>;
template class curve_grid<3>;

} // namespace weft
