/// Ends a rank whose operation does not end, and prints that operation.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace random_programs {

class watch {
public:
    /// `doing` returns the current call of the library.
    watch(int rank, double patience, std::function<std::string()> doing);
    watch(watch const&) = delete;
    watch& operator=(watch const&) = delete;
    ~watch() = default;

    /// The rank begins this line.
    void next(std::uint64_t seed, std::string line);
    /// The rank ends: the library is not asked any more.
    void last();

private:
    void look(std::stop_token const& stop);

    int const rank_;
    std::chrono::duration<double> const patience_;
    std::mutex mutex_;
    std::function<std::string()> doing_;
    std::uint64_t seed_ = 0;
    std::string line_;
    std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
    std::jthread thread_;
};

} // namespace random_programs
