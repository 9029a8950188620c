#include "block_threads.hpp"

#include <utility>

namespace weft {

block_threads::block_threads(detail::local_blocks& local, int threads) : local_(local) {
    for (int i = 0; i < threads; ++i)
        threads_.emplace_back([this, i](std::stop_token const& stop) { work(stop, i); });
}

void block_threads::begin(std::size_t place) {
    outcomes one;
    one.push_back({.place = place});
    ++in_hand_;
    {
        std::lock_guard const lock(mutex_);
        to_do_.splice(to_do_.end(), one);
    }
    something_to_do_.notify_one();
}

bool block_threads::next(block_outcome& into) {
    if (!anything_to_tell_.load(std::memory_order_acquire)) return false;
    std::lock_guard const lock(mutex_);
    into = std::move(to_tell_.front());
    to_tell_.pop_front();
    anything_to_tell_.store(!to_tell_.empty(), std::memory_order_release);
    if (into.over) --in_hand_;
    room_to_tell_.notify_one();
    // Recorded here and not on the thread of the callback, since a timeline has one writer.
    if (into.thread >= 0 && lane_->on())
        lane_->work({into.began, into.ended, "block", index_of(local_.at(into.place).id), into.thread});
    return true;
}

void block_threads::wait_for_outcome() {
    std::unique_lock lock(mutex_);
    something_to_tell_.wait(lock, [&] { return !to_tell_.empty(); });
}

void block_threads::flush(detail::block_queues& queues) {
    if (queues.out.empty()) return;
    outcomes one;
    one.push_back({.place = static_cast<std::size_t>(&queues - local_.all().data())});
    std::swap(one.front().sent, queues.out);
    std::unique_lock lock(mutex_);
    room_to_tell_.wait(lock, [&] { return to_tell_.size() < 4 * threads_.size(); });
    tell(one, lock);
}

void block_threads::tell(outcomes& one, std::unique_lock<std::mutex> const&) noexcept {
    to_tell_.splice(to_tell_.end(), one);
    anything_to_tell_.store(true, std::memory_order_release);
    something_to_tell_.notify_one();
}

void block_threads::work(std::stop_token const& stop, int thread) {
    std::unique_lock lock(mutex_);
    while (something_to_do_.wait(lock, stop, [&] { return !to_do_.empty(); })) {
        outcomes one;
        one.splice(one.end(), to_do_, to_do_.begin());
        bool const recorded = recorded_;
        lock.unlock();
        std::int64_t const began = recorded ? timeline::ticks() : 0;
        block_outcome& outcome = one.front();
        outcome = outcome_of(*runner_, outcome.place);
        if (recorded) {
            outcome.began = began;
            outcome.ended = timeline::ticks();
            outcome.thread = thread;
        }
        lock.lock();
        tell(one, lock);
    }
}

} // namespace weft
