/// A view of the values of a rank's parts in the caller's memory.
#pragma once

#include <weft/extend/protocol/alone.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
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
    parts_view(std::span<std::span<T const> const> parts) { add_all(parts); }
    /// Makes a view of several vectors, in order.
    parts_view(std::vector<std::vector<T>> const& parts) { add_all(parts); }

    /// Appends a part, which must outlive the view.
    void add(std::span<T const> part) {
        std::size_t const end = items() + part.size();
        if (count_ == 0) {
            only_ = part;
            ends_of_only_[1] = end;
        } else {
            if (count_ == 1) {
                parts_.assign(1, only_);
                offsets_.assign(ends_of_only_.begin(), ends_of_only_.end());
            }
            parts_.resize(count_); // an earlier call may have ended half way
            parts_.push_back(part);
            offsets_.push_back(end);
        }
        ++count_;
    }

    /// Returns the number of parts.
    [[nodiscard]] std::size_t parts() const noexcept { return count_; }
    /// Returns the items of a part.
    [[nodiscard]] std::span<T const> operator[](std::size_t part) const noexcept {
        return count_ == 1 ? only_ : parts_[part];
    }
    /// Returns the number of items in all parts.
    [[nodiscard]] std::size_t items() const noexcept { return offsets().back(); }
    /// Returns the number of items in all parts before `part`.
    [[nodiscard]] std::size_t offset(std::size_t part) const noexcept { return offsets()[part]; }
    /// Returns the offsets of all parts; the last entry is the number of items.
    [[nodiscard]] std::span<std::size_t const> offsets() const noexcept {
        if (count_ > 1) return offsets_;
        return std::span(ends_of_only_).first(count_ + 1);
    }

private:
    template <class Parts>
    void add_all(Parts const& parts) try {
        for (auto const& part : parts) add(part);
    } catch (std::bad_alloc const&) { // usually on the way into a call in which the others wait
        alone_unless_agreed("parts_view");
        throw;
    }

    std::size_t count_ = 0;
    std::span<T const> only_; // a view of one part needs no memory
    std::array<std::size_t, 2> ends_of_only_{};
    std::vector<std::span<T const>> parts_; // if there are several
    std::vector<std::size_t> offsets_;
};

} // namespace weft
