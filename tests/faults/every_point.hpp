/// Every allocation of every call on simulated ranks fails once, each in a child process of its own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace faults {

struct every_point {
    std::vector<std::string> calls; ///< all that run on simulated ranks if empty
    std::vector<int> ranks = {};    ///< 2 and 3 if empty
    std::int64_t stride = 1;        ///< every n-th point is tried
    std::int64_t seed = 0;          ///< says which
    int together = 2;               ///< number of processes
    bool first = false;     ///< the call is the first of its program, and makes what is kept for the next one
    std::int64_t point = 0; ///< this alone
    int rank = -1;          ///< this alone
};

/// Returns 0 if all points end well.
[[nodiscard]] int run_every_point(every_point const& asked);

} // namespace faults
