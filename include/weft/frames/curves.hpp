/// Keys of points along space-filling curves: points with similar keys are near each other.
#pragma once

#include <weft/core/ids.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace weft {

/// The number of bits of a coordinate. A key of 2 coordinates takes 62 bits, a key of 3 coordinates 60 bits,
/// so any key can be a global id.
template <std::size_t D>
inline constexpr int curve_bits = D == 2 ? 31 : 20;

/// Returns the place of a cell along Morton's curve. The place interleaves the bits of the coordinates,
/// beginning with the first coordinate. Local. A coordinate has at most 31 bits in 2 dimensions, 21 bits in
/// 3.
template <std::size_t D>
requires(D == 2 || D == 3) [[nodiscard]] global_id
    morton_key(std::array<std::uint32_t, D> const& cell) noexcept;

/// Returns the place of a cell along Hilbert's curve through a grid of 2^bits cells per side; consecutive
/// cells of the curve are neighbours in space. All else is the same as for `morton_key`. Source: Skilling,
/// AIP Conf. Proc. 707 (2004).
template <std::size_t D>
requires(D == 2 || D == 3) [[nodiscard]] global_id
    hilbert_key(std::array<std::uint32_t, D> cell, int bits = curve_bits<D>) noexcept;

/// A cube (in 2 dimensions, a square) that is cut into 2^curve_bits cells per side.
template <std::size_t D>
requires(D == 2 || D == 3) class curve_grid {
public:
    using point = std::array<double, D>; ///< Coordinates.

    /// Makes the smallest cube that begins at `lower` and contains `upper`.
    curve_grid(point const& lower, point const& upper) noexcept;

    /// Returns the cell of a point; for a point outside of the cube, the nearest cell.
    [[nodiscard]] std::array<std::uint32_t, D> cell(point const& at) const noexcept;
    /// Returns the place of a point along the Morton curve.
    [[nodiscard]] global_id morton(point const& at) const noexcept { return morton_key<D>(cell(at)); }
    /// Returns the place of a point along the Hilbert curve.
    [[nodiscard]] global_id hilbert(point const& at) const noexcept { return hilbert_key<D>(cell(at)); }

private:
    point lower_;
    double cells_a_unit_; // of lengths that are multiplied by both of the following
    double shrunk_ = 1;   // less where a side would be infinite
    double grown_ = 1;    // more where a side is so short that the cells in it would be
};

} // namespace weft
