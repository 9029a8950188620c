/// Consecutive 32-bit indices for the ids that a block knows.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft::detail {

/// Gives every distinct id an index, 0, 1, 2, ... in the order of first occurrence; fewer than 2^32 - 1. A
/// hash table with linear probing, at most two thirds full, of indices alone: O(1) a call, about 20 bytes an
/// id. A block has one, a rank many: what counts is that it fits the cache and touches few new pages.
class known_ids {
public:
    /// The index of an id, which is new if it has not occurred.
    std::uint32_t index_of(std::int64_t id) {
        if (ids_.size() * 3 >= slots_.size() * 2) grow();
        for (std::size_t slot = slot_of(id);; slot = (slot + 1) & (slots_.size() - 1)) {
            std::uint32_t& here = slots_[slot];
            if (here == 0) {
                ids_.push_back(id);
                here = static_cast<std::uint32_t>(ids_.size());
                return here - 1;
            }
            if (ids_[here - 1] == id) return here - 1;
        }
    }
    [[nodiscard]] std::int64_t operator[](std::uint32_t index) const noexcept { return ids_[index]; }
    [[nodiscard]] std::size_t size() const noexcept { return ids_.size(); }

private:
    [[nodiscard]] std::size_t slot_of(std::int64_t id) const noexcept {
        return static_cast<std::size_t>(static_cast<std::uint64_t>(id) * 0x9E3779B97F4A7C15ull >> shift_);
    }
    void grow() {
        std::size_t const wanted = slots_.empty() ? 16 : slots_.size() * 4;
        slots_.assign(wanted, 0);
        shift_ = 64 - std::countr_zero(wanted);
        for (std::size_t i = 0; i < ids_.size(); ++i) {
            std::size_t slot = slot_of(ids_[i]);
            while (slots_[slot] != 0) slot = (slot + 1) & (wanted - 1);
            slots_[slot] = static_cast<std::uint32_t>(i + 1);
        }
    }

    std::vector<std::uint32_t> slots_; // one more than the index; 0 where the slot is free
    std::vector<std::int64_t> ids_;    // by index
    int shift_ = 64;
};

} // namespace weft::detail
