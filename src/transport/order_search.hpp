/// The search for all orders of arrival, without those that no rank can tell from others. Private.
#pragma once

#include "arrival_order.hpp"

#include <cstdint>
#include <vector>

namespace weft {

/// Goes through the tree of choices, depth first, by a new run for each path. Of orders that differ by the
/// places of arrivals that commute, one is run to its end: sleep sets, Godefroid, Partial-order methods for
/// the verification of concurrent systems, LNCS 1032, 1996, section 5.
class order_search {
public:
    /// `reduces`: arrivals may commute. `may_join`: ranks may find several messages at one look, too.
    explicit order_search(bool reduces = true, bool may_join = false)
        : reduces_(reduces), may_join_(may_join) {}

    /// Returns false if all runs have been made.
    [[nodiscard]] bool next(arrival_order::plan& run);
    /// Reports the arrivals of this run. Returns false if it did not follow its plan, or was too long.
    [[nodiscard]] bool tell(arrival_order::record const& found);
    /// Returns the number of runs that went to their ends.
    [[nodiscard]] std::int64_t orders() const noexcept { return orders_; }

private:
    struct choice {
        std::vector<waiting_arrival> possible;
        std::vector<sleeping_arrival> asleep; // not to be taken, or taken before
        waiting_arrival taken;
        bool alone = false;
    };

    bool reduces_;
    bool may_join_;
    bool has_begun_ = false;
    std::int64_t orders_ = 0;
    std::vector<choice> choices_; // of the last run
};

} // namespace weft
