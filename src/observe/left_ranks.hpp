/// Finds the ranks of a job that wait for one that has ended its program. Private.
#pragma once

#include "job_pages.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace weft {

/// The operation of a rank that has ended its program and waits for the others to do so.
inline constexpr char const* leaving_operation = "leaving the environment";

/// Checks, on a rank that leaves, whether any rank can still make progress. All ranks of the job must be on
/// this node: pages on other nodes are not readable.
class left_ranks {
public:
    /// Returns a text for the user once every other rank has left, or has waited in one call without progress
    /// for some seconds, and at least one waits. Only the lowest of the ranks that leave gets it. Otherwise
    /// empty. To be called often: it looks once a second.
    [[nodiscard]] std::string look();

private:
    using clock = std::chrono::steady_clock;
    /// Facts of a rank. One of them changes when the rank makes progress.
    struct rank_mark {
        std::uint64_t begun = 0;
        std::int64_t waits_since = 0;
        friend bool operator==(rank_mark const&, rank_mark const&) = default;
    };

    [[nodiscard]] bool find_pages();
    [[nodiscard]] std::string text() const;

    clock::time_point began_ = clock::now();
    clock::time_point looked_ = began_;
    clock::time_point same_since_ = began_;
    std::vector<shared_page> pages_; // by rank
    int searches_ = 0;
    std::vector<rank_mark> marks_;
    std::vector<double> cpu_; // seconds, at `same_since_`
};

} // namespace weft
