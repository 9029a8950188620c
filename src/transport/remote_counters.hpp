/// Counters that other ranks add to. Private.
#pragma once

#include <core/door.hpp>

#include <weft/core/communicator.hpp>
#include <weft/detail/core/communicator_parts.hpp>
#include <weft/mpi.hpp>

#include <cstdint>
#include <deque>
#include <vector>

namespace weft {

/// One persistent row of counters a rank: a window or a fence for every exchange costs 30 to 200 times as
/// much. Ranks of one node add in shared memory. Across nodes they add through an MPI window that is locked
/// once, and only where the communicator has all ranks of the world: Open MPI 4.1 gives the windows of two
/// communicators that share no rank the same memory on a node, if their context ids are equal. Counters only
/// grow; a rank remembers what it has taken.
class remote_counters {
public:
    explicit remote_counters(communicator const& comm) : comm_(detail::communicator_parts::state(comm)) {}

    /// Collective the first time: makes the counters and tries them out. False, everywhere, where they do not
    /// work.
    [[nodiscard]] bool open(int count);

    /// Begins to add. `cell` names memory that the operation needs until it is complete: distinct for all
    /// that are under way. Returns MPI's code.
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
