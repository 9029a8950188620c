/// An array over the cells of a block and its ghosts.
#pragma once

#include <weft/blocks/box.hpp>
#include <weft/blocks/regular_grid.hpp>
#include <weft/core/error.hpp>
#include <weft/core/ids.hpp>
#include <weft/wire/wire.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace weft {

namespace detail {
/// The number of cells of a box; throws `usage_error` for a box that is not within `around`.
[[nodiscard]] std::size_t cells_of_block(box<std::int64_t> const& core, box<std::int64_t> const& around);
[[noreturn]] void throw_outside_block(coordinates<std::int64_t> const& cell, box<std::int64_t> const& around);
} // namespace detail

/// A value for each cell of a block and of the ghosts around it, indexed by the coordinates of the whole
/// grid: `heat(x, y)`. Values that are neighbours along x are adjacent in memory. `fill_ghosts` fetches the
/// ghosts from the blocks that own them. The array belongs to its block: Weft moves, writes out of core and
/// saves the array together with the block. T is any type that can be sent (`wire_type`) except bool, because
/// a std::vector<bool> gives no references to its values. All calls are local.
template <wire_type T>
requires(!std::same_as<T, bool>) class block_array {
public:
    using value_type = T; ///< The type of a value.

    /// Makes an array without cells.
    block_array() = default;
    /// Makes the array of a block of a grid, with its ghosts. All values are equal to `value`. Throws:
    /// `usage_error` for a block that does not exist.
    block_array(regular_grid<std::int64_t> const& grid, block_id block, T const& value = T{})
        : block_array(grid.bounds(block), grid.bounds_with_ghosts(block), value) {}
    /// Makes an array of the cells in `around`. The cells in `core` are the block's own cells, the other
    /// cells are its ghosts. Throws: `usage_error` if `core` reaches beyond `around`, or the end of a box
    /// lies below its start.
    block_array(box<std::int64_t> const& core, box<std::int64_t> const& around, T const& value = T{})
        : core_(core), around_(around), values_(detail::cells_of_block(core, around), value) {
        find_strides();
    }

    /// Returns the cells that are the block's own.
    [[nodiscard]] box<std::int64_t> const& core() const noexcept { return core_; }
    /// Returns the cells of the array: the block's own and its ghosts.
    [[nodiscard]] box<std::int64_t> const& bounds() const noexcept { return around_; }
    /// Returns the number of cells, ghosts included.
    [[nodiscard]] std::size_t size() const noexcept { return values_.size(); }
    /// Returns all values, the first dimension running fastest.
    [[nodiscard]] std::span<T> values() noexcept { return values_; }
    /// Returns all values for reading.
    [[nodiscard]] std::span<T const> values() const noexcept { return values_; }

    /// Returns the value of a cell, given a coordinate for each dimension. The cell must lie in `bounds()`,
    /// which is not checked.
    template <std::convertible_to<std::int64_t>... Coordinate>
    requires(sizeof...(Coordinate) >= 1 && sizeof...(Coordinate) <= max_dimensions) [[nodiscard]] T&
    operator()(Coordinate... at) noexcept {
        return values_[index_of(at...)];
    }
    /// Returns the value of a cell for reading.
    template <std::convertible_to<std::int64_t>... Coordinate>
    requires(sizeof...(Coordinate) >= 1 && sizeof...(Coordinate) <= max_dimensions) [[nodiscard]] T const&
    operator()(Coordinate... at) const noexcept {
        return values_[index_of(at...)];
    }
    /// Returns the value of a cell. Throws: `usage_error` for a cell outside `bounds()`.
    [[nodiscard]] T& at(coordinates<std::int64_t> const& cell) { return values_[checked_index(cell)]; }
    /// Returns the value of a cell for reading. Throws: as `at`.
    [[nodiscard]] T const& at(coordinates<std::int64_t> const& cell) const {
        return values_[checked_index(cell)];
    }

    /// Calls `body(row)` for each row along x of the cells in `part`, which must lie in `bounds()`. A row is
    /// a `std::span<T>` of values. From call to call, the second dimension varies fastest.
    template <std::invocable<std::span<T>> F>
    void for_rows(box<std::int64_t> const& part, F&& body) {
        each_row(part, [&](std::size_t first, std::size_t length) {
            body(std::span<T>(values_).subspan(first, length));
        });
    }
    /// Calls `body(row)` with rows that can only be read.
    template <std::invocable<std::span<T const>> F>
    void for_rows(box<std::int64_t> const& part, F&& body) const {
        each_row(part, [&](std::size_t first, std::size_t length) {
            body(std::span<T const>(values_).subspan(first, length));
        });
    }

    friend bool operator==(block_array const& a, block_array const& b) requires std::equality_comparable<T> {
        return a.core_ == b.core_ && a.around_ == b.around_ && a.values_ == b.values_;
    }

    /// Passes the array to an archive: Weft calls this hook to send and to save the array.
    static void wire(auto& archive, auto& self) {
        archive(self.core_, self.around_, self.values_);
        if constexpr (!std::is_const_v<std::remove_reference_t<decltype(self)>>) self.take_received();
    }

private:
    template <class... Coordinate>
    [[nodiscard]] std::size_t index_of(Coordinate... at) const noexcept {
        std::int64_t index = 0;
        std::size_t d = 0;
        ((index += strides_[d] * (static_cast<std::int64_t>(at) - around_.lo[d]), ++d), ...);
        return static_cast<std::size_t>(index);
    }
    [[nodiscard]] std::size_t checked_index(coordinates<std::int64_t> const& cell) const {
        if (!contains(around_, cell)) detail::throw_outside_block(cell, around_);
        return index_of(cell[0], cell[1], cell[2], cell[3]);
    }
    template <class F>
    void each_row(box<std::int64_t> const& part, F&& body) const {
        for (std::size_t d = 0; d < static_cast<std::size_t>(around_.dimensions); ++d)
            if (part.lo[d] >= part.hi[d]) return;
        coordinates<std::int64_t> at = part.lo;
        while (around_.dimensions > 0) {
            body(index_of(at[0], at[1], at[2], at[3]), static_cast<std::size_t>(part.hi[0] - part.lo[0]));
            std::size_t d = 1;
            for (; d < static_cast<std::size_t>(around_.dimensions); ++d) {
                if (++at[d] < part.hi[d]) break;
                at[d] = part.lo[d];
            }
            if (d >= static_cast<std::size_t>(around_.dimensions)) return;
        }
    }
    void find_strides() noexcept {
        std::int64_t stride = 1;
        for (std::size_t d = 0; d < static_cast<std::size_t>(around_.dimensions); ++d) {
            strides_[d] = stride;
            stride *= around_.hi[d] - around_.lo[d];
        }
    }
    void take_received() {
        bool right = values_.empty() && around_ == box<std::int64_t>{};
        try {
            right = right || detail::cells_of_block(core_, around_) == values_.size();
        } catch (usage_error const&) { right = false; }
        if (!right) throw wire_error("a block_array has another number of values than cells");
        find_strides();
    }

    box<std::int64_t> core_;
    box<std::int64_t> around_;
    coordinates<std::int64_t> strides_{}; // of dimensions in use; 0 beyond them
    std::vector<T> values_;
};

} // namespace weft
