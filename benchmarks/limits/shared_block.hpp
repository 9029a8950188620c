/// Memory that all ranks of a node see: what the hand-written limits are built on.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/mpi.hpp>

#include <cstddef>
#include <vector>

namespace weft::limits {

/// What processors exchange between caches.
inline constexpr std::size_t cache_line = 64;

/// As many bytes of shared memory for every rank, zero at first.
class shared_block {
public:
    /// Collective. Throws: `usage_error`, on all ranks, where they do not all share memory.
    shared_block(communicator const& comm, std::size_t bytes);
    ~shared_block();
    shared_block(shared_block const&) = delete;
    shared_block& operator=(shared_block const&) = delete;

    /// The part of a rank, at the start of a cache line.
    [[nodiscard]] std::byte* of(int rank) const noexcept { return parts_[static_cast<std::size_t>(rank)]; }

private:
    MPI_Win window_ = MPI_WIN_NULL;
    std::vector<std::byte*> parts_; // by rank
};

} // namespace weft::limits
