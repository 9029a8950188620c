#include <weft/protocol/sparse_exchange.hpp>

#include "sparse_exchange_parts.hpp"

namespace weft {

std::unique_ptr<sparse_exchange> make_sparse_exchange(
    transport& via, sparse_exchange_setup const& setup, std::vector<message> outgoing) {
    if (setup.thrown) outgoing.clear();
    return setup.how == protocol::pex ? make_pex(via, setup, std::move(outgoing))
                                      : make_nbx(via, setup, std::move(outgoing));
}

} // namespace weft
