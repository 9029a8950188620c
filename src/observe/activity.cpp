#include "shown_activity.hpp"
#include "tool_files.hpp"

#include <core/process_knobs.hpp>
#include <core/simulated_ranks.hpp>

#include <weft/extend/core/attachment.hpp>
#include <weft/observe/timeline.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace weft {

namespace {

/// Stores a value that others may read meanwhile. There is one writer, so no read-modify-write is needed.
template <class T>
void put(T& to, T value) noexcept {
    __atomic_store_n(&to, value, __ATOMIC_RELAXED);
}

/// Returns the place of an operation's name in a page, or 0 if the page is full. Names are string literals,
/// so most are found by their address at the first try. A name in the page never changes.
std::uint32_t place_of_name(rank_page& page, char const* operation) noexcept {
    constexpr std::size_t others = rank_page::name_count - 1;
    std::size_t at = (reinterpret_cast<std::uintptr_t>(operation) * 0x9E3779B97F4A7C15U >> 32) % others;
    for (std::size_t tries = 0; tries < others; ++tries, at = (at + 1) % others) {
        rank_page::name& slot = page.known[at + 1];
        if (slot.address == operation) return static_cast<std::uint32_t>(at + 1);
        if (slot.address != nullptr) continue;
        std::size_t const length = std::min(std::strlen(operation), slot.text.size() - 1);
        std::memcpy(slot.text.data(), operation, length); // the remaining bytes are zero
        put(slot.address, operation);
        return static_cast<std::uint32_t>(at + 1);
    }
    return 0;
}

activity_lane* lane_in(rank_page* page) noexcept {
    if (page == nullptr) return nullptr;
    for (activity_lane& each : page->lanes) {
        std::uint32_t free = 0;
        if (!__atomic_compare_exchange_n(&each.taken, &free, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            continue;
        put(each.since, timeline::ticks());
        return &each;
    }
    return nullptr;
}

} // namespace

shown_activity::shown_activity() noexcept
    : lane_(!watching_in_process() || is_simulated_rank() ? nullptr : lane_in(page_of_process())),
      page_(lane_ != nullptr ? page_of_process() : nullptr) {
    if (!is_simulated_rank()) load_tools();
}

shown_activity::~shown_activity() {
    // The sums of the lane stay: they are of the rank, and the next root continues them.
    if (lane_ != nullptr) __atomic_store_n(&lane_->taken, 0U, __ATOMIC_RELEASE);
}

void shown_activity::begin_wait() noexcept {
    if (lane_ != nullptr && is_open(lane_->operations) && lane_->wait_since == 0)
        put(lane_->wait_since, timeline::ticks());
}

void shown_activity::add_items(std::uint64_t sent, std::uint64_t handled) noexcept {
    if (lane_ == nullptr) return;
    put(lane_->items_sent, lane_->items_sent + sent);
    put(lane_->items_handled, lane_->items_handled + handled);
}

void shown_activity::tell_wait(std::string const& what) noexcept {
    if (page_ == nullptr) return;
    // The counter is odd while the text is written: a reader that sees this reads again.
    put(page_->told, page_->told + 1);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    std::size_t const length = std::min(what.size(), page_->wait_text.size() - 1);
    std::memcpy(page_->wait_text.data(), what.data(), length);
    page_->wait_text[length] = 0;
    put(page_->wait_told_at, timeline::ticks());
    __atomic_store_n(&page_->told, page_->told + 1, __ATOMIC_RELEASE);
    put(page_->wanted, 0U);
}

void sample_lanes(rank_page& page) noexcept {
    std::int64_t const now = timeline::ticks();
    for (activity_lane& lane : page.lanes) {
        if (__atomic_load_n(&lane.taken, __ATOMIC_ACQUIRE) == 0) continue;
        std::uint64_t const operations = __atomic_load_n(&lane.operations, __ATOMIC_RELAXED);
        std::uint64_t const begun = begun_of(operations);
        bool const open = is_open(operations);
        std::int64_t const passed = lane.sampled_at != 0 ? now - lane.sampled_at : 0;
        if (open) put(lane.in_operations, lane.in_operations + passed);
        if (open && __atomic_load_n(&lane.wait_since, __ATOMIC_RELAXED) != 0)
            put(lane.waited, lane.waited + passed);
        if (char const* const name = __atomic_load_n(&lane.outer_address, __ATOMIC_RELAXED))
            put(lane.outer, place_of_name(page, name));
        char const* const inner = __atomic_load_n(&lane.inner_address, __ATOMIC_RELAXED);
        put(lane.inner, inner != nullptr ? place_of_name(page, inner) : 0U);
        if (begun != lane.begun_then || open != (lane.open_then != 0)) put(lane.since, now);
        lane.begun_then = begun;
        lane.open_then = open ? 1 : 0;
        lane.sampled_at = now;
    }
}

activity& activity_of(communicator const& comm) {
    return attachment<shown_activity>(comm.root());
}

} // namespace weft
