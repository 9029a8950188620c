#include <weft/blocks/regular_grid.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace weft::detail {

namespace {

__extension__ using wide_cells = __int128; // for products of a number of cells and a number of blocks

/// Returns the number of cells from the first cut to the last.
std::int64_t cells_cut(grid_axis<std::int64_t> const& axis) noexcept {
    return axis.hi - axis.lo - (axis.share_face ? 1 : 0);
}

/// Returns the largest i with floor(cells i / blocks) <= offset, for an offset in 0..cells-1.
std::int64_t block_with_cell(std::int64_t offset, std::int64_t cells, std::int64_t blocks) noexcept {
    if (cells < INT64_MAX / blocks) return ((offset + 1) * blocks - 1) / cells;
    return static_cast<std::int64_t>((static_cast<wide_cells>(offset + 1) * blocks - 1) / cells);
}

} // namespace

template <class T>
T grid_axis<T>::cut(std::int64_t i) const noexcept {
    if (i == 0) return lo;
    if constexpr (std::is_integral_v<T>) {
        std::int64_t const cells = cells_cut(*this);
        return lo + cells / blocks * i + cells % blocks * i / blocks; // avoids products beyond 64 bits
    } else {
        if (i == blocks) return hi;
        return lo + (hi - lo) * static_cast<T>(i) / static_cast<T>(blocks);
    }
}

template <class T>
T grid_axis<T>::upper(std::int64_t i) const noexcept {
    return share_face ? cut(i + 1) + 1 : cut(i + 1);
}

template <class T>
T grid_axis<T>::ghost_lower(std::int64_t i) const noexcept {
    T const end = cut(i) - ghosts;
    return wrap ? end : std::max(end, lo);
}

template <class T>
T grid_axis<T>::ghost_upper(std::int64_t i) const noexcept {
    T const end = upper(i) + ghosts;
    return wrap ? end : std::min(end, hi);
}

template <class T>
std::optional<T> grid_axis<T>::inside(T x) const noexcept {
    if (lo <= x && x < hi) return x;
    if constexpr (std::is_integral_v<T>) {
        if (!wrap) return std::nullopt;
        std::int64_t const period = hi - lo;
        std::int64_t const offset = (x % period - lo % period) % period; // x - lo could overflow
        return lo + offset + (offset < 0 ? period : 0);
    } else {
        if (!wrap) return x == hi ? std::optional(x) : std::nullopt;
        T const period = hi - lo;
        T offset = std::fmod(x - lo, period);
        if (std::isnan(offset)) return std::nullopt;
        if (offset < 0) offset += period;
        T const image = lo + offset;
        return image < hi ? image : lo; // rounding to the upper end gives the lower end
    }
}

template <class T>
std::int64_t grid_axis<T>::owner(T x) const noexcept {
    if constexpr (std::is_integral_v<T>) {
        std::int64_t const cells = cells_cut(*this);
        return x - lo < cells ? block_with_cell(x - lo, cells, blocks) : blocks - 1;
    } else {
        if (!(x < hi)) return blocks - 1;
        // The guess is off by at most two, since a block is wider than a few rounding errors; the cuts
        // decide.
        auto const guess = static_cast<std::int64_t>((x - lo) / (hi - lo) * static_cast<T>(blocks));
        std::int64_t i = std::clamp(guess, std::int64_t{0}, blocks - 1);
        while (x < cut(i)) --i;
        while (x >= cut(i + 1)) ++i;
        return i;
    }
}

template <class T>
bool grid_axis<T>::below_ghost_upper(T x, std::int64_t i) const noexcept {
    T const end = ghost_upper(i);
    if constexpr (!std::is_integral_v<T>)
        if (!wrap && end == hi) return x <= hi;
    return x < end;
}

template <class T>
auto grid_axis<T>::reached_by(T x) const noexcept -> range {
    T const last_inside = std::is_integral_v<T> ? hi - 1 : hi;
    range found;
    found.first = owner(std::clamp(x - ghosts, lo, last_inside));
    while (found.first > 0 && below_ghost_upper(x, found.first - 1)) --found.first;
    while (found.first < blocks && !below_ghost_upper(x, found.first)) ++found.first;
    found.last = owner(std::clamp(x + ghosts, lo, last_inside));
    while (found.last + 1 < blocks && ghost_lower(found.last + 1) <= x) ++found.last;
    while (found.last >= 0 && ghost_lower(found.last) > x) --found.last;
    return found;
}

template struct grid_axis<std::int64_t>;
template struct grid_axis<double>;

} // namespace weft::detail
