/// Turns step functions into blocking calls: polls, then yields the core, then sleeps (law 12).
#pragma once

#include <cstdint>

namespace weft {

/// The outcome of a step of an engine.
enum class progress {
    none, ///< no event has happened
    some, ///< an event has happened; another step at once is worthwhile
    done, ///< the engine has finished
};

/// Tells the processor that this is a polling loop, which it should not execute speculatively.
inline void spin_hint() noexcept {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/// Makes waiting cheap: returns at once for the first `spin` fruitless polls, then yields the core, and after
/// some milliseconds without progress sleeps, longer each time, up to 100 microseconds.
class backoff {
public:
    /// Makes a backoff that spins through this number of fruitless polls.
    explicit backoff(int spin) noexcept : spin_(spin) {}

    /// Forgets the polls without success, since there was progress.
    void reset() noexcept { fruitless_ = 0; }
    /// Waits after a poll without success; the time depends on the number of such polls.
    void pause() noexcept {
        if (++fruitless_ > spin_) yield_or_sleep();
    }

private:
    void yield_or_sleep() noexcept;

    std::int64_t spin_;
    std::int64_t fruitless_ = 0;
};

/// Steps until the engine is done.
template <class Step>
void drive(backoff wait, Step&& step) {
    for (progress now = step(); now != progress::done; now = step()) {
        if (now == progress::some)
            wait.reset();
        else
            wait.pause();
    }
}

} // namespace weft
