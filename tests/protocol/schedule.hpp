/// In which order the ranks of a `memory_network` run: some slow, some stalled, all in one thread.
#pragma once

#include "memory_network.hpp"

#include <weft/transport/drive.hpp>

#include <harness/mpi_test.hpp>

#include <array>
#include <exception>

namespace weft_test {

/// Steps every rank until all are done, letting the network act in between, in an order drawn from a seed.
class schedule {
public:
    schedule(memory_network& network, std::uint64_t seed) : network_(network), random_(seed) {
        network_turns_ = std::array{0.1, 0.5, 0.9}[random_() % 3];
        auto const ranks = static_cast<std::size_t>(network.size());
        for (std::size_t r = 0; r < ranks; ++r) weight_.push_back(random_() % 4 == 0 ? 0.05 : 1.0);
        awake_at_.assign(ranks, 0);
    }

    /// `step(rank)` is called until it has said done, for every rank. Throws std::runtime_error when that
    /// takes more than `limit` turns.
    template <class Step>
    void run(Step&& step, std::int64_t limit = 2'000'000) {
        std::vector<bool> done(weight_.size(), false);
        auto left = weight_.size();
        std::discrete_distribution<std::size_t> pick(weight_.begin(), weight_.end());
        for (std::int64_t turn = 0; left > 0; ++turn) {
            if (turn > limit)
                throw std::runtime_error("stuck: " + std::to_string(left) + " ranks are not done");
            if (std::uniform_real_distribution<double>()(random_) < network_turns_) {
                network_.act();
                continue;
            }
            std::size_t const rank = pick(random_);
            if (done[rank] || turn < awake_at_[rank]) continue;
            if (random_() % 256 == 0) awake_at_[rank] = turn + static_cast<std::int64_t>(random_() % 2000);
            if (step(static_cast<int>(rank)) == weft::progress::done) {
                done[rank] = true;
                --left;
            }
        }
        while (network_.act()) {} // completions that nobody waits for
    }

private:
    memory_network& network_;
    std::mt19937_64 random_;
    double network_turns_ = 0.5;
    std::vector<double> weight_;
    std::vector<std::int64_t> awake_at_;
};

/// Calls `body(seed)` for `runs` seeds that are drawn from the seed of the test, dealt out over the ranks
/// that run it. Stops at the first that fails and names it; WEFT_TEST_SEED, which the harness prints, replays
/// it at any number of ranks.
template <class Body>
void for_seeds(int runs, Body&& body) {
    std::mt19937_64 base = random();
    std::uint64_t const first = base();
    for (int run = rank(); run < runs && !testing::Test::HasFailure(); run += size()) {
        SCOPED_TRACE("run " + std::to_string(run));
        try {
            body(first + 0x9E3779B97F4A7C15ull * static_cast<std::uint64_t>(run));
        } catch (std::exception const& thrown) { ADD_FAILURE() << thrown.what(); }
    }
}

} // namespace weft_test
