#include "remote_counters.hpp"

#include "core/communicator_state.hpp"
#include "core/expect_mpi.hpp"

#include <weft/core/error.hpp>

#include <array>
#include <atomic>
#include <cstring>
#include <utility>

namespace weft {

namespace {

/// Returns true if `mine` is true on all ranks. Collective.
bool everywhere(all_ranks_here, MPI_Comm comm, bool mine) {
    int good = mine ? 1 : 0;
    expect_mpi(MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
    return good != 0;
}

} // namespace

bool remote_counters::open(int count) {
    if (asked_) return works_;
    asked_ = true;
    works_ = door::pass(detail::communicator_parts::handle_of(comm_), "making remote counters",
        [&](all_ranks_here here) { return make(here, count); });
    return works_;
}

bool remote_counters::make(all_ranks_here here, int count) {
    // Whole pages: MPICH 4.0.2 misplaces windows whose size is not a multiple of 16 bytes.
    constexpr std::size_t page = 4096;
    std::size_t const bytes =
        (static_cast<std::size_t>(count) * sizeof(std::int64_t) + page - 1) / page * page;
    MPI_Comm const comm = comm_.owned->comm;
    MPI_Comm node = MPI_COMM_NULL;
    expect_mpi(
        MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node), "MPI_Comm_split_type");
    int on_node = 0;
    expect_mpi(MPI_Comm_size(node, &on_node), "MPI_Comm_size");
    MPI_Comm_free(&node);
    int in_world = 0;
    expect_mpi(MPI_Comm_size(MPI_COMM_WORLD, &in_world), "MPI_Comm_size");
    bool made = false;
    if (everywhere(here, comm, on_node == comm_.size))
        made = make_shared(here, static_cast<MPI_Aint>(bytes));
    else if (comm_.size == in_world)
        made = make_window(here, static_cast<MPI_Aint>(bytes));
    if (!made) return false;
    std::memset(mine_, 0, bytes);
    taken_.assign(static_cast<std::size_t>(count), 0);
    expect_mpi(MPI_Barrier(comm), "MPI_Barrier"); // no rank adds before all counters are zero
    return try_out(here, count);
}

bool remote_counters::make_shared(all_ranks_here here, MPI_Aint bytes) {
    owned_comm& owned = *comm_.owned;
    bool const good = MPI_Win_allocate_shared(bytes, sizeof(std::int64_t), MPI_INFO_NULL, owned.comm, &mine_,
                          &owned.counters) == MPI_SUCCESS;
    if (!everywhere(here, owned.comm, good)) return false;
    of_rank_.resize(static_cast<std::size_t>(comm_.size));
    for (int rank = 0; rank < comm_.size; ++rank) {
        MPI_Aint size = 0;
        int unit = 0;
        expect_mpi(MPI_Win_shared_query(
                       owned.counters, rank, &size, &unit, &of_rank_[static_cast<std::size_t>(rank)]),
            "MPI_Win_shared_query");
    }
    return true;
}

bool remote_counters::make_window(all_ranks_here here, MPI_Aint bytes) {
    owned_comm& owned = *comm_.owned;
    bool good = MPI_Win_allocate(bytes, sizeof(std::int64_t), MPI_INFO_NULL, owned.comm, &mine_,
                    &owned.counters) == MPI_SUCCESS;
    if (!everywhere(here, owned.comm, good)) return false;
    MPI_Win_set_errhandler(owned.counters, MPI_ERRORS_RETURN);
    int* model = nullptr;
    int found = 0;
    MPI_Win_get_attr(owned.counters, MPI_WIN_MODEL, static_cast<void*>(&model), &found);
    good = found != 0 && *model == MPI_WIN_UNIFIED; // else loads may miss additions
    good = MPI_Win_lock_all(MPI_MODE_NOCHECK, owned.counters) == MPI_SUCCESS && good;
    owned.counters_locked = good;
    return everywhere(here, owned.comm, good);
}

bool remote_counters::try_out(all_ranks_here here, int count) {
    int const size = comm_.size;
    int const left = (comm_.rank + size - 1) % size;
    int const right = (comm_.rank + 1) % size;
    int const last = count - 1;
    std::array<MPI_Request, 4> pending;
    pending.fill(MPI_REQUEST_NULL);
    bool good = add(0, right, 0, comm_.rank + 1, pending[0]) == MPI_SUCCESS;
    good = add(1, right, last, comm_.rank + 1000, pending[1]) == MPI_SUCCESS && good;
    good = add(2, left, 0, 1'000'000, pending[2]) == MPI_SUCCESS && good;
    good = add(3, comm_.rank, last, 5, pending[3]) == MPI_SUCCESS && good;
    good =
        MPI_Waitall(static_cast<int>(pending.size()), pending.data(), MPI_STATUSES_IGNORE) == MPI_SUCCESS &&
        good;
    good = everywhere(here, comm_.owned->comm, good); // all additions are complete, or one has failed
    if (!good) return false;
    std::int64_t const first_sum = take(0) + (last == 0 ? 0 : take(last));
    good = first_sum == (left + 1) + (left + 1000) + 1'000'000 + 5;
    return everywhere(here, comm_.owned->comm, good);
}

int remote_counters::add(
    std::size_t cell, int target, int counter, std::int64_t amount, MPI_Request& pending) {
    if (!of_rank_.empty()) {
        std::atomic_ref<std::int64_t>(of_rank_[static_cast<std::size_t>(target)][counter])
            .fetch_add(amount, std::memory_order_release);
        pending = MPI_REQUEST_NULL; // complete
        return MPI_SUCCESS;
    }
    if (cell >= operands_.size()) operands_.resize(cell + 1);
    operands& mine = operands_[cell];
    mine.amount = amount;
    // Since the previous value is fetched, the request completes only when the addition is applied.
    return MPI_Rget_accumulate(&mine.amount, 1, MPI_INT64_T, &mine.before, 1, MPI_INT64_T, target, counter, 1,
        MPI_INT64_T, MPI_SUM, comm_.owned->counters, &pending);
}

std::int64_t remote_counters::take(int counter) {
    if (of_rank_.empty()) expect_mpi(MPI_Win_sync(comm_.owned->counters), "MPI_Win_sync");
    std::int64_t const now = std::atomic_ref<std::int64_t>(mine_[counter]).load(std::memory_order_acquire);
    return now - std::exchange(taken_[static_cast<std::size_t>(counter)], now);
}

} // namespace weft
