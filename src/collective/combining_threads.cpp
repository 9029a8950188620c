#include "combining_threads.hpp"

#include <core/simulated_ranks.hpp>
#include <core/thread_count.hpp>

#include <utility>

namespace weft {

combining_threads::combining_threads(int threads) {
    for (int i = 1; i < threads; ++i)
        threads_.emplace_back([this](std::stop_token const& stop) { work(stop); });
}

void combining_threads::begin(std::size_t number, detail::owned<detail::combination> pair) {
    {
        std::lock_guard const lock(mutex_);
        to_do_.push_back({number, std::move(pair)});
    }
    something_to_do_.notify_one();
}

detail::combination_runner::outcome combining_threads::run_first(std::unique_lock<std::mutex>& held) {
    task now = std::move(to_do_.front());
    to_do_.pop_front();
    held.unlock();
    outcome made{now.number};
    try {
        now.pair->run();
    } catch (...) { made.thrown = std::current_exception(); }
    held.lock();
    return made;
}

std::optional<detail::combination_runner::outcome> combining_threads::next(bool idle) {
    std::unique_lock lock(mutex_);
    if (ended_.empty()) {
        if (!idle || to_do_.empty()) return std::nullopt;
        return run_first(lock);
    }
    outcome made = std::move(ended_.front());
    ended_.pop_front();
    return made;
}

void combining_threads::work(std::stop_token const& stop) {
    std::unique_lock lock(mutex_);
    while (something_to_do_.wait(lock, stop, [&] { return !to_do_.empty(); }) && !stop.stop_requested())
        ended_.push_back(run_first(lock));
}

std::unique_ptr<combining_threads> threads_for(int threads, char const* operation) {
    check_threads(operation, threads);
    return threads == 1 || is_simulated_rank() ? nullptr : std::make_unique<combining_threads>(threads);
}

} // namespace weft
