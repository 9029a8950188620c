/// Which ids are delegates. Private.
#pragma once

#include <weft/core/ids.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft {

/// The places of some ids in an ascending list, the same on all ranks. A hash table with linear probing, at
/// most a quarter full, so that a search for another id takes one look.
class delegate_places {
public:
    static constexpr std::uint32_t none = UINT32_MAX;

    delegate_places() : delegate_places(std::span<global_id const>()) {}
    explicit delegate_places(std::span<global_id const> ids)
        : slots_(std::bit_ceil(4 * ids.size() + 2)), shift_(64 - std::countr_zero(slots_.size())) {
        for (std::size_t i = 0; i < ids.size(); ++i) {
            std::size_t at = slot_of(ids[i]);
            while (slots_[at].place != none) at = (at + 1) & (slots_.size() - 1);
            slots_[at] = {ids[i], static_cast<std::uint32_t>(i)};
        }
    }

    /// `none` if the id is not among them.
    [[nodiscard]] std::uint32_t of(global_id id) const noexcept {
        for (std::size_t at = slot_of(id);; at = (at + 1) & (slots_.size() - 1))
            if (slots_[at].id == id || slots_[at].place == none) return slots_[at].place;
    }

private:
    struct slot {
        global_id id = -1;
        std::uint32_t place = none;
    };

    [[nodiscard]] std::size_t slot_of(global_id id) const noexcept {
        return static_cast<std::size_t>(static_cast<std::uint64_t>(id) * 0x9E3779B97F4A7C15ull >> shift_);
    }

    std::vector<slot> slots_;
    int shift_;
};

} // namespace weft
