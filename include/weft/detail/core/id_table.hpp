/// A hash table that numbers ids consecutively; all modules use it.
#pragma once

#include <weft/detail/core/hash.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace weft::detail {

/// Gives every distinct id a number, 0, 1, 2, ... in the order of first occurrence; there may be as many as
/// `Number` has values, less one. A hash table of numbers with linear probing, at most half full: it is small
/// enough for the cache, and the ids are in an array. O(1) for each call; at most 16 bytes for each id,
/// besides the id, if `Number` has 32 bits. Ids that differ only in their last `near` bits get adjacent
/// slots: this is faster if such ids are used in succession, and slower if ids are multiples of 2^near.
template <class Number = std::uint32_t, int near = 0>
class id_table {
public:
    /// The result for an unknown id.
    static constexpr auto none = static_cast<Number>(-1);

    id_table() = default;
    /// Makes a table that `expected` ids fill without growing it.
    explicit id_table(std::size_t expected) {
        ids_.reserve(expected);
        resize(std::bit_ceil(2 * expected + smallest));
    }

    /// Returns the number of an id; a new id gets the number `size()`.
    Number number_of(std::int64_t id) {
        if (2 * ids_.size() >= slots_.size()) resize(slots_.empty() ? smallest : 2 * slots_.size());
        Number& slot = slots_[slot_of(id)];
        if (slot == 0) {
            ids_.push_back(id);
            slot = static_cast<Number>(ids_.size());
        }
        return static_cast<Number>(slot - 1);
    }
    /// Returns the number of an id; `none` if it has not occurred.
    [[nodiscard]] Number find(std::int64_t id) const noexcept {
        return slots_.empty() ? none : static_cast<Number>(slots_[slot_of(id)] - 1);
    }

    [[nodiscard]] std::int64_t operator[](Number number) const noexcept {
        return ids_[static_cast<std::size_t>(number)];
    }
    [[nodiscard]] std::size_t size() const noexcept { return ids_.size(); }
    /// Returns the ids, by number.
    [[nodiscard]] std::vector<std::int64_t> const& ids() const noexcept { return ids_; }
    [[nodiscard]] std::vector<std::int64_t> take_ids() && noexcept { return std::move(ids_); }
    void clear() noexcept {
        slots_.clear();
        ids_.clear();
    }

private:
    static constexpr std::size_t smallest = std::size_t{16} << near;

    /// Returns the slot of the id, or the free slot for it.
    [[nodiscard]] std::size_t slot_of(std::int64_t id) const noexcept {
        auto const bits = static_cast<std::uint64_t>(id);
        std::size_t const mask = slots_.size() - 1;
        std::size_t at = fibonacci_place(bits >> near, shift_) << near | (bits & ((1U << near) - 1));
        while (slots_[at] != 0 && ids_[static_cast<std::size_t>(slots_[at] - 1)] != id) at = (at + 1) & mask;
        return at;
    }
    void resize(std::size_t size) {
        slots_.assign(size, 0);
        shift_ = 64 - (std::countr_zero(size) - near);
        for (std::size_t number = 0; number < ids_.size(); ++number)
            slots_[slot_of(ids_[number])] = static_cast<Number>(number + 1);
    }

    std::vector<Number> slots_;     // the number plus 1; 0 if the slot is free
    std::vector<std::int64_t> ids_; // by number
    int shift_ = 0;
};

} // namespace weft::detail
