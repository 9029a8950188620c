/// The loop over the blocks of a rank in a collective function of blocks.
#pragma once

#include <weft/extend/protocol/gate.hpp>

namespace weft {

template <class B>
class block_set; // weft/blocks/block_set.hpp

namespace detail {

/// Access of the collective functions of blocks to a `block_set`.
struct block_set_parts {
    /// Calls `body(B&, block_id)` for each block of this rank, one after the other on this thread, unless the
    /// call has failed here; the gate keeps what they throw. Local.
    template <class B, class F>
    static void each(gate& call, block_set<B>& blocks, F&& body) {
        if (call.failed()) return;
        typename block_set<B>::template plain_runner<F> runner(blocks, body);
        call.guard([&] { blocks.core_.run_here(runner); });
        call.fail(blocks.core_.take_failure());
    }
};

} // namespace detail

} // namespace weft
