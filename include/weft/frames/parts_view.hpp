/// A view of the values of a rank's parts in the caller's memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft {

/// A view of one array for each part of this rank, for instance of ids, weights or values. A rank may have
/// any number of parts. The arrays must outlive the view. Items are counted through all parts: item i of part
/// p is item `offset(p) + i`.
template <class T>
class parts_view {
public:
    /// Makes a view without parts.
    parts_view() = default;
    /// Makes a view of one part.
    parts_view(std::span<T const> part) { add(part); }
    /// Makes a view of one part that is stored in a vector.
    parts_view(std::vector<T> const& part) { add(part); }
    /// Makes a view of several parts, in order.
    parts_view(std::span<std::span<T const> const> parts) {
        for (std::span<T const> const part : parts) add(part);
    }
    /// Makes a view of several vectors, in order.
    parts_view(std::vector<std::vector<T>> const& parts) {
        for (std::vector<T> const& part : parts) add(part);
    }

    /// Appends a part, which must outlive the view.
    void add(std::span<T const> part) {
        parts_.push_back(part);
        offsets_.push_back(offsets_.back() + part.size());
    }

    /// Returns the number of parts.
    [[nodiscard]] std::size_t parts() const noexcept { return parts_.size(); }
    /// Returns the items of a part.
    [[nodiscard]] std::span<T const> operator[](std::size_t part) const noexcept { return parts_[part]; }
    /// Returns the number of items in all parts.
    [[nodiscard]] std::size_t items() const noexcept { return offsets_.back(); }
    /// Returns the number of items in all parts before `part`.
    [[nodiscard]] std::size_t offset(std::size_t part) const noexcept { return offsets_[part]; }
    /// Returns the offsets of all parts; the last entry is the number of items.
    [[nodiscard]] std::span<std::size_t const> offsets() const noexcept { return offsets_; }

private:
    std::vector<std::span<T const>> parts_;
    std::vector<std::size_t> offsets_{0};
};

} // namespace weft
