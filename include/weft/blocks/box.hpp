/// Boxes of one to four dimensions.
#pragma once

#include <array>
#include <cstddef>

namespace weft {

inline constexpr int max_dimensions = 4;

/// A point, or a place in a grid; the dimensions beyond those in use are zero.
template <class T>
using coordinates = std::array<T, max_dimensions>;

/// The points p with lo[d] <= p[d] < hi[d] in every dimension: for integers hi is the first cell behind the
/// box. Where a box of real numbers includes its upper end, its source says so.
template <class T>
struct box {
    int dimensions = 0;
    coordinates<T> lo{};
    coordinates<T> hi{};

    friend constexpr bool operator==(box const&, box const&) = default;
};

/// Whether a point lies in a box, without its upper end. Local, O(1).
template <class T>
[[nodiscard]] constexpr bool contains(box<T> const& where, coordinates<T> const& point) noexcept {
    for (std::size_t d = 0; d < static_cast<std::size_t>(where.dimensions); ++d)
        if (!(where.lo[d] <= point[d] && point[d] < where.hi[d])) return false;
    return true;
}

/// Whether two boxes with their ends have a point in common, be it a corner. Local, O(1).
template <class T>
[[nodiscard]] constexpr bool touch(box<T> const& a, box<T> const& b) noexcept {
    for (std::size_t d = 0; d < static_cast<std::size_t>(a.dimensions); ++d)
        if (!(a.lo[d] <= b.hi[d] && b.lo[d] <= a.hi[d])) return false;
    return true;
}

} // namespace weft
