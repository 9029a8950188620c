/// Shared memory of mailboxes that have ended, for those to come. Private.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/extend/transport/shared_memory.hpp>

#include <cstddef>
#include <vector>

namespace weft {

/// To map new memory takes half a millisecond, most of it for pages, where the rest of a mailbox takes some
/// microseconds. So a communicator keeps the memory of the last mailboxes that ended in peace, each under the
/// first tag of its mailbox: when a new one gets this tag, all ranks have dropped the old one, and none of
/// them writes there any more.
class kept_memory {
public:
    [[nodiscard]] static kept_memory& of(communicator const& comm);

    /// Keeps the memory of a mailbox that all ranks of this node have used, in parts of `bytes` bytes. Local.
    void keep(int tag, std::size_t bytes, shared_memory&& memory);
    /// Memory in parts of `bytes` bytes that was kept under this tag on all ranks, its first `zeros` bytes of
    /// this rank zero; none where a rank has none. Collective: yes. Cost: one reduction.
    [[nodiscard]] shared_memory take(communicator const& comm, int tag, std::size_t bytes, std::size_t zeros);

private:
    struct entry {
        int tag;
        std::size_t bytes;
        shared_memory memory;
    };
    std::vector<entry> entries_; // the oldest first
};

} // namespace weft
