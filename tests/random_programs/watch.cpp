#include "watch.hpp"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace random_programs {

watch::watch(int rank, double patience, std::function<std::string()> doing)
    : rank_(rank), patience_(patience), doing_(std::move(doing)) {
    thread_ = std::jthread([this](std::stop_token const& stop) { look(stop); });
}

void watch::next(std::uint64_t seed, std::string line) {
    std::lock_guard const lock(mutex_);
    seed_ = seed;
    line_ = std::move(line);
    since_ = std::chrono::steady_clock::now();
}

void watch::last() {
    std::lock_guard const lock(mutex_);
    doing_ = [] { return std::string(); };
}

void watch::look(std::stop_token const& stop) {
    while (!stop.stop_requested()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        std::lock_guard const lock(mutex_);
        if (std::chrono::steady_clock::now() - since_ < patience_) continue;
        std::fprintf(stderr, "rank %d hangs: seed %llu, operation %s, in %s\n", rank_,
            static_cast<unsigned long long>(seed_), line_.c_str(), doing_().c_str());
        std::fflush(stderr);
        std::this_thread::sleep_for(std::chrono::seconds(1)); // the others say theirs
        std::_Exit(3);
    }
}

} // namespace random_programs
