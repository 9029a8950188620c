/// The neighbours of a block.
#pragma once

#include <weft/blocks/assignment.hpp>
#include <weft/core/communicator.hpp>
#include <weft/core/ids.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace weft {

/// The ids of a block's neighbours, ascending, each once. A block may be its own neighbour.
class link {
public:
    link() = default;
    /// Makes a link from ids in any order, with or without repetitions. Local, O(n log n).
    explicit link(std::vector<block_id> ids);

    [[nodiscard]] std::span<block_id const> ids() const noexcept { return ids_; } ///< Returns the neighbours.
    /// Returns the number of neighbours.
    [[nodiscard]] std::size_t size() const noexcept { return ids_.size(); }
    /// Returns true if there are no neighbours.
    [[nodiscard]] bool empty() const noexcept { return ids_.empty(); }
    /// Returns the neighbour at an index in [0, size()); ids ascend.
    [[nodiscard]] block_id operator[](std::size_t index) const noexcept { return ids_[index]; }
    [[nodiscard]] auto begin() const noexcept { return ids_.begin(); }
    [[nodiscard]] auto end() const noexcept { return ids_.end(); }

    /// Returns the index of a neighbour in `ids()`; -1 for any other block. Local, O(log n), without branches
    /// that depend on the ids.
    [[nodiscard]] int index_of(block_id neighbor) const noexcept {
        if (ids_.empty()) return -1;
        block_id const* at = ids_.data();
        for (std::size_t left = ids_.size(); left > 1;) {
            std::size_t const half = left / 2;
            at += at[half] <= neighbor ? half : 0;
            left -= half;
        }
        return *at == neighbor ? static_cast<int>(at - ids_.data()) : -1;
    }
    /// Returns true if the block is a neighbour. O(log size()).
    [[nodiscard]] bool contains(block_id neighbor) const noexcept { return index_of(neighbor) >= 0; }

    friend bool operator==(link const&, link const&) = default;

private:
    std::vector<block_id> ids_;
};

/// Checks that the links of all blocks are symmetric: if block a names block b, then b exists and names a.
/// `local_blocks` lists all blocks of this rank in any order, and `links[i]` lists the neighbours of the
/// block `local_blocks[i]`. Collective: yes. Blocks: until all ranks have called. Cost: one sparse exchange
/// and one small all-reduce, O(ids in the local links); another small all-reduce if links are wrong. Throws:
/// `usage_error`, the same on all ranks, whose text names the block of the lowest id that has a wrong
/// neighbour, and this neighbour, or says what is wrong in the lists.
void check_links(communicator const& comm, assignment const& owners, std::span<block_id const> local_blocks,
    std::span<link const> links);

} // namespace weft
