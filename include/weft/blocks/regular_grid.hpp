/// A domain cut into a regular grid of blocks.
#pragma once

#include <weft/blocks/box.hpp>
#include <weft/blocks/link.hpp>
#include <weft/core/ids.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

namespace weft {

/// A value for every dimension, made from one value for all dimensions or from a list.
template <class T>
struct per_dimension {
    /// Takes one value for all dimensions.
    constexpr per_dimension(T all) noexcept { values.fill(all); }
    /// Takes a value for each dimension, x first.
    constexpr per_dimension(std::initializer_list<T> each) noexcept : given(static_cast<int>(each.size())) {
        std::size_t d = 0;
        for (T const& value : each)
            if (d < values.size()) values[d++] = value;
    }

    coordinates<T> values{}; ///< The value of each dimension.
    int given = 0;           ///< The length of the list; 0 if one value is for all dimensions.
};

/// Options of a grid. T is `std::int64_t` for a grid of cells, `double` for a grid of space.
template <class T>
struct grid_options {
    /// The number of blocks along each dimension. By default, and for 0, Weft chooses the numbers for which a
    /// block has the least surface.
    per_dimension<std::int64_t> divisions = 0;
    /// The distance by which the ghosts of a block reach beyond its core: a number of layers of cells, or a
    /// length in space.
    per_dimension<T> ghosts = T{0};
    /// True if a dimension is periodic: its upper end is joined to its lower end.
    per_dimension<bool> wrap = false;
    /// True if neighbouring blocks share the layer of cells between them; only for grids of cells that are
    /// not periodic.
    per_dimension<bool> share_face = false;
};

/// A neighbour of a block, and the direction in which it lies.
struct grid_neighbor {
    block_id block{};                                    ///< The neighbour.
    std::array<std::int8_t, max_dimensions> direction{}; ///< The step in each dimension: -1, 0 or 1.
    /// For each dimension -1 if the step leaves the periodic domain at its lower end and enters at the upper
    /// end, 1 if the step leaves at the upper end, otherwise 0.
    std::array<std::int8_t, max_dimensions> wrap{};

    friend bool operator==(grid_neighbor const&, grid_neighbor const&) = default;
};

namespace detail {
/// The cuts along one dimension. Block i owns the coordinates from cut i up to, not including, cut i + 1.
template <class T>
struct grid_axis {
    struct range {
        std::int64_t first = 0;
        std::int64_t last = -1; ///< included
    };

    T lo{};
    T hi{};
    std::int64_t blocks = 1;
    T ghosts{};
    bool wrap = false;
    bool share_face = false;

    [[nodiscard]] T cut(std::int64_t i) const noexcept;
    [[nodiscard]] T upper(std::int64_t i) const noexcept; ///< where the core of block i ends
    [[nodiscard]] T ghost_lower(std::int64_t i) const noexcept;
    [[nodiscard]] T ghost_upper(std::int64_t i) const noexcept;
    /// The coordinate within the domain, wrapped if needed; nullopt if it lies outside.
    [[nodiscard]] std::optional<T> inside(T x) const noexcept;
    /// The block that owns a coordinate of the domain.
    [[nodiscard]] std::int64_t owner(T x) const noexcept;
    /// The blocks whose bounds with ghosts contain a coordinate; `x` may be an image outside the domain.
    [[nodiscard]] range reached_by(T x) const noexcept;

private:
    [[nodiscard]] bool below_ghost_upper(T x, std::int64_t i) const noexcept;
};
} // namespace detail

/// A domain of 1 to 4 dimensions in a regular grid of blocks, numbered with the first dimension running
/// fastest. There are two kinds of grids. In a grid of cells (T is `std::int64_t`) the domain is lo <= c <
/// hi. In a grid of space (T is `double`) the domain is lo <= x <= hi, or lo <= x < hi in a periodic
/// dimension. Along a dimension the sizes of blocks differ by at most one cell.
///
/// A grid has no table of blocks, so it takes O(1) memory. Every point of the domain is in the core of
/// exactly one block, as `bounds` returns the core; a layer that two blocks share belongs to the upper block.
/// All queries are local. Queries about a block that does not exist throw `usage_error`.
template <class T>
class regular_grid {
public:
    /// Cuts the domain into `blocks` blocks, 1 to 2^40. The numbers of blocks along the dimensions have the
    /// product `blocks`, agree with `options.divisions` and give each block a cell. Of several possible
    /// divisions, the constructor chooses the division for which a block has the least surface; in a tie, the
    /// division with more blocks along the lower dimensions. Local. Cost: in practice microseconds,
    /// O(sqrt(blocks)) if `blocks` is a prime. Throws: `usage_error` for an invalid domain, if the domain
    /// cannot be cut into `blocks` blocks, and for options that contradict each other.
    regular_grid(box<T> const& domain, std::int64_t blocks, grid_options<T> const& options = {});
    /// Cuts the domain into `divisions` blocks along each dimension. Local, O(1). Throws: `usage_error` for
    /// an invalid domain and for invalid divisions or options.
    regular_grid(box<T> const& domain, per_dimension<std::int64_t> divisions, grid_options<T> options = {});

