#include "block_gather.hpp"

#include <weft/extend/exchange/message_store.hpp>
#include <weft/extend/exchange/pending_bytes.hpp>

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

} // namespace weft
