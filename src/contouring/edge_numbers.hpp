/// Numbers for the crossed edges of a rank. Private.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace weft::contouring {

/// Numbers ids that are not negative by 0, 1, 2, ... as they come: a table with open addresses, at most half
/// full.
class edge_numbers {
public:
    /// For about so many ids; more find room too.
    explicit edge_numbers(std::size_t expected) { resize(std::bit_ceil(2 * expected + 16)); }

    /// The number of an id; `count()` before the call if it is new.
    [[nodiscard]] std::uint32_t number_of(std::int64_t id) {
        std::size_t at = place(id);
        while (slots_[at].id != id) {
            if (slots_[at].id == empty) {
                slots_[at] = {id, count_++};
                if (2 * std::size_t{count_} > slots_.size()) grow();
                return count_ - 1;
            }
            at = (at + 1) & (slots_.size() - 1);
        }
        return slots_[at].number;
    }
    [[nodiscard]] std::uint32_t count() const noexcept { return count_; }

private:
    struct slot {
        std::int64_t id;
        std::uint32_t number;
    };
    static constexpr std::int64_t empty = -1;

    /// Fibonacci hashing of eight ids together: those of neighbouring cells are near each other in memory.
    [[nodiscard]] std::size_t place(std::int64_t id) const noexcept {
        auto const bits = static_cast<std::uint64_t>(id);
        return ((bits >> 3) * 0x9E3779B97F4A7C15U >> shift_) << 3 | (bits & 7);
    }
    void resize(std::size_t size) {
        slots_.assign(size, {empty, 0});
        shift_ = 64 - (std::countr_zero(size) - 3);
    }
    void grow() {
        std::vector<slot> const before = std::move(slots_);
        resize(2 * before.size());
        for (slot const& each : before) {
            if (each.id == empty) continue;
            std::size_t at = place(each.id);
            while (slots_[at].id != empty) at = (at + 1) & (slots_.size() - 1);
            slots_[at] = each;
        }
    }

    std::vector<slot> slots_;
    int shift_ = 0;
    std::uint32_t count_ = 0;
};

} // namespace weft::contouring
