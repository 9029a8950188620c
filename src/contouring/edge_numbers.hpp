/// Numbers for the crossed edges of a rank, or for the corners of its cells. Private.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace weft::contouring {

/// Numbers ids that are not negative by 0, 1, 2, ... as they come. Ids that come in any order are found by a
/// table with open addresses, at most half full. Those of cells that come in their order are forgotten when
/// no other cell can have them: a ring, whose few places in use stay in the cache.
class edge_numbers {
public:
    /// For about so many ids in any order; more find room too.
    explicit edge_numbers(std::size_t expected) : edge_numbers(expected, SIZE_MAX) {}
    /// `reach`: from the first to the last time that an id comes, all others are less than this apart.
    edge_numbers(std::size_t expected, std::size_t reach) : is_ring_(reach <= most_in_ring) {
        ids_.reserve(expected);
        resize(std::bit_ceil(is_ring_ ? reach : 2 * expected + 16));
    }

    /// The number of an id; `count()` before the call if it is new.
    [[nodiscard]] std::uint32_t number_of(std::int64_t id) {
        if (is_ring_) {
            std::uint32_t& last = places_[static_cast<std::size_t>(id) & (places_.size() - 1)];
            if (last != none && ids_[last - 1] == id) return last - 1;
            return add(id, last);
        }
        std::size_t at = place(id);
        for (; places_[at] != none; at = (at + 1) & (places_.size() - 1))
            if (ids_[places_[at] - 1] == id) return places_[at] - 1;
        std::uint32_t const number = add(id, places_[at]);
        if (2 * ids_.size() > places_.size()) grow();
        return number;
    }
    [[nodiscard]] std::uint32_t count() const noexcept { return static_cast<std::uint32_t>(ids_.size()); }
    /// By number.
    [[nodiscard]] std::vector<std::int64_t> take_ids() noexcept { return std::move(ids_); }

private:
    static constexpr std::uint32_t none = 0; // else a number and 1
    static constexpr std::size_t most_in_ring = std::size_t{1} << 24;

    std::uint32_t add(std::int64_t id, std::uint32_t& to) {
        ids_.push_back(id);
        to = count();
        return to - 1;
    }
    /// Fibonacci hashing of sixteen ids together: those of neighbouring cells are near each other in memory.
    [[nodiscard]] std::size_t place(std::int64_t id) const noexcept {
        auto const bits = static_cast<std::uint64_t>(id);
        return ((bits >> 4) * 0x9E3779B97F4A7C15U >> shift_) << 4 | (bits & 15);
    }
    void resize(std::size_t size) {
        places_.assign(size, none);
        shift_ = 64 - (std::countr_zero(size) - 4);
    }
    void grow() {
        resize(2 * places_.size());
        for (std::uint32_t number = 0; number < count(); ++number) {
            std::size_t at = place(ids_[number]);
            while (places_[at] != none) at = (at + 1) & (places_.size() - 1);
            places_[at] = number + 1;
        }
    }

    bool is_ring_;
    std::vector<std::uint32_t> places_;
    std::vector<std::int64_t> ids_;
    int shift_ = 0;
};

} // namespace weft::contouring
