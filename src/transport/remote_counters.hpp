/// Counters to which other ranks add. Private.
#pragma once

#include <core/door.hpp>

#include <weft/core/communicator.hpp>
#include <weft/detail/core/communicator_parts.hpp>
#include <weft/mpi.hpp>

#include <cstdint>
#include <deque>
#include <vector>

namespace weft {

/// A persistent row of counters for each rank, since a window or a fence for every exchange would cost 30 to
/// 200 times as much. Ranks of one node add in shared memory. Ranks of other nodes add through an MPI window
/// that is locked once, and only if the communicator has all ranks of the world: Open MPI 4.1 gives windows
/// of two disjoint communicators with equal context ids the same memory on a node. Counters only grow; a rank
/// remembers the value it has taken.
class remote_counters {
public:
    explicit remote_counters(communicator const& comm) : comm_(detail::communicator_parts::state(comm)) {}

    /// Makes the counters and tests them; later calls are local. Returns false, on all ranks, if they do not
    /// work. Collective the first time.
    [[nodiscard]] bool open(int count);

    /// Begins an addition. `cell` selects memory that is in use until the operation is complete, so it must
    /// differ between additions under way. Returns MPI's code.
    [[nodiscard]] int add(
        std::size_t cell, int target, int counter, std::int64_t amount, MPI_Request& pending);
    [[nodiscard]] std::int64_t take(int counter);

private:
    [[nodiscard]] bool make(all_ranks_here here, int count);
    [[nodiscard]] bool make_shared(all_ranks_here here, MPI_Aint bytes);
    [[nodiscard]] bool make_window(all_ranks_here here, MPI_Aint bytes);
    [[nodiscard]] bool try_out(all_ranks_here here, int count);

    struct operands {
        std::int64_t amount = 0;
        std::int64_t before = 0;
    };

    communicator_state& comm_;
    bool asked_ = false;
    bool works_ = false;
    std::int64_t* mine_ = nullptr;
    std::vector<std::int64_t*> of_rank_; // in shared memory; empty with a window
    std::vector<std::int64_t> taken_;
    std::deque<operands> operands_; // grows without moving
};

} // namespace weft
