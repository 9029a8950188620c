/// Sends bytes to any ranks, in one collective call.
#pragma once

#include <weft/extend/protocol/message.hpp>

#include <exception>

namespace weft {

class message_store; // weft/extend/exchange/message_store.hpp

/// Sends the messages of a store, and returns those for this rank, by source. `failure`: the error that keeps
/// this rank from taking part; all ranks throw it. Collective: yes. Blocks: until all ranks have called.
/// Cost: one sparse exchange. Throws: `failure`, agreed; `mpi_error`.
[[nodiscard]] message_list exchange_bytes(message_store& out, std::exception_ptr failure = {});

} // namespace weft
