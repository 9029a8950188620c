/// Lists of values, one for each item, of any lengths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace weft {

/// Lists laid end to end, where the caller has them: list i has the values of [offsets[i], offsets[i + 1]).
/// There is one offset more than lists; an empty `offsets` means 0 lists.
template <class T>
struct ragged_view {
    std::span<std::int64_t const> offsets; ///< Where each list begins among the values, and their number.
    std::span<T const> values;             ///< The values of all lists, end to end.
};

/// Lists laid end to end, which own their memory.
template <class T>
struct ragged {
    std::vector<std::int64_t> offsets{0}; ///< Where each list begins in `values`, and their number.
    std::vector<T> values;                ///< The values of all lists, end to end.

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
    /// Returns a view of all lists, valid as long as the object.
    operator ragged_view<T>() const noexcept { return {offsets, values}; }
    friend bool operator==(ragged const&, ragged const&) = default;
};

/// Returns the offsets of lists of these lengths. Local.
[[nodiscard]] inline std::vector<std::int64_t> offsets_of(std::span<std::int64_t const> lengths) {
    std::vector<std::int64_t> offsets(lengths.size() + 1);
    std::partial_sum(lengths.begin(), lengths.end(), offsets.begin() + 1);
    return offsets;
}

} // namespace weft
