/// Threads that combine the values of a reduction. Private.
#pragma once

#include <weft/detail/collective/combination_runner.hpp>

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace weft {

/// So many threads combine, the one that calls `next` among them: it helps where it has nothing else to do.
class combining_threads final : public detail::combination_runner {
public:
    /// Throws: `std::system_error` where the system has none.
    explicit combining_threads(int threads);

    void begin(std::size_t number, detail::owned<detail::combination> pair) override;
    [[nodiscard]] std::optional<outcome> next(bool idle) override;

private:
    struct task {
        std::size_t number = 0;
        detail::owned<detail::combination> pair;
    };

    void work(std::stop_token const& stop);
    /// Takes out the first task and runs it without the lock.
    outcome run_first(std::unique_lock<std::mutex>& held);

    std::mutex mutex_;
    std::condition_variable_any something_to_do_;
    std::deque<task> to_do_;
    std::deque<outcome> ended_;
    std::vector<std::jthread> threads_; // last: they end before the rest does
};

/// Null for one thread, which combines where it finds a pair.
[[nodiscard]] std::unique_ptr<combining_threads> threads_for(int threads, char const* operation);

} // namespace weft
