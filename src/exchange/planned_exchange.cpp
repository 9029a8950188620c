#include "plan_pattern.hpp"

#include <weft/core/error.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/transport/mpi_transport.hpp>
#include <weft/observe/counters.hpp>

#include <algorithm>
#include <cstring>
#include <string>

namespace weft {

std::exception_ptr plan_memory::failure(exchange_plan const& plan) const {
    auto const complaint = [&](char const* which, std::size_t bytes, std::int64_t items) {
        return std::make_exception_ptr(usage_error(
            "exchange_plan: " + std::to_string(bytes / item_bytes) + " " + which + " items on rank " +
            std::to_string(plan.comm().rank()) + ", but the plan has " + std::to_string(items)));
    };
    // Divided, because a product may not fit 64 bits.
    auto const holds = [&](std::size_t bytes, std::int64_t items) {
        if (item_bytes == 0) return bytes == 0;
        return bytes % item_bytes == 0 && bytes / item_bytes == static_cast<std::size_t>(items);
    };
    if (!holds(out.size(), plan.outgoing_items()))
        return complaint("outgoing", out.size(), plan.outgoing_items());
    if (!holds(in.size(), plan.incoming_items()))
        return complaint("incoming", in.size(), plan.incoming_items());
    return {};
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
    topology const& nodes = plan.comm().topology();
    for (std::size_t i = 0; i < plan.destinations().size(); ++i) {
        int const to = plan.destinations()[i];
        auto const bytes = static_cast<std::int64_t>(outgoing(plan, i).size());
        bool const own = to == plan.comm().rank();
        ++(own ? into.self_messages : into.messages);
        (own ? into.self_bytes : into.bytes) += bytes;
        if (nodes.node_of(to) == nodes.node()) continue;
        ++into.between_messages;
        into.between_bytes += bytes;
    }
}

planned_exchange::transfers::transfers(exchange_plan const& plan, plan_way& way, plan_memory const& where)
    : plan_(plan),
      where_(where),
      via_(transport_of(plan.comm())),
      way_(way),
      failure_(where.failure(plan)),
      complete_(0) {
    if (failure_) return;
    auto const sources = plan_.sources();
    auto const destinations = plan_.destinations();
    transfers_.reserve(sources.size() + destinations.size()); // so that what MPI has prepared is not lost
    requests_.reserve(transfers_.capacity());
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
        prepared = wanted.sends ? via_.prepare_send(wanted.peer, way_.tag, wanted.data)
                                : via_.prepare_receive(wanted.peer, way_.tag, wanted.room);
    transfers_.push_back(wanted);
    requests_.push_back(prepared);
}

planned_exchange::transfers::~transfers() {
    // Where a run is under way MPI keeps the requests until it is over; their memory is the caller's.
    for (std::size_t i = 0; i < requests_.size(); ++i)
        if (transfers_[i].persistent) via_.discard(requests_[i]);
}

void planned_exchange::transfers::begin_run() {
    if (complete_ != requests_.size() || refusal_)
        throw usage_error("planned_exchange: start() while a run is under way; wait() for it first");
    run_ = ++way_.runs;
    is_concluded_ = false;
}

void planned_exchange::transfers::refuse(std::exception_ptr why) {
    begin_run();
    refusal_.emplace(via_, way_, sides_of(plan_), std::move(why));
}

void planned_exchange::transfers::start() {
    if (failure_) {
        refuse(failure_);
        return;
    }
    begin_run();
    complete_ = 0;
    for (std::size_t i = 0; i < transfers_.size(); ++i) {
        transfer const& each = transfers_[i];
        if (each.persistent)
            via_.start(requests_[i]);
        else
            requests_[i] = each.sends ? via_.send(each.peer, way_.tag, each.data, send_mode::standard)
                                      : via_.receive(each.peer, way_.tag, each.room);
    }
    where_.copy_own(plan_);
    where_.count(plan_);
}

/// Throws what is wrong with the run, once.
void planned_exchange::transfers::conclude() {
    if (std::exchange(is_concluded_, true)) return;
    if (!refusal_) {
        way_.troubles.rethrow(way_.direction, run_);
        return;
    }
    try {
        way_.troubles.rethrow(way_.direction, run_);
    } catch (...) {} // of the others; its own goes first
    std::exception_ptr const why = refusal_->why();
    refusal_.reset();
    note_agreed(why);
    std::rethrow_exception(why);
}

bool planned_exchange::transfers::test() {
    if (refusal_) {
        if (refusal_->step() != progress::done) return false;
    } else {
        plan_wait all(via_, way_, requests_, complete_, fruitless_);
        if (all.step() != progress::done) return false;
    }
    conclude();
    return true;
}

void planned_exchange::transfers::wait() {
    if (refusal_) {
        complete(plan_.comm(), *refusal_, "planned_exchange");
    } else {
        plan_wait rest(via_, way_, requests_, complete_, fruitless_);
        complete(plan_.comm(), rest, "planned_exchange");
    }
    conclude();
}

void planned_exchange::start() {
    run_->start();
}

void planned_exchange::refuse(std::exception_ptr why) {
    run_->refuse(std::move(why));
}

bool planned_exchange::test() {
    return run_->test();
}

void planned_exchange::wait() {
    run_->wait();
}

} // namespace weft
