/// Counters that other ranks add to, in one persistent MPI window. Private.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/mpi.hpp>

#include <cstdint>
#include <deque>
#include <vector>

namespace weft {

/// One window a communicator, locked once for shared access: a window or a fence for every exchange costs
/// 30 to 200 times as much. Counters only grow; a rank remembers what it has taken.
class remote_counters {
public:
    explicit remote_counters(communicator const& comm) : comm_(comm.state()) {}

    /// Collective the first time: makes the window and tries it out. False, everywhere, where it does not
    /// work: MPI stacks are known to fail in `MPI_Win_allocate`, or to write into the wrong place.
    [[nodiscard]] bool open(int count);

    /// Begins to add. `cell` names memory that the operation needs until it is complete: distinct for all
    /// that are under way.
    [[nodiscard]] MPI_Request add(std::size_t cell, int target, int counter, std::int64_t amount);
    [[nodiscard]] std::int64_t take(int counter);

private:
    [[nodiscard]] bool make_window(int count);
    [[nodiscard]] bool try_out(int count);

    struct operands {
        std::int64_t amount = 0;
        std::int64_t before = 0;
    };

    communicator_state& comm_;
    bool asked_ = false;
    bool works_ = false;
    std::int64_t* base_ = nullptr;
    std::vector<std::int64_t> taken_;
    std::deque<operands> operands_; // grows without moving
};

} // namespace weft
