#include "barrier_consensus.hpp"

namespace weft {

send_mode barrier_consensus::mode() const noexcept {
    // mutant: consensus_sends_standard
    return send_mode::synchronous;
}

void barrier_consensus::add_work(std::int64_t messages) noexcept {
    // mutant: consensus_is_never_dirty
    work_ += messages;
    dirty_ = true;
}

void barrier_consensus::begin(state next) {
    state_ = next;
    mine_ = census_value::identity();
    mine_.any = dirty_ ? 1 : 0;
    collective_ = via_.all_reduce(mine_, combined_);
    ++collectives_;
}

progress barrier_consensus::step(bool idle) {
    if (!idle) dirty_ = true;
    switch (state_) {
    case state::working:
        // mutant: consensus_enters_with_work
        if (!idle || work_ != 0) return progress::none;
        dirty_ = false;
        begin(state::in_barrier);
        return progress::some;
    case state::in_barrier:
        if (!via_.test(collective_)) return progress::none;
        begin(state::in_reduction);
        return progress::some;
    case state::in_reduction:
        if (!via_.test(collective_)) return progress::none;
        state_ = state::working;
        ++waves_;
        // mutant: consensus_tests_the_reduced_flag_the_wrong_way_round
        return combined_.any == 0 ? progress::done : progress::some;
    }
    return progress::none;
}

} // namespace weft
