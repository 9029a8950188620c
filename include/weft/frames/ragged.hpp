/// Lists of values, of any lengths, one list for each item.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace weft {

/// A view of lists that are stored one after the other: list i has the values of [offsets[i], offsets[i +
/// 1]). There is one offset more than there are lists; if `offsets` is empty there are no lists.
template <class T>
struct ragged_view {
    /// The index at which each list begins in `values`, and at the end the number of all values.
    std::span<std::int64_t const> offsets;
    std::span<T const> values; ///< The values of all lists, one list after the other.
};

/// Lists that are stored one after the other, in memory of their own.
template <class T>
struct ragged {
    /// The index at which each list begins in `values`, and at the end the number of all values.
    std::vector<std::int64_t> offsets{0};
    std::vector<T> values; ///< The values of all lists, one list after the other.

    /// Returns the number of lists.
    [[nodiscard]] std::size_t size() const noexcept { return offsets.size() - 1; }
    /// Returns the number of values of a list.
    [[nodiscard]] std::int64_t length(std::size_t list) const noexcept {
        return offsets[list + 1] - offsets[list];
    }
    /// Returns the values of a list.
    [[nodiscard]] std::span<T const> operator[](std::size_t list) const noexcept {
        return std::span<T const>(values).subspan(
            static_cast<std::size_t>(offsets[list]), static_cast<std::size_t>(length(list)));
    }
    /// Returns a view of all lists, valid as long as this object exists.
    operator ragged_view<T>() const noexcept { return {offsets, values}; }
    friend bool operator==(ragged const&, ragged const&) = default;
};

/// Returns the offsets of lists of the given lengths: n + 1 offsets for n lists, from 0 to the number of all
/// values. Local.
[[nodiscard]] inline std::vector<std::int64_t> offsets_of(std::span<std::int64_t const> lengths) {
    std::vector<std::int64_t> offsets(lengths.size() + 1);
    std::partial_sum(lengths.begin(), lengths.end(), offsets.begin() + 1);
    return offsets;
}

} // namespace weft
