#include <weft/extend/protocol/sparse_exchange.hpp>

#include <core/protocol_rows.hpp>

#include "sparse_exchange_parts.hpp"

#include <algorithm>

namespace weft {

namespace {

static_assert(std::ranges::equal(makers, protocol_rows, {}, &std::pair<std::string_view, engine_maker>::first,
                  &protocol_facts::name),
    "src/protocol/CMakeLists.txt lists the protocols of settings.hpp");

engine_maker maker_of(protocol how) {
    if (!has_row(how))
        throw usage_error("sparse_exchange: automatic is no protocol of its own; choose one first");
    return makers[static_cast<std::size_t>(how)].second;
}

} // namespace

sparse_exchange::sparse_exchange(transport& via, sparse_exchange_setup const& setup, message_list outgoing) {
    if (setup.thrown) outgoing.clear();
    // mutant: one_tag_for_all_epochs
    engine_ = detail::owned(maker_of(setup.how)(via, setup, std::move(outgoing)).release());
}

progress sparse_exchange::step() {
    return !dispute_ ? after(engine_->step()) : dispute_->step();
}

progress sparse_exchange::quick_step() {
    return !dispute_ ? after(engine_->quick_step()) : dispute_->step();
}

/// After an exchange in which the ranks have seen that their items differ, begins the search for the types.
progress sparse_exchange::after(progress now) {
    // mutant: exchange_does_not_look_at_types
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
