/// Several block distributions joined into one range of ids.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/frames/block_distribution.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft {

/// Block distributions over the same ranks, for instance of the vertices of several domains. Joined ids count
/// through all distributions: id i of the second distribution is the joined id `total of the first + i`. A
/// rank has its block of the first distribution, then its block of the second, and so on; an array of the
/// rank's values has the same order. The object is equal on all ranks. Queries are local. Source: blocks of
/// several domains, section 3.2 of the paper on data movement, HPDC 2024.
class joined_blocks {
public:
    /// Joins distributions. Throws: `usage_error` for an empty list, for distributions with different numbers
    /// of blocks, and for more than 2^63 - 1 ids together. Local. Memory: O(distributions * P).
    explicit joined_blocks(std::vector<block_distribution> const& parts);

    /// Returns the distributions, in their order.
    [[nodiscard]] std::vector<block_distribution> const& parts() const noexcept { return parts_; }
    /// Returns the number of ids of all distributions.
    [[nodiscard]] std::int64_t total() const noexcept { return first_of_.back(); }
    /// Returns the joined id of `id`, an id of the distribution with index `of`.
    [[nodiscard]] global_id joined_id(std::size_t of, global_id id) const noexcept {
        return first_of_[of] + id - parts_[of].begin();
    }
    /// Returns which rank has which places. A place is an index into the arrays of all
    /// ranks, joined in the order of the ranks.
    [[nodiscard]] block_distribution const& places() const noexcept { return places_; }
    /// Returns the place of a joined id in [0, total()). Cost: O(log distributions).
    [[nodiscard]] global_id place(global_id joined) const noexcept;

private:
    std::vector<block_distribution> parts_;
    std::vector<global_id> first_of_;  // joined ids, one more
    std::vector<std::int64_t> before_; // by distribution, then rank: the items that rank has of those before
    block_distribution places_;
};

} // namespace weft
