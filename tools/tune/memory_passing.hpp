/// Memory that passes between ranks of a node, which `weft tune` times.
#pragma once

#include <weft/core/buffer.hpp>
#include <weft/core/communicator.hpp>
#include <weft/extend/transport/shared_memory.hpp>

#include <cstddef>
#include <cstdint>

namespace weft::tool {

/// How memory passes between two ranks.
enum class passing {
    none,     ///< each rank reads what it has written itself, and waits for the other all the same
    lines,    ///< each rank reads what the other has written
    released, ///< it also releases the cache lines that it has read, as the receiver of a mailbox
};

/// Pairs of ranks of a node that write memory for each other in rounds: each rank writes its part, and then
/// reads the part of the other.
class memory_passing {
public:
    /// Collective.
    explicit memory_passing(communicator const& comm);

    /// Returns false, on all ranks, if ranks share no memory.
    [[nodiscard]] bool is_possible() const noexcept { return static_cast<bool>(memory_); }

    /// Runs a round. A rank without a partner does nothing. Collective.
    void round(passing how);

    static constexpr std::size_t bytes = 1 << 16; ///< written and read by each rank in a round

private:
    /// The begin of a part; the bytes follow.
    struct alignas(64) head {
        std::uint64_t steps;
    };
    void wait_for_partner();

    communicator comm_;
    shared_memory memory_;
    std::byte* own_ = nullptr;
    std::byte* other_ = nullptr; // null: without a partner
    buffer alone_;
    std::uint64_t steps_ = 0;
    std::uint64_t sum_ = 0;
};

} // namespace weft::tool
