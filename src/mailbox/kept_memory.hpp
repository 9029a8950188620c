/// Keeps the shared memory of ended mailboxes for later ones. Private.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/extend/transport/shared_memory.hpp>

#include <cstddef>
#include <vector>

namespace weft {

/// Mapping new memory takes half a millisecond, mostly for pages, while the rest of a mailbox takes some
/// microseconds. So a communicator keeps the memory of mailboxes that ended without losing messages, each
/// under the first tag of its mailbox. When a new mailbox gets this tag, all ranks have dropped the old one,
/// so no rank writes there any more.
class kept_memory {
public:
    [[nodiscard]] static kept_memory& of(communicator const& comm);

    /// Keeps the memory of a mailbox of all ranks of this node, in parts of `bytes` bytes. Local.
    void keep(int tag, std::size_t bytes, shared_memory&& memory);
    /// Returns memory in parts of `bytes` bytes that was kept under this tag, with the first `zeros` bytes of
    /// this rank's part zeroed; none unless all ranks have it. Collective: yes. Cost: one reduction.
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
