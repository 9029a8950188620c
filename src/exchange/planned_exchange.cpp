#include "plan_pattern.hpp"

#include <weft/core/error.hpp>
#include <weft/observe/counters.hpp>
#include <weft/transport/mpi_transport.hpp>

#include <algorithm>
#include <cstring>
#include <string>

namespace weft {

void plan_memory::check(exchange_plan const& plan) const {
    auto const complain = [&](char const* which, std::size_t bytes, std::int64_t items) {
        throw usage_error("exchange_plan: " + std::to_string(bytes / item_bytes) + " " + which +
                          " items on rank " + std::to_string(plan.comm().rank()) + ", but the plan has " +
                          std::to_string(items));
    };
    if (out.size() != static_cast<std::size_t>(plan.outgoing_items()) * item_bytes)
        complain("outgoing", out.size(), plan.outgoing_items());
    if (in.size() != static_cast<std::size_t>(plan.incoming_items()) * item_bytes)
        complain("incoming", in.size(), plan.incoming_items());
}

namespace {

/// The bytes of place `place` of `all`.
template <class Byte>
std::span<Byte> part_of(
    std::span<Byte> all, std::span<std::int64_t const> offsets, std::size_t place, std::size_t item_bytes) {
    auto const begin = static_cast<std::size_t>(offsets[place]) * item_bytes;
    auto const end = static_cast<std::size_t>(offsets[place + 1]) * item_bytes;
    return all.subspan(begin, end - begin);
}

} // namespace

std::span<std::byte const> plan_memory::outgoing(exchange_plan const& plan, std::size_t place) const {
    return part_of(out, plan.outgoing_offsets(), place, item_bytes);
}

std::span<std::byte> plan_memory::incoming(exchange_plan const& plan, std::size_t place) const {
    return part_of(in, plan.incoming_offsets(), place, item_bytes);
}

void plan_memory::copy_own(exchange_plan const& plan) const {
    auto const self = std::ranges::find(plan.sources(), plan.comm().rank());
    if (self == plan.sources().end()) return;
    auto const mine = std::ranges::find(plan.destinations(), plan.comm().rank());
    auto const from = outgoing(plan, static_cast<std::size_t>(mine - plan.destinations().begin()));
    auto const to = incoming(plan, static_cast<std::size_t>(self - plan.sources().begin()));
    if (!from.empty()) std::memcpy(to.data(), from.data(), from.size());
}

void plan_memory::count(exchange_plan const& plan) const {
    counters& into = counters_of(plan.comm());
    for (std::size_t i = 0; i < plan.destinations().size(); ++i) {
        bool const own = plan.destinations()[i] == plan.comm().rank();
        ++(own ? into.self_messages : into.messages);
        (own ? into.self_bytes : into.bytes) += static_cast<std::int64_t>(outgoing(plan, i).size());
    }
}

progress all_requests::step() {
    progress result = progress::none;
    for (; complete_ < pending_.size() && via_.test(pending_[complete_]); ++complete_)
        result = progress::some;
    return complete_ == pending_.size() ? progress::done : result;
}

planned_exchange::transfers::transfers(exchange_plan const& plan, int tag, plan_memory const& where)
    : plan_(plan), where_(where), via_(transport_of(plan.comm())), tag_(tag) {
    where_.check(plan_);
    auto const sources = plan_.sources();
    auto const destinations = plan_.destinations();
    for (std::size_t i = 0; i < sources.size(); ++i)
        if (sources[i] != via_.rank()) add({sources[i], where_.incoming(plan_, i), {}, false, false});
    for (std::size_t i = 0; i < destinations.size(); ++i)
        if (destinations[i] != via_.rank())
            add({destinations[i], {}, where_.outgoing(plan_, i), true, false});
    complete_ = requests_.size();
}

void planned_exchange::transfers::add(transfer wanted) {
    constexpr std::size_t small = 512;
    wanted.persistent = (wanted.sends ? wanted.data.size() : wanted.room.size()) > small;
    request prepared;
    if (wanted.persistent)
        prepared = wanted.sends ? via_.prepare_send(wanted.peer, tag_, wanted.data)
                                : via_.prepare_receive(wanted.peer, tag_, wanted.room);
    transfers_.push_back(wanted);
    requests_.push_back(prepared);
}

planned_exchange::transfers::~transfers() {
    // Where a run is under way MPI keeps the requests until it is over; their memory is the caller's.
    for (std::size_t i = 0; i < requests_.size(); ++i)
        if (transfers_[i].persistent) via_.discard(requests_[i]);
}

void planned_exchange::transfers::start() {
    if (complete_ != requests_.size())
        throw usage_error("planned_exchange: start() while a run is under way; wait() for it first");
    complete_ = 0;
    for (std::size_t i = 0; i < transfers_.size(); ++i) {
        transfer const& each = transfers_[i];
        if (each.persistent)
            via_.start(requests_[i]);
        else
            requests_[i] = each.sends ? via_.send(each.peer, tag_, each.data, send_mode::standard)
                                      : via_.receive(each.peer, tag_, each.room);
    }
    where_.copy_own(plan_);
    where_.count(plan_);
}

bool planned_exchange::transfers::test() {
    while (complete_ < requests_.size() && via_.test(requests_[complete_])) ++complete_;
    return complete_ == requests_.size();
}

void planned_exchange::transfers::wait() {
    all_requests rest(via_, requests_);
    complete(plan_.comm(), rest, "planned_exchange");
    complete_ = requests_.size();
}

planned_exchange::~planned_exchange() {
    delete run_;
}

void planned_exchange::start() {
    run_->start();
}

bool planned_exchange::test() {
    return run_->test();
}

void planned_exchange::wait() {
    run_->wait();
}

} // namespace weft
