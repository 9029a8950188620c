/// A directory: finds the rank, part and position of each item that has a given global id.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/core/ids.hpp>
#include <weft/detail/frames/frame_values.hpp>
#include <weft/frames/block_distribution.hpp>
#include <weft/frames/parts_view.hpp>
#include <weft/frames/ragged.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft {

/// The location of an item: its rank, its part on that rank and its position in the part.
struct item_location {
    std::int32_t rank = 0;     ///< The rank that has the item.
    std::int32_t part = 0;     ///< The number of the part that has the item, from 0.
    std::int64_t position = 0; ///< The index of the item in its part.

    friend bool operator==(item_location const&, item_location const&) = default;
};

/// Finds the items that have a given global id. The ids of the parts of all ranks are registered once,
/// including duplicates, and can be looked up any number of times. Each rank keeps the locations of the items
/// in one block of ids; the blocks have about equal numbers of items.
///
/// Memory: 16 bytes per registered item and 16 bytes per distinct id, on the rank that keeps the location.
class directory {
public:
    /// Registers the items of all parts. Collective: yes. Blocks: until all ranks have called. Cost:
    /// `balance_blocks` of the ids, a `part_to_block`, and a move of the locations. Throws: on all ranks
    /// `usage_error`, whose text names rank, part and position, for an id that is negative or 2^63 - 1.
    directory(communicator comm, parts_view<global_id> const& registered);

    /// Returns for each id the locations of its items, in the order (rank, part, position); an unknown id
    /// gets an empty list. Collective: yes, but a rank may pass no ids. Blocks: until all ranks have called.
    /// Cost: a `block_to_part` and an exchange. Throws: `mpi_error`.
    [[nodiscard]] ragged<item_location> find(std::span<global_id const> asked) const;

    /// Returns the communicator of the directory.
    [[nodiscard]] communicator const& comm() const noexcept { return comm_; }
    /// Returns the blocks of ids, one per rank: a rank keeps the locations for its block. A program that
    /// looks up the same ids again and again can make a `block_to_part` from these blocks and `block_ids`.
    [[nodiscard]] block_distribution const& blocks() const noexcept { return blocks_; }
    /// Returns the registered ids of this rank's block, ascending.
    [[nodiscard]] std::span<global_id const> block_ids() const noexcept { return ids_; }
    /// Returns for each of `block_ids` the locations of its items.
    [[nodiscard]] ragged<item_location> const& block_locations() const noexcept { return locations_; }

private:
    communicator comm_;
    block_distribution blocks_;
    std::vector<global_id> ids_;
    ragged<item_location> locations_;
};

} // namespace weft
