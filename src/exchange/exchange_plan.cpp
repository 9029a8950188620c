#include <weft/exchange/exchange_plan.hpp>

#include "gated_exchange.hpp"
#include "plan_pattern.hpp"

#include <weft/core/error.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/transport/mpi_transport.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <new>
#include <string>
#include <vector>

namespace weft {

namespace {

/// Throws if a rank's side of a plan is inconsistent.
void check_plan(
    communicator const& comm, std::span<int const> destinations, std::span<std::int64_t const> counts) {
    std::string const where = " on rank " + std::to_string(comm.rank());
    if (destinations.size() != counts.size())
        throw usage_error("exchange_plan: " + std::to_string(counts.size()) + " counts but " +
                          std::to_string(destinations.size()) + " destinations" + where);
    std::vector<int> sorted(destinations.begin(), destinations.end());
    std::ranges::sort(sorted);
    if (auto const twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
        throw usage_error(
            "exchange_plan: destination " + std::to_string(*twice) + " occurs more than once" + where);
    if (auto const negative = std::ranges::find_if(counts, [](auto count) { return count < 0; });
        negative != counts.end())
        throw usage_error("exchange_plan: a count of " + std::to_string(*negative) + " items" + where);
    // So the sums of any ranks are numbers of 64 bits. No machine has memory for 2^44 items.
    constexpr std::int64_t most = std::int64_t{1} << 44;
    std::int64_t all = 0;
    for (std::int64_t const count : counts) {
        if (count > most - all)
            throw usage_error(
                "exchange_plan: more than 2^44 items to send" + where + "; a count that large is a mistake");
        all += count;
    }
}

} // namespace

exchange_plan::pattern::pattern(
    communicator const& comm, std::span<int const> destinations, std::span<std::int64_t const> counts)
    : tags(comm, "exchange_plan", 3),
      troubles(tags.tag + 2),
      there{tags.tag, 0, troubles},
      back{tags.tag + 1, 1, troubles} {
    gate call(comm, "exchange_plan");
    outbox<std::int64_t> announced(comm);
    call.guard([&] {
        out.peers.assign(destinations.begin(), destinations.end());
        for (std::int64_t const count : counts) out.offsets.push_back(out.offsets.back() + count);
        for (std::size_t i = 0; i < destinations.size(); ++i) announced[destinations[i]].push_back(counts[i]);
    });
    auto const sources = weft::exchange(call, std::move(announced));
    or_alone("exchange_plan", [&] { // the others have their plan
        for (auto const& [source, count] : sources) {
            in.peers.push_back(source);
            in.offsets.push_back(in.offsets.back() + count.front());
        }
    });
}

exchange_plan::exchange_plan(
    communicator comm, std::span<int const> destinations, std::span<std::int64_t const> counts) try {
    agreed(comm, [&] { check_plan(comm, destinations, counts); });
    shared_ = detail::shared(new pattern(comm, destinations, counts));
} catch (std::bad_alloc const&) {
    alone_unless_agreed("exchange_plan");
    throw;
}

exchange_plan::exchange_plan(detail::shared<pattern> of, bool inverse) noexcept
    : shared_(std::move(of)), inverse_(inverse) {
}

communicator const& exchange_plan::comm() const noexcept {
    return shared_->tags.comm;
}

std::span<int const> exchange_plan::destinations() const noexcept {
    return (inverse_ ? shared_->in : shared_->out).peers;
}

std::span<std::int64_t const> exchange_plan::outgoing_offsets() const noexcept {
    return (inverse_ ? shared_->in : shared_->out).offsets;
}

std::span<int const> exchange_plan::sources() const noexcept {
    return (inverse_ ? shared_->out : shared_->in).peers;
}

std::span<std::int64_t const> exchange_plan::incoming_offsets() const noexcept {
    return (inverse_ ? shared_->out : shared_->in).offsets;
}

exchange_plan exchange_plan::inverse() const noexcept {
    return {shared_, !inverse_};
}

void exchange_plan::run(
    std::span<std::byte const> out, std::span<std::byte> in, std::size_t item_bytes) const {
    plan_memory const where{out, in, item_bytes};
    if (std::exception_ptr failure = where.failure(*this)) refuse(std::move(failure));
    expect_no_lone_failure(); // others would take what this run sends for their next one
    std::int64_t const run = ++way().runs;
    transport& via = transport_of(comm());
    std::vector<request>& pending = shared_->scratch;
    pending.clear();
    or_alone("exchange_plan", [&] { pending.reserve(sources().size() + destinations().size()); });
    for (std::size_t i = 0; i < sources().size(); ++i)
        if (sources()[i] != comm().rank())
            pending.push_back(via.receive(sources()[i], way().tag, where.incoming(*this, i)));
    for (std::size_t i = 0; i < destinations().size(); ++i)
        if (destinations()[i] != comm().rank())
            pending.push_back(
                via.send(destinations()[i], way().tag, where.outgoing(*this, i), send_mode::standard));
    where.copy_own(*this);
    where.count(*this);
    std::size_t over = 0;
    int fruitless = 0;
    plan_wait both_ways(via, way(), pending, over, fruitless);
    complete(comm(), both_ways, "exchange_plan");
    way().troubles.rethrow(way().direction, run);
}

void exchange_plan::refuse(std::exception_ptr why) const {
    std::int64_t const run = ++way().runs;
    plan_refusal refusal(transport_of(comm()), way(), sides_of(*this), std::move(why));
    complete(comm(), refusal, "exchange_plan");
    try {
        way().troubles.rethrow(way().direction, run);
    } catch (...) {} // of the others; its own goes first
    note_agreed(refusal.why());
    std::rethrow_exception(refusal.why());
}

planned_exchange exchange_plan::prepare(
    std::span<std::byte const> out, std::span<std::byte> in, std::size_t item_bytes) const try {
    return planned_exchange(
        detail::owned(new planned_exchange::transfers(*this, way(), {out, in, item_bytes})));
} catch (std::bad_alloc const&) {
    alone_unless_agreed("planned_exchange");
    throw;
}

plan_way& exchange_plan::way() const noexcept {
    return inverse_ ? shared_->back : shared_->there;
}

} // namespace weft
