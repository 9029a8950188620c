#include <weft/blocks/block_gather.hpp>

#include <weft/exchange/outbox.hpp>
#include <weft/exchange/pending_bytes.hpp>

#include <utility>

namespace weft {

message_list exchange_bytes(message_store& out, std::exception_ptr failure) {
    byte_exchange what;
    what.outgoing = out.release(what.failure);
    if (failure) what.failure = std::move(failure);
    what.blocks = true;
    pending_bytes begun(out.comm(), std::move(what), {});
    begun.finish();
    return begun.take();
}

message_list gather_bytes(communicator const& comm, buffer mine, std::exception_ptr failure) {
    message_store out(comm);
    out.at(out.place_of(0)) = std::move(mine);
    return exchange_bytes(out, std::move(failure));
}

buffer broadcast_bytes(communicator const& comm, buffer of_rank_0, std::exception_ptr failure) {
    message_store out(comm);
    if (comm.rank() == 0)
        for (int rank = 1; rank < comm.size(); ++rank)
            out.at(out.place_of(rank)) = buffer::lent(of_rank_0.data(), of_rank_0.size());
    message_list received = exchange_bytes(out, std::move(failure));
    return comm.rank() == 0 ? std::move(of_rank_0) : std::move(received.front().data);
}

} // namespace weft
