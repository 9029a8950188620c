#include "termination.hpp"

namespace weft {

void termination::vote(census_value& extra) {
    extra.sum[0] = sent_;
    extra.sum[1] = handled_;
    census_.enter(extra);
}

progress termination::step() {
    progress const now = census_.step();
    if (now != progress::done) return now;
    // mutant: termination_compares_counts_of_one_wave
    quiet_ = census_.result().sum[0] == handled_before_;
    // mutant: termination_remembers_what_was_sent
    handled_before_ = census_.result().sum[1];
    return progress::done;
}

} // namespace weft
