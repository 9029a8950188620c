#include <weft/extend/protocol/sparse_exchange.hpp>

#include "sparse_exchange_parts.hpp"

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

sparse_exchange::sparse_exchange(transport& via, sparse_exchange_setup const& setup, message_list outgoing) {
    if (setup.thrown) outgoing.clear();
    engine_ = detail::owned(maker_of(setup.how)(via, setup, std::move(outgoing)).release());
}

progress sparse_exchange::step() {
    return !dispute_ ? after(engine_->step()) : dispute_->step();
}

progress sparse_exchange::quick_step() {
    return !dispute_ ? after(engine_->quick_step()) : dispute_->step();
}

/// Where the exchange is over and the ranks have seen that their items differ, they find out how.
progress sparse_exchange::after(progress now) {
    if (now != progress::done || !engine_->prints().differ()) [[likely]]
        return now;
    dispute_ = detail::owned(engine_->begin_dispute());
    return progress::some;
}

void sparse_exchange::describe_wait(std::string& into) const {
    if (!dispute_)
        engine_->describe_wait(into);
    else
        dispute_->describe_wait(into);
}

void sparse_exchange::rethrow() const {
    engine_->rethrow();
    if (dispute_) dispute_->raise();
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
    if (dispute_) into.control_messages += dispute_->messages();
}

} // namespace weft
