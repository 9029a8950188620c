#include <weft/protocol/sparse_exchange.hpp>

#include "sparse_exchange_parts.hpp"

namespace weft {

sparse_exchange::sparse_exchange(
    transport& via, sparse_exchange_setup const& setup, std::vector<message> outgoing) {
    if (setup.thrown) outgoing.clear();
    auto const make = setup.how == protocol::pex ? make_pex : make_nbx;
    engine_ = make(via, setup, std::move(outgoing)).release();
}

sparse_exchange::~sparse_exchange() {
    delete engine_;
}

progress sparse_exchange::step() {
    return engine_->step();
}

void sparse_exchange::rethrow() const {
    engine_->rethrow();
}

std::vector<message> sparse_exchange::take() {
    return engine_->take();
}

void sparse_exchange::count(counters& into) const {
    engine_->count(into);
}

} // namespace weft
