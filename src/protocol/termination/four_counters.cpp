#include "four_counters.hpp"

namespace weft {

progress four_counters::step(bool idle) {
    if (!wave_) {
        if (!idle) return progress::none;
        census_value counts = census_value::identity();
        counts.sum[0] = sent_;
        counts.sum[1] = handled_;
        wave_.emplace(via_, 0, all_reduce_method::collective); // needs no tag
        wave_->enter(counts);
    }
    progress const now = wave_->step();
    if (now != progress::done) return now;
    census_value const all = wave_->result();
    wave_.reset();
    ++waves_;
    // mutant: four_counters_are_two
    bool const quiet = all.sum[0] == handled_before_;
    handled_before_ = all.sum[1];
    return quiet ? progress::done : progress::some;
}

} // namespace weft
