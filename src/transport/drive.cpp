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
        fruitless_ = 0; // the next message may need other polls than the last one
        return;
    }
    // A yield takes about 0.5 us if the core has no other work: this number takes some milliseconds.
    constexpr std::int64_t yields = 20'000;
    constexpr std::int64_t longest_us = 100;
    std::int64_t const waited = fruitless_ - spin_;
    if (waited <= yields)
        sched_yield();
    else
        std::this_thread::sleep_for(std::chrono::microseconds(std::min(waited - yields, longest_us)));
}

} // namespace weft
