/// The queues of messages of one block.
#pragma once

#include <weft/blocks/link.hpp>
#include <weft/detail/blocks/packed_message.hpp>
#include <weft/detail/blocks/run_list.hpp>

#include <cstdint>

namespace weft::detail {

struct block_queues;

/// The way from a block to a neighbour.
struct neighbor_address {
    static constexpr std::int32_t here = -1;       ///< this rank has it
    static constexpr std::int32_t no_partner = -2; ///< its rank has no neighbour of a block of this rank

    std::int32_t partner; ///< which of `local_blocks::partners` has it, or one of these
    std::int64_t place;   ///< its place there
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
    run_list in = {};      ///< what its callback can take; the callback's while it runs
    run_list pending = {}; ///< what has come since that began
    run_list out = {};     ///< what it has sent
    block_flusher* flusher = nullptr;
    direct_delivery* direct = nullptr;           ///< in a round of such callbacks
    neighbor_address const* addresses = nullptr; ///< to its neighbours, in their order
    std::int64_t sent = 0;                       ///< messages, since the last round
    std::int64_t blocks = 0;                     ///< of the whole set
};

[[noreturn]] void no_such_block(block_id from, block_id to, std::int64_t blocks);

} // namespace weft::detail
