#include <weft/protocol/sparse_exchange.hpp>

#include "sparse_exchange_parts.hpp"

#include <string>

namespace weft {

namespace {

engine_maker maker_of(protocol how) {
    switch (how) {
    case protocol::nbx:
        return make_nbx;
    case protocol::pex:
        return make_pex;
    case protocol::pcx:
        return make_pcx;
    case protocol::rsx:
        return make_rsx;
    case protocol::store_and_forward:
        return make_store_and_forward;
    case protocol::nbx_two_level:
        return make_nbx_two_level;
    case protocol::pcx_two_level:
        return make_pcx_two_level;
    case protocol::automatic:
        break;
    }
    throw usage_error("sparse_exchange: automatic is no protocol of its own; choose one first");
}

} // namespace

void check_item_sizes(std::int64_t largest, std::int64_t complemented_smallest) {
    std::int64_t const smallest = ~complemented_smallest;
    if (smallest == largest) return;
    throw usage_error("exchange: ranks send items of different sizes (" + std::to_string(smallest) + " and " +
                      std::to_string(largest) + " bytes); all ranks must exchange the same type");
}

sparse_exchange::sparse_exchange(transport& via, sparse_exchange_setup const& setup, message_list outgoing) {
    if (setup.thrown) outgoing.clear();
    engine_ = maker_of(setup.how)(via, setup, std::move(outgoing)).release();
}

sparse_exchange::~sparse_exchange() {
    delete engine_;
}

progress sparse_exchange::step() {
    return engine_->step();
}

progress sparse_exchange::glance() {
    return engine_->glance();
}

void sparse_exchange::describe_wait(std::string& into) const {
    engine_->describe_wait(into);
}

void sparse_exchange::rethrow() const {
    engine_->rethrow();
}

bool sparse_exchange::next(message& into) {
    return engine_->incoming().next(into);
}

message_list sparse_exchange::take() {
    return engine_->incoming().take_by_source();
}

bool sparse_exchange::busiest(exchange_load& into) const {
    auto const known = engine_->busiest();
    if (known) into = *known;
    return known.has_value();
}

census_value const& sparse_exchange::carried_result() const {
    return engine_->carried_result();
}

void sparse_exchange::count(counters& into) const {
    engine_->count(into);
}

} // namespace weft
