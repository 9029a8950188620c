/// The queues of messages of one block.
#pragma once

#include <weft/blocks/link.hpp>
#include <weft/detail/blocks/packed_message.hpp>
#include <weft/detail/blocks/run_list.hpp>

#include <cstdint>

namespace weft::detail {

struct block_queues;

/// The address of a neighbour of a block.
struct neighbor_address {
    static constexpr std::int32_t here = -1;       ///< on this rank
    static constexpr std::int32_t no_partner = -2; ///< on a rank without neighbours of this rank's blocks

    std::int32_t partner; ///< index in `local_blocks::partners`, or one of these values
    std::int64_t place;   ///< its place on that rank
};

/// Delivery in a round whose callbacks run one after the other: an item for a neighbour is written directly
/// to the queue from which the next round receives it, or into the message to the neighbour's rank.
struct direct_delivery {
    block_queues* queues = nullptr;     ///< by place
    packed_message* messages = nullptr; ///< by partner
};

/// Takes over the messages of a running callback.
class block_flusher {
public:
    virtual ~block_flusher() = default;
    virtual void flush(block_queues& queues) = 0;
};

/// The messages of a block, and how they leave it.
struct block_queues {
    block_id id = {};
    weft::link neighbors = {};
    run_list in = {};      ///< input of the callback, which owns it while it runs
    run_list pending = {}; ///< messages that arrived since the callback began
    run_list out = {};     ///< messages that the block has sent
    block_flusher* flusher = nullptr;
    direct_delivery* direct = nullptr;           ///< in a round of such callbacks
    neighbor_address const* addresses = nullptr; ///< of its neighbours, in their order
    std::int64_t sent = 0;                       ///< messages since the last round
    std::int64_t blocks = 0;                     ///< number in the whole set
};

[[noreturn]] void no_such_block(block_id from, block_id to, std::int64_t blocks);

} // namespace weft::detail
