/// Runs callbacks of blocks on threads, or at once. Private.
#pragma once

#include "iexchange_engine.hpp"

#include <weft/detail/blocks/block_core.hpp>
#include <weft/observe/timeline.hpp>

#include <atomic>
#include <condition_variable>
#include <list>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace weft {

/// Runs the callback of a block; the outcome has its exception.
inline block_outcome outcome_of(detail::block_runner& runner, std::size_t place) {
    block_outcome result{.place = place, .over = true};
    try {
        result.done = runner.run(place);
    } catch (...) { result.thrown = std::current_exception(); }
    return result;
}

/// Runs each callback in `begin`.
class callbacks_at_once final : public block_executor {
public:
    callbacks_at_once(detail::block_runner& runner, detail::local_blocks& local, timeline& lane)
        : runner_(runner), local_(local), lane_(lane) {}

    [[nodiscard]] bool accepts() const override { return !has_outcome_; }
    void begin(std::size_t place) override {
        timeline_callback const recorded(&lane_, "block", index_of(local_.at(place).id));
        outcome_ = outcome_of(runner_, place);
        has_outcome_ = true;
    }
    [[nodiscard]] bool next(block_outcome& into) override {
        if (!has_outcome_) return false;
        into = std::move(outcome_);
        has_outcome_ = false;
        return true;
    }

private:
    detail::block_runner& runner_;
    detail::local_blocks& local_;
    timeline& lane_;
    block_outcome outcome_;
    bool has_outcome_ = false;
};

/// Threads that run callbacks. They do not communicate, but pass flushed messages to the thread that does.
class block_threads final : public block_executor, public detail::block_flusher {
public:
    block_threads(detail::local_blocks& local, int threads);
    ~block_threads() override = default;

    /// Sets the runner of later callbacks; none may be running.
    void set_runner(detail::block_runner& runner, timeline& lane) {
        runner_ = &runner;
        lane_ = &lane;
        recorded_ = lane.on();
    }

    [[nodiscard]] bool accepts() const override { return in_hand_ < 2 * threads_.size(); }
    void begin(std::size_t place) override;
    [[nodiscard]] bool next(block_outcome& into) override;
    void flush(detail::block_queues& queues) override;
    /// Waits for an outcome.
    void wait_for_outcome();

private:
    void work(std::stop_token const& stop, int thread);
    using outcomes = std::list<block_outcome>; // which move without memory, that a thread may lack
    void tell(outcomes& one, std::unique_lock<std::mutex> const& held) noexcept;

    detail::local_blocks& local_;
    detail::block_runner* runner_ = nullptr;
    timeline* lane_ = nullptr;
    bool recorded_ = false;   // true if `lane_` is on
    std::size_t in_hand_ = 0; // begun and not yet reported; used by the communicating thread only
    std::mutex mutex_;
    std::condition_variable_any something_to_do_;
    std::condition_variable something_to_tell_;
    std::condition_variable room_to_tell_; // a flush waits here while too much is not taken
    outcomes to_do_;                       // of callbacks to come: only their places
    outcomes to_tell_;
    std::atomic<bool> anything_to_tell_ = false;
    std::vector<std::jthread> threads_; // last, so that they end before other members are destroyed
};

} // namespace weft
