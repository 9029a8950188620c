/// Bytes of all ranks on one, of one on all, and to whom one likes.
#pragma once

#include <weft/core/buffer.hpp>
#include <weft/core/communicator.hpp>
#include <weft/protocol/message.hpp>

#include <exception>

namespace weft {

class message_store; // weft/exchange/outbox.hpp

/// Sends the messages of a store, and returns those for this rank, by source. `failure`: why this rank cannot
/// take part; all ranks throw it. Collective: yes. Blocks: until all ranks have called. Cost: one sparse
/// exchange. Throws: `failure`, agreed; `mpi_error`.
[[nodiscard]] message_list exchange_bytes(message_store& out, std::exception_ptr failure = {});

/// On rank 0 what each rank has given, by rank; on the others nothing. `failure`: why this rank has nothing
/// to give; all ranks throw it. Collective: yes. Blocks: until all ranks have called. Cost: one sparse
/// exchange, on rank 0 O(P) messages and all bytes. Throws: `failure`, agreed; `mpi_error`.
[[nodiscard]] message_list gather_bytes(
    communicator const& comm, buffer mine, std::exception_ptr failure = {});

/// On all ranks what rank 0 has given. Otherwise as above.
[[nodiscard]] buffer broadcast_bytes(
    communicator const& comm, buffer of_rank_0, std::exception_ptr failure = {});

} // namespace weft