    /// Returns the number of dimensions, 1 to 4.
    [[nodiscard]] int dimensions() const noexcept { return domain_.dimensions; }
    /// Returns the box that the grid cuts.
    [[nodiscard]] box<T> const& domain() const noexcept { return domain_; }
    /// Returns the number of blocks.
    [[nodiscard]] std::int64_t blocks() const noexcept { return blocks_; }
    /// Returns the number of blocks along every dimension; 1 for dimensions that are not in use.
    [[nodiscard]] coordinates<std::int64_t> divisions() const noexcept;

    /// Returns the place of a block in the grid. O(1).
    [[nodiscard]] coordinates<std::int64_t> coordinates_of(block_id block) const;
    /// Returns the block at a place in the grid. O(1). Throws: `usage_error` for a place outside of the grid.
    [[nodiscard]] block_id block_at(coordinates<std::int64_t> const& place) const;

    /// Returns the core of a block, including layers of cells that it shares with neighbours. O(1).
    [[nodiscard]] box<T> bounds(block_id block) const;
    /// Returns the core of a block together with the ghosts around the core. The result reaches beyond the
    /// domain only in periodic dimensions. O(1).
    [[nodiscard]] box<T> bounds_with_ghosts(block_id block) const;

    /// Returns the blocks in the 3^d - 1 directions around a block, ordered by direction, with the step in
    /// the first dimension varying fastest, from -1 to 1. In a periodic domain the list may contain the same
    /// block several times, and also `block` itself. O(3^d).
    [[nodiscard]] std::vector<grid_neighbor> neighbors(block_id block) const;
    /// Returns the ids of the neighbours of a block, which are all blocks whose cores touch the core of the
    /// block. Ghosts that are wider than a block reach beyond the neighbours. O(3^d).
    [[nodiscard]] link link_of(block_id block) const;

    /// Returns the block whose core contains a point; nullopt for a point outside the domain, or NaN. O(1).
    [[nodiscard]] std::optional<block_id> block_of(coordinates<T> const& point) const noexcept;
    /// Returns the blocks whose bounds with ghosts contain a point of the domain or one of its periodic
    /// images, ascending, each once; an empty list for a point outside of the domain. The bounds do not
    /// contain their upper ends, except (T is `double`) an upper end of the domain in a dimension that is not
    /// periodic. O(1) per result.
    [[nodiscard]] std::vector<block_id> blocks_with_ghosts(coordinates<T> const& point) const;
    /// Writes the blocks whose bounds with ghosts contain a point to `found`, a vector of the caller.
    void blocks_with_ghosts(coordinates<T> const& point, std::vector<block_id>& found) const;

private:
    void check_and_set_axes(box<T> const& domain, grid_options<T> const& options);
    void set_divisions(std::int64_t blocks, grid_options<T> const& options);

    box<T> domain_;
    std::int64_t blocks_ = 1;
    std::array<detail::grid_axis<T>, max_dimensions> axes_; // by dimension, those not in use with one block
};

} // namespace weft
