/// Runs of a program under an adversary, in a process each. Private.
#pragma once

#include "arrival_order.hpp"
#include "simulated_run.hpp"

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace weft {

/// The result of a run.
struct verdict {
    std::string failure; ///< empty if the run is correct
    std::string printed; ///< its lines, sorted, since ranks print in any order
    std::vector<deviation> applied;
    bool is_complete = true;  ///< `applied` is not truncated
    std::int64_t waiting = 0; ///< messages that were held when the last one was held by a deviation
    std::vector<std::int64_t>
        answered; ///< messages of which the sender was told that they are received, sorted
    std::int64_t messages = 0;
    std::int64_t items = 0; ///< of channels and blocks
};

class adversary {
public:
    /// Makes the run without deviations.
    explicit adversary(simulated_job const& job);
    adversary(adversary const&) = delete;
    adversary& operator=(adversary const&) = delete;
    ~adversary();

    /// Returns the run without deviations.
    [[nodiscard]] verdict const& usual() const noexcept { return usual_; }
    /// Runs the program with these deviations, or in this order of arrival.
    [[nodiscard]] verdict run(deviations departs, arrival_order::plan const* planned = nullptr);
    /// Returns the arrivals of the last run, and the tags of messages from any source.
    [[nodiscard]] arrival_order::record& arrivals() noexcept;
    /// Returns the limits of a run.
    [[nodiscard]] simulated_program::limits limits() const noexcept {
        if (!has_usual_) return {10'000'000, 1'000'000'000};
        return {20 * usual_.messages + 100'000, 20 * usual_.items + 2'000};
    }
    /// Returns fewer deviations with which a run still fails, possibly in another way: Zeller, Hildebrandt,
    /// Simplifying and isolating failure-inducing input, IEEE TSE 28(2), 2002, section 3.2.
    [[nodiscard]] std::vector<deviation> shrink(std::vector<deviation> failing);

private:
    struct shared_verdict;

    [[noreturn]] void live_and_tell(
        deviations& departs, arrival_order::plan const* planned, std::FILE* prints);
    void say(std::string const& failure) const;

    simulated_job const& job_;
    shared_verdict* shared_ = nullptr;
    verdict usual_;
    bool has_usual_ = false;
};

} // namespace weft
