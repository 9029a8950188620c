/// Two states of a running program, compared by the processor time of many short slices.
#pragma once

#include "busy_loops.hpp"

#include <weft/core/communicator.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace weft::tool {

/// A mean and where it lies with 95 %.
struct estimate {
    double mean = 0;
    double low = 0;
    double high = 0;
};

/// The mean of `values` without a tenth at each end, and its interval by 2,000 bootstrap samples. The samples
/// are the same in each run. Source: Efron, Tibshirani, An introduction to the bootstrap, 1993, section 13.3.
[[nodiscard]] estimate trimmed_mean(std::vector<double> values);
/// "+0.03 % (-0.02 to 0.09)".
[[nodiscard]] std::string as_percent(estimate const& share);

/// One of the two: a loop, and what is done on each rank before a slice of it.
struct slice_state {
    busy_loop* loop;
    std::function<void()> begin;
};

/// Measures in pairs: a slice in one state and at once one in the other, in an order that is drawn, so that
/// neither drift nor order favours a state. Times are those that all threads of a process compute. So what
/// other processes do meanwhile counts only by what it does to caches and clocks.
class slice_pairs {
public:
    /// Collective. Each rank runs loops of its own: it waits for no other one.
    slice_pairs(communicator const& comm, int pairs, double slice_seconds)
        : comm_(comm), pairs_(pairs), slice_seconds_(slice_seconds) {}

    /// How much more a round takes in `state` than in `usual`: 0.01 for 1 %. Collective; the same on all
    /// ranks.
    [[nodiscard]] estimate extra(slice_state const& usual, slice_state const& state) const;

private:
    [[nodiscard]] std::int64_t rounds_of_a_slice(busy_loop& loop) const;

    communicator comm_;
    int pairs_;
    double slice_seconds_;
};

} // namespace weft::tool
