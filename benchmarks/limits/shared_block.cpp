#include "shared_block.hpp"

#include <weft/core/error.hpp>

#include <cstdint>
#include <cstring>

namespace weft::limits {

namespace {

bool share_memory(MPI_Comm comm, int ranks) {
    MPI_Comm node = MPI_COMM_NULL;
    check_mpi(
        MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node), "MPI_Comm_split_type");
    int on_node = 0;
    MPI_Comm_size(node, &on_node);
    MPI_Comm_free(&node);
    int shared = on_node == ranks ? 1 : 0;
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &shared, 1, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
    return shared != 0;
}

/// Every process maps the window at the start of a page, so all find the same place.
std::byte* next_line(std::byte* at) {
    auto const past = reinterpret_cast<std::uintptr_t>(at) % cache_line;
    return past == 0 ? at : at + (cache_line - past);
}

} // namespace

shared_block::shared_block(communicator const& comm, std::size_t bytes) {
    MPI_Comm const native = native_handle(comm);
    if (!share_memory(native, comm.size()))
        throw usage_error("this baseline needs ranks that all share memory: run it on one node");
    void* mine = nullptr;
    check_mpi(MPI_Win_allocate_shared(
                  static_cast<MPI_Aint>(bytes + cache_line), 1, MPI_INFO_NULL, native, &mine, &window_),
        "MPI_Win_allocate_shared");
    for (int rank = 0; rank < comm.size(); ++rank) {
        MPI_Aint size = 0;
        int unit = 0;
        void* part = nullptr;
        check_mpi(MPI_Win_shared_query(window_, rank, &size, &unit, &part), "MPI_Win_shared_query");
        parts_.push_back(next_line(static_cast<std::byte*>(part)));
    }
    std::memset(of(comm.rank()), 0, bytes);
    check_mpi(MPI_Barrier(native), "MPI_Barrier"); // nobody writes to a part before it is zero
}

shared_block::~shared_block() {
    MPI_Win_free(&window_);
}

} // namespace weft::limits
