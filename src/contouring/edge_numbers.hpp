/// Numbers for the crossed edges of a rank. Private.
#pragma once

#include <weft/detail/core/id_table.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace weft::contouring {

/// Ids of neighbouring cells come soon after each other.
using numbers_of_neighbors = detail::id_table<std::uint32_t, 4>;

/// Numbers ids that are not negative by 0, 1, 2, ... as they come. Ids of cells in any order are found by a
/// table. Those of cells that come in their order are forgotten when no other cell can have them: a ring,
/// whose few places in use stay in the cache.
class edge_numbers {
public:
    /// `expected`: about as many ids will come. `reach`: from the first to the last time that an id comes,
    /// all others are less than this apart.
    edge_numbers(std::size_t expected, std::size_t reach) {
        if (reach > most_in_ring) {
            table_ = numbers_of_neighbors(expected);
            return;
        }
        ids_.reserve(expected);
        last_.assign(std::bit_ceil(reach), none);
    }

    /// The number of an id, which is that of all so far if it is new.
    [[nodiscard]] std::uint32_t number_of(std::int64_t id) {
        if (last_.empty()) return table_.number_of(id);
        std::uint32_t& last = last_[static_cast<std::size_t>(id) & (last_.size() - 1)];
        if (last == none || ids_[last - 1] != id) {
            ids_.push_back(id);
            last = static_cast<std::uint32_t>(ids_.size());
        }
        return last - 1;
    }
    /// By number.
    [[nodiscard]] std::vector<std::int64_t> take_ids() noexcept {
        return last_.empty() ? std::move(table_).take_ids() : std::move(ids_);
    }

private:
    static constexpr std::uint32_t none = 0; // else a number and 1
    static constexpr std::size_t most_in_ring = std::size_t{1} << 24;

    numbers_of_neighbors table_;      // where there is no ring
    std::vector<std::uint32_t> last_; // the ring: the number of the last id that belongs there
    std::vector<std::int64_t> ids_;   // of the ring, by number
};

} // namespace weft::contouring
