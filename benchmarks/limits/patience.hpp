/// How a rank waits for another through shared memory.
#pragma once

#include <sched.h>

namespace weft::limits {

/// Polls at first; then gives the core away between polls, for there may be more ranks than cores.
class patience {
public:
    void wait() noexcept {
        pause();
        if (++polls_ > polls_before_yield) (void)sched_yield();
    }

private:
    /// Tells the processor that this is a loop of polls: else it speculates on the loads ahead, and begins
    /// anew when the line arrives.
    static void pause() noexcept {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
        __asm__ volatile("yield");
#endif
    }

    static constexpr int polls_before_yield = 64;
    int polls_ = 0;
};

} // namespace weft::limits
