/// Several block distributions with consecutive ids.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/frames/block_distribution.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft {

/// Block distributions over the same ranks, for instance of the vertices of several domains, whose ids are
/// counted on from one to the next: id i of the second distribution is id `total of the first + i` here. A
/// rank has its block of the first distribution, then its block of the second, and so on; an array of its
/// values has this order. It is equal on all ranks. Queries are local. Source: blocks of several domains,
/// section 3.2 of the paper on data movement, HPDC 2024.
class joined_blocks {
public:
    /// Joins distributions. Throws: `usage_error` for an empty list, different numbers of blocks, or more
    /// than 2^63 - 1 ids together. Local. Memory: O(distributions * P).
    explicit joined_blocks(std::vector<block_distribution> const& parts);

    /// Returns the distributions, in their order.
    [[nodiscard]] std::vector<block_distribution> const& parts() const noexcept { return parts_; }
    /// Returns the number of ids of all distributions.
    [[nodiscard]] std::int64_t total() const noexcept { return first_of_.back(); }
    /// Returns the joined id of an id of one distribution: `id` counts from its `begin()`.
    [[nodiscard]] global_id joined_id(std::size_t of, global_id id) const noexcept {
        return first_of_[of] + id - parts_[of].begin();
    }
    /// Returns the blocks of all values by rank. Cost of a look-up: O(log distributions) and that of
    /// `block_distribution::owner`.
    [[nodiscard]] block_distribution const& places() const noexcept { return places_; }
    /// Returns the place of a joined id of [0, total()).
    [[nodiscard]] global_id place(global_id joined) const noexcept;

private:
    std::vector<block_distribution> parts_;
    std::vector<global_id> first_of_;  // joined ids, one more
    std::vector<std::int64_t> before_; // by distribution, then rank: the items that rank has of those before
    block_distribution places_;
};

} // namespace weft
