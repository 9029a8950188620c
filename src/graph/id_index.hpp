/// Consecutive indices for the ids that occur. Private.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace weft {

/// Gives every distinct id an index, 0, 1, 2, ... in the order of first occurrence. A hash table with linear
/// probing, at most half full: O(1) a call, 32 bytes an id at most.
class id_index {
public:
    /// The index of an id, which is new if it has not occurred.
    std::int64_t index_of(std::int64_t id) {
        if (ids_.size() * 2 >= slots_.size()) grow();
        for (std::size_t slot = slot_of(id);; slot = (slot + 1) & (slots_.size() - 1)) {
            entry& here = slots_[slot];
            if (here.index == 0) {
                ids_.push_back(id);
                here = {id, static_cast<std::int64_t>(ids_.size())};
                return here.index - 1;
            }
            if (here.id == id) return here.index - 1;
        }
    }

    [[nodiscard]] std::vector<std::int64_t> const& ids() const noexcept { return ids_; }
    [[nodiscard]] std::vector<std::int64_t> take_ids() && { return std::move(ids_); }

private:
    struct entry {
        std::int64_t id = 0;
        std::int64_t index = 0; // one more than the index; 0 where the slot is free
    };

    [[nodiscard]] std::size_t slot_of(std::int64_t id) const noexcept {
        return static_cast<std::size_t>(static_cast<std::uint64_t>(id) * 0x9E3779B97F4A7C15ull >> shift_);
    }

    void grow() {
        std::size_t const wanted = slots_.empty() ? 64 : slots_.size() * 2;
        slots_.assign(wanted, {});
        shift_ = 64 - std::countr_zero(wanted);
        for (std::size_t i = 0; i < ids_.size(); ++i) {
            std::size_t slot = slot_of(ids_[i]);
            while (slots_[slot].index != 0) slot = (slot + 1) & (wanted - 1);
            slots_[slot] = {ids_[i], static_cast<std::int64_t>(i + 1)};
        }
    }

    std::vector<entry> slots_;
    std::vector<std::int64_t> ids_; // by index
    int shift_ = 64;
};

} // namespace weft
