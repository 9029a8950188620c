#include "handles.hpp"

#include <weft/exchange/exchange_plan.hpp>

#include <span>

struct weft_plan {
    weft::exchange_plan of;
};

struct weft_planned {
    weft::planned_exchange of;
};

namespace weft::c {

namespace {

/// The bytes of a side of a plan. A null pointer gives a span of a wrong length, which the run refuses on all
/// ranks that it concerns.
template <class Byte, class Void>
std::span<Byte> side_of(Void* place, std::int64_t items, std::size_t item_bytes) noexcept {
    if (place == nullptr) return {};
    return {static_cast<Byte*>(place), static_cast<std::size_t>(items) * item_bytes};
}

} // namespace

} // namespace weft::c

weft_status weft_plan_make(weft_comm const* comm, size_t messages, int const* destinations,
    int64_t const* counts, weft_plan** made) {
    return weft::c::call([&] {
        weft::communicator const& of = weft::c::given(comm, "comm").of;
        // A null pointer is a span of no items: lengths that differ are refused on all ranks.
        std::span<int const> const ranks(destinations, destinations == nullptr ? 0 : messages);
        std::span<std::int64_t const> const items(counts, counts == nullptr ? 0 : messages);
        weft::c::hand_over(new weft_plan{weft::exchange_plan(of, ranks, items)}, made);
    });
}

weft_status weft_plan_inverse(weft_plan const* plan, weft_plan** made) {
    return weft::c::call(
        [&] { weft::c::hand_over(new weft_plan{weft::c::given(plan, "plan").of.inverse()}, made); });
}

size_t weft_plan_destination_count(weft_plan const* plan) {
    return plan == nullptr ? 0 : plan->of.destinations().size();
}

int const* weft_plan_destinations(weft_plan const* plan) {
    return plan == nullptr ? nullptr : plan->of.destinations().data();
}

int64_t const* weft_plan_outgoing_offsets(weft_plan const* plan) {
    return plan == nullptr ? nullptr : plan->of.outgoing_offsets().data();
}

size_t weft_plan_source_count(weft_plan const* plan) {
    return plan == nullptr ? 0 : plan->of.sources().size();
}

int const* weft_plan_sources(weft_plan const* plan) {
    return plan == nullptr ? nullptr : plan->of.sources().data();
}

int64_t const* weft_plan_incoming_offsets(weft_plan const* plan) {
    return plan == nullptr ? nullptr : plan->of.incoming_offsets().data();
}

int64_t weft_plan_outgoing_items(weft_plan const* plan) {
    return plan == nullptr ? 0 : plan->of.outgoing_items();
}

int64_t weft_plan_incoming_items(weft_plan const* plan) {
    return plan == nullptr ? 0 : plan->of.incoming_items();
}

weft_status weft_plan_run(weft_plan const* plan, void const* out, void* in, size_t item_bytes) {
    return weft::c::call([&] {
        weft::exchange_plan const& of = weft::c::given(plan, "plan").of;
        if (item_bytes == 0)
            of.refuse(std::make_exception_ptr(weft::usage_error("weft_plan_run: items of 0 bytes")));
        of.exchange_bytes(weft::c::side_of<std::byte const>(out, of.outgoing_items(), item_bytes),
            weft::c::side_of<std::byte>(in, of.incoming_items(), item_bytes), item_bytes);
    });
}

weft_status weft_plan_bind(
    weft_plan const* plan, void const* out, void* in, size_t item_bytes, weft_planned** made) {
    return weft::c::call([&] {
        weft::exchange_plan const& of = weft::c::given(plan, "plan").of;
        if (item_bytes == 0) throw weft::usage_error("weft_plan_bind: items of 0 bytes");
        weft::c::hand_over(new weft_planned{of.bind_bytes(
                               weft::c::side_of<std::byte const>(out, of.outgoing_items(), item_bytes),
                               weft::c::side_of<std::byte>(in, of.incoming_items(), item_bytes), item_bytes)},
            made);
    });
}

weft_status weft_planned_start(weft_planned* planned) {
    return weft::c::call([&] { weft::c::given(planned, "planned").of.start(); });
}

weft_status weft_planned_test(weft_planned* planned, int* done) {
    return weft::c::call([&] {
        weft::c::given(done, "done") = 0;
        *done = weft::c::given(planned, "planned").of.test() ? 1 : 0;
    });
}

weft_status weft_planned_wait(weft_planned* planned) {
    return weft::c::call([&] { weft::c::given(planned, "planned").of.wait(); });
}

void weft_planned_free(weft_planned* planned) {
    delete planned;
}

void weft_plan_free(weft_plan* plan) {
    delete plan;
}
