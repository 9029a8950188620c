/// Numbers for the crossed edges of a rank. Private.
#pragma once

#include <weft/detail/core/id_table.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace weft::contouring {

/// Ids of neighbouring cells appear soon after each other.
using numbers_of_neighbors = detail::id_table<std::uint32_t, 4>;

/// Numbers nonnegative ids 0, 1, 2, ... in the order of their first use. For cells in any order it uses a
/// table. For ascending cells, an id is dropped when no later cell can have it, so a small ring that stays in
/// the cache is enough.
class edge_numbers {
public:
    /// `expected`: the approximate number of distinct ids. `reach`: between the first and last use of an id,
    /// all other ids differ from it by less than this.
    edge_numbers(std::size_t expected, std::size_t reach) {
        if (reach > most_in_ring) {
            table_ = numbers_of_neighbors(expected);
            return;
        }
        ids_.reserve(expected);
        last_.assign(std::bit_ceil(reach), none);
    }

    /// Returns the number of an id: a new one gets the number of distinct ids so far.
    [[nodiscard]] std::uint32_t number_of(std::int64_t id) {
        if (last_.empty()) return table_.number_of(id);
        std::uint32_t& last = last_[static_cast<std::size_t>(id) & (last_.size() - 1)];
        if (last == none || ids_[last - 1] != id) {
            ids_.push_back(id);
            last = static_cast<std::uint32_t>(ids_.size());
        }
        return last - 1;
    }
    /// Returns the ids by number.
    [[nodiscard]] std::vector<std::int64_t> take_ids() noexcept {
        return last_.empty() ? std::move(table_).take_ids() : std::move(ids_);
    }

private:
    static constexpr std::uint32_t none = 0; // other values are a number plus 1
    static constexpr std::size_t most_in_ring = std::size_t{1} << 24;

    numbers_of_neighbors table_;      // used if there is no ring
    std::vector<std::uint32_t> last_; // the ring: for each slot, 1 plus the number of its last id
    std::vector<std::int64_t> ids_;   // ids by number, with a ring
};

} // namespace weft::contouring
