/// What Block-to-Part is without Weft: owners, counts and offsets by MPI_Alltoall and MPI_Alltoallv.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/core/ids.hpp>
#include <weft/frames/block_distribution.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace weft::tool {

class frames_by_hand {
public:
    /// The set-up of a lean program: owners by division, two passes, 32-bit offsets on the wire. Collective.
    frames_by_hand(
        communicator const& comm, block_distribution const& blocks, std::span<global_id const> ids);

    /// One MPI_Alltoallv of packed values, and nothing else. Collective.
    void exchange_packed();
    /// Packs, moves, unpacks. Collective.
    void exchange(std::span<std::int32_t const> block, std::span<std::int32_t> parts);
    /// Values of this rank's own block, without a message. Local.
    void gather(std::span<std::int32_t const> block, std::span<std::int32_t> parts) const;

private:
    communicator comm_;
    std::vector<int> asked_counts_;
    std::vector<int> asked_begins_;
    std::vector<int> given_counts_;
    std::vector<int> given_begins_;
    std::vector<std::uint32_t> order_;  // of the ids, by owner
    std::vector<std::uint32_t> wanted_; // places in the block, by rank that asks
    std::vector<std::int32_t> out_;
    std::vector<std::int32_t> in_;
};

} // namespace weft::tool
