/// Block distributions: the owner of each global id.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/core/ids.hpp>
#include <weft/frames/uniform_distribution.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft {

/// Global ids in contiguous blocks, one per rank: block p has the ids of [begin(p), end(p)), and may be
/// empty. The distribution is equal on all ranks. Queries are local. A uniform distribution takes O(1)
/// memory, any other distribution O(P). Source: definition 3.1 of the paper on data movement, HPDC 2024.
class block_distribution {
public:
    /// Makes one block without ids.
    block_distribution() = default;
    /// Makes blocks of equal size, or of sizes that differ by one.
    block_distribution(uniform_distribution const& uniform) noexcept : uniform_(uniform) {}
    /// Makes blocks in which block p has the ids of [bounds[p], bounds[p + 1]). Throws: `usage_error` for
    /// fewer than two bounds, for bounds that descend, and for a negative first bound.
    explicit block_distribution(std::vector<global_id> bounds);

    /// Distributes ids 0..total-1 evenly over the ranks. Local. Throws: `usage_error` for a negative total.
    [[nodiscard]] static block_distribution uniform(communicator const& comm, std::int64_t total);
    /// Makes consecutive blocks from id 0 on; each rank passes the size of its own block. Collective: yes.
    /// Blocks: until all ranks have called. Cost: a small all-reduce and one all-to-all of words. Throws: on
    /// all ranks `usage_error` if a size is negative or the sum takes more than 63 bits.
    [[nodiscard]] static block_distribution from_sizes(communicator const& comm, std::int64_t mine);
    /// Distributes ids 0..total-1 in proportion to the shares that the ranks pass, for example 1 on one rank
    /// of each node and 0 on the others. Collective: yes. Blocks, Cost: as `from_sizes`. Throws: on all ranks
    /// `usage_error` for a share that is negative or not finite, if all shares are 0, and for a total that is
    /// negative or differs between ranks.
    [[nodiscard]] static block_distribution by_shares(
        communicator const& comm, std::int64_t total, double share);

    /// Returns true if the object was made by `uniform` or from a `uniform_distribution`, so that the sizes
    /// of blocks differ by at most one. O(1).
    [[nodiscard]] bool is_uniform() const noexcept { return bounds_.empty(); }
    /// Returns the number of blocks. O(1).
    [[nodiscard]] int parts() const noexcept {
        return is_uniform() ? uniform_.parts() : static_cast<int>(bounds_.size()) - 1;
    }
    [[nodiscard]] global_id begin(int part) const noexcept {
        return is_uniform() ? uniform_.begin(part) : bounds_[static_cast<std::size_t>(part)];
    }
    [[nodiscard]] global_id end(int part) const noexcept { return begin(part + 1); }
    /// Returns the number of ids of a block. O(1).
    [[nodiscard]] std::int64_t size(int part) const noexcept { return end(part) - begin(part); }
    /// Returns the first id of all blocks; `end` returns one more than the last id.
    [[nodiscard]] global_id begin() const noexcept { return begin(0); }
    [[nodiscard]] global_id end() const noexcept { return begin(parts()); }
    /// Returns the number of ids in all blocks. O(1).
    [[nodiscard]] std::int64_t total() const noexcept { return end() - begin(); }
    /// Returns the size of the largest block. O(1).
    [[nodiscard]] std::int64_t largest() const noexcept;
    /// Returns true if a block has this id. O(1).
    [[nodiscard]] bool contains(global_id id) const noexcept { return id >= begin() && id < end(); }
    /// Returns the P + 1 bounds of the blocks.
    [[nodiscard]] std::vector<global_id> bounds() const;

    /// Returns the number of the block that has `id`; the id must be in [begin(), end()). Cost: O(1) for a
    /// uniform distribution and for blocks of similar sizes, O(log P) at worst.
    [[nodiscard]] int owner(global_id id) const noexcept;
    /// Writes the owner of each id to `owners`, which has the same length as `ids`. Returns the index of the
    /// first id that no block has, or ids.size(); the owners from this index on are unspecified. Cost: for
    /// each id that of `owner`; faster for many ids of a uniform distribution.
    std::size_t find_owners(std::span<global_id const> ids, std::span<int> owners) const;

    friend bool operator==(block_distribution const& a, block_distribution const& b) {
        return a.parts() == b.parts() && a.bounds() == b.bounds();
    }

private:
    [[nodiscard]] std::size_t slot_of(global_id id) const noexcept {
        return static_cast<std::size_t>(static_cast<std::uint64_t>(id - bounds_.front()) >> shift_);
    }
    [[nodiscard]] int guided_owner(global_id id) const noexcept;

    uniform_distribution uniform_;  // if there are no bounds
    std::vector<global_id> bounds_; // P + 1, or none
    // Ids of one slot differ in the lowest `shift_` bits; guide_[slot] owns the first id of the slot, or of
    // the next slot that has one.
    std::vector<std::int32_t> guide_;
    int shift_ = 0;
    std::int64_t largest_ = 0;
};

} // namespace weft
