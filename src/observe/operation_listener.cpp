#include "told_operations.hpp"
#include "tool_files.hpp"

#include <core/simulated_ranks.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>

namespace weft {

namespace {

constexpr std::size_t most_listeners = 8;

struct listeners_of_process {
    std::mutex changing;
    std::array<std::atomic<operation_listener*>, most_listeners> all{};
    std::uint32_t count = 0;
    bool paused = false;

    void let_operations_know() noexcept {
        __atomic_store_n(&operations_are_told, paused ? 0U : count, __ATOMIC_RELEASE);
    }
};

listeners_of_process& listeners() noexcept {
    static listeners_of_process here;
    return here;
}

template <class Call>
void tell_all(Call const& call) noexcept {
    for (auto const& each : listeners().all)
        if (operation_listener* const listener = each.load(std::memory_order_acquire)) call(*listener);
}

} // namespace

std::uint32_t operations_are_told = 0;

void listen_to_operations(operation_listener& listener) {
    listeners_of_process& here = listeners();
    std::lock_guard const lock(here.changing);
    for (auto const& each : here.all)
        if (each == &listener) throw usage_error("listen_to_operations: this listener listens already");
    auto const free = std::ranges::find_if(here.all, [](auto const& each) { return each == nullptr; });
    if (free == here.all.end())
        throw usage_error("listen_to_operations: there are " + std::to_string(most_listeners) +
                          " listeners already; stop one of them");
    *free = &listener;
    ++here.count;
    here.let_operations_know();
}

void stop_listening(operation_listener& listener) noexcept {
    listeners_of_process& here = listeners();
    std::lock_guard const lock(here.changing);
    for (auto& each : here.all) {
        if (each != &listener) continue;
        each = nullptr;
        --here.count;
        here.let_operations_know();
    }
}

void pause_listeners(bool paused) noexcept {
    listeners_of_process& here = listeners();
    std::lock_guard const lock(here.changing);
    here.paused = paused;
    here.let_operations_know();
}

bool tell_begin(operation_event const& what) noexcept {
    if (is_simulated_rank()) return false;
    tell_all([&](operation_listener& each) { each.began(what); });
    return true;
}

void tell_end(operation_event const& what) noexcept {
    tell_all([&](operation_listener& each) { each.ended(what); });
}

} // namespace weft
