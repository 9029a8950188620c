/// Assignment of blocks to ranks.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/detail/core/even_shares.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// The rank of each block, for blocks 0..blocks-1 and ranks 0..ranks-1. A rank lists its blocks by ascending
/// id. The assignment is equal on all ranks. Queries are local, O(1), and do not check that a given block or
/// rank exists. Memory: O(1), or O(blocks + ranks) if a table gives the ranks.
class assignment {
public:
    /// Makes an assignment of 0 blocks to one rank.
    assignment() = default;

    /// Keeps neighbouring ids together: a rank has floor(blocks / ranks) blocks, the first `blocks % ranks`
    /// ranks one more. Local, O(1). Throws: `usage_error` for a negative number of blocks or 0 ranks.
    [[nodiscard]] static assignment contiguous(std::int64_t blocks, int ranks);
    /// Puts block b on rank b % ranks. Local, O(1). Throws: as `contiguous`.
    [[nodiscard]] static assignment round_robin(std::int64_t blocks, int ranks);
    /// Puts block b on rank `rank_of[b]`. Local, O(blocks + ranks). Throws: `usage_error` for a rank that
    /// does not exist, or more than 2^31 - 1 blocks.
    [[nodiscard]] static assignment by_table(std::vector<int> rank_of, int ranks);
    /// Returns an assignment with the same numbers of blocks and ranks, by the table `rank_of`. Local,
    /// O(blocks + ranks). Throws: as `by_table`, and `usage_error` for a table whose length is not
    /// `blocks()`.
    [[nodiscard]] assignment with_table(std::vector<int> rank_of) const;

    [[nodiscard]] std::int64_t blocks() const noexcept { return blocks_; } ///< Returns the number of blocks.
    [[nodiscard]] int ranks() const noexcept { return ranks_; }            ///< Returns the number of ranks.
    /// Returns true if a block has this id: 0 to `blocks()` - 1.
    [[nodiscard]] bool exists(block_id block) const noexcept {
        return index_of(block) >= 0 && index_of(block) < blocks_;
    }

    /// Returns the rank that has a block.
    [[nodiscard]] int rank_of(block_id block) const noexcept {
        std::int64_t const b = index_of(block);
        switch (kind_) {
        case kind::contiguous:
            return shares_.part_of(b);
        case kind::round_robin:
            return static_cast<int>(b - ranks_ * detail::quotient(b, ranks_));
        case kind::table:
            break;
        }
        return rank_of_[static_cast<std::size_t>(b)];
    }

    /// Returns the place of a block in the ascending list of its rank's blocks.
    [[nodiscard]] std::int64_t local_place(block_id block) const noexcept {
        std::int64_t const b = index_of(block);
        switch (kind_) {
        case kind::contiguous:
            return b - shares_.begin(shares_.part_of(b));
        case kind::round_robin:
            return detail::quotient(b, ranks_);
        case kind::table:
            break;
        }
        return place_of_[static_cast<std::size_t>(b)];
    }

    /// Returns the number of blocks that a rank has.
    [[nodiscard]] std::int64_t blocks_of(int rank) const noexcept {
        if (kind_ != kind::table) return shares_.size(rank);
        auto const r = static_cast<std::size_t>(rank);
        return first_[r + 1] - first_[r];
    }

    /// Returns the block at a place, 0..blocks_of(rank)-1, in the ascending list of a rank's blocks.
    [[nodiscard]] block_id block_at(int rank, std::int64_t place) const noexcept {
        switch (kind_) {
        case kind::contiguous:
            return block_id{shares_.begin(rank) + place};
        case kind::round_robin:
            return block_id{rank + place * ranks_};
        case kind::table:
            break;
        }
        return block_id{listed_[static_cast<std::size_t>(first_[static_cast<std::size_t>(rank)] + place)]};
    }

    friend bool operator==(assignment const&, assignment const&) = default;

private:
    enum class kind : std::uint8_t { contiguous, round_robin, table };

    assignment(kind how, std::int64_t blocks, int ranks);

    kind kind_ = kind::contiguous;
    std::int64_t blocks_ = 0;
    int ranks_ = 1;
    detail::even_shares shares_; // of the ranks, but by table
    // By table: for every block its rank and its place there, and the blocks ordered by rank, then by id.
    std::vector<int> rank_of_;
    std::vector<std::int32_t> place_of_;
    std::vector<std::int32_t> listed_;
    std::vector<std::int32_t> first_; // in `listed_`, for every rank, and one more
};

} // namespace weft
