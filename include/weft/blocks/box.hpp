/// Boxes of one to four dimensions.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace weft {

inline constexpr int max_dimensions = 4; ///< The most dimensions that a box may have.

/// The coordinates of a point in space, or of a cell in a grid. The coordinates of dimensions that are not in
/// use are zero.
template <class T>
using coordinates = std::array<T, max_dimensions>;

/// The points p with lo[d] <= p[d] < hi[d] in every dimension: in a box of cells, hi[d] is one more than the
/// coordinate of the last cell. Functions that include the upper end of a box of real numbers say so.
template <class T>
struct box {
    int dimensions = 0;  ///< The number of dimensions in use.
    coordinates<T> lo{}; ///< Lower corner.
    coordinates<T> hi{}; ///< Upper corner, which is not part of the box.

    friend constexpr bool operator==(box const&, box const&) = default;
};

/// Returns the box of the cells 0 to n - 1 in each dimension, with a number n for each dimension:
/// `cell_box(96, 64, 64)`. Local, O(1).
template <std::integral... Count>
requires(sizeof...(Count) >= 1 && sizeof...(Count) <= max_dimensions)
    [[nodiscard]] constexpr box<std::int64_t> cell_box(Count... along) noexcept {
    return {sizeof...(Count), {}, {static_cast<std::int64_t>(along)...}};
}

/// Returns the box of space between two corners: `space_box({-1, -1}, {1, 1})`. Local, O(1).
template <std::size_t Dimensions>
requires(Dimensions <= max_dimensions) [[nodiscard]] constexpr box<double> space_box(
    double const (&lo)[Dimensions], double const (&hi)[Dimensions]) noexcept {
    box<double> made{static_cast<int>(Dimensions), {}, {}};
    for (std::size_t d = 0; d < Dimensions; ++d) {
        made.lo[d] = lo[d];
        made.hi[d] = hi[d];
    }
    return made;
}

/// Returns the box of space from 0 to 1 along each of 1 to 4 dimensions. Local, O(1).
[[nodiscard]] constexpr box<double> unit_box(int dimensions) noexcept {
    box<double> made{dimensions, {}, {}};
    for (std::size_t d = 0; d < made.hi.size() && static_cast<int>(d) < dimensions; ++d) made.hi[d] = 1;
    return made;
}

/// Returns true if a point lies in a box. The upper end is not part of the box. Local, O(1).
template <class T>
[[nodiscard]] constexpr bool contains(box<T> const& where, coordinates<T> const& point) noexcept {
    for (std::size_t d = 0; d < static_cast<std::size_t>(where.dimensions); ++d)
        if (!(where.lo[d] <= point[d] && point[d] < where.hi[d])) return false;
    return true;
}

/// Returns the intersection of two boxes, such as the ghosts of one block in the core of another. The result
/// is empty if hi[d] <= lo[d] in a dimension. Local, O(1).
template <class T>
[[nodiscard]] constexpr box<T> intersection(box<T> const& a, box<T> const& b) noexcept {
    box<T> both = a;
    for (std::size_t d = 0; d < static_cast<std::size_t>(a.dimensions); ++d) {
        both.lo[d] = std::max(a.lo[d], b.lo[d]);
        both.hi[d] = std::min(a.hi[d], b.hi[d]);
    }
    return both;
}

/// Returns true if two boxes, upper ends included, share at least one point, for example a corner. Local,
/// O(1).
template <class T>
[[nodiscard]] constexpr bool touch(box<T> const& a, box<T> const& b) noexcept {
    for (std::size_t d = 0; d < static_cast<std::size_t>(a.dimensions); ++d)
        if (!(a.lo[d] <= b.hi[d] && b.lo[d] <= a.hi[d])) return false;
    return true;
}

} // namespace weft
