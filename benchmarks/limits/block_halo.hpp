/// A halo exchange between blocks, written by hand: every copy and message is known beforehand.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/mpi.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft::limits {

/// Every block sends a message of some bytes to each of its neighbours. `Way` says what travels between
/// ranks: a message for each pair of blocks, or one for each pair of ranks.
class block_halo {
public:
    enum class way { message_a_block_pair, message_a_rank_pair };
    /// A block sends to a neighbour: `from` and `to` are numbers of blocks, `rank` has `to`.
    struct hop {
        std::int64_t from;
        std::int64_t to;
        int from_rank;
        int to_rank;
    };

    /// `hops`: those from and those to blocks of this rank, sorted by (from, to). Collective.
    block_halo(communicator const& comm, std::vector<hop> const& hops, std::size_t bytes, way how);
    ~block_halo();
    block_halo(block_halo const&) = delete;
    block_halo& operator=(block_halo const&) = delete;

    /// One round: fills what is sent, exchanges, and adds up what came. Collective.
    void round();
    [[nodiscard]] std::uint64_t sum() const noexcept { return sum_; }

private:
    struct piece {
        std::size_t from; // offsets in `out_` and `in_`
        std::size_t to;
    };

    MPI_Comm duplicate_ = MPI_COMM_NULL;
    std::size_t bytes_;
    std::vector<std::byte> out_;
    std::vector<std::byte> in_;
    std::vector<piece> local_;
    std::vector<MPI_Request> requests_; // persistent
    std::uint64_t sum_ = 0;
};

} // namespace weft::limits
