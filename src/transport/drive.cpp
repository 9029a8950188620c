#include <weft/extend/transport/drive.hpp>

#include "simulated_program.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace weft {

void backoff::yield_or_sleep() noexcept {
    if (simulated_program* const program = simulated_program::running()) {
        program->sleep();
        fruitless_ = 0; // what comes now may want another poll than the last one
        return;
    }
    // A yield costs about 0.5 us when nobody else wants the core: this many are some milliseconds.
    constexpr std::int64_t yields = 20'000;
    constexpr std::int64_t longest_us = 100;
    std::int64_t const waited = fruitless_ - spin_;
    if (waited <= yields)
        sched_yield();
    else
        std::this_thread::sleep_for(std::chrono::microseconds(std::min(waited - yields, longest_us)));
}

} // namespace weft
