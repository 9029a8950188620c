#include "termination.hpp"

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>
#include <vector>

namespace weft {

std::string_view name_of(termination_kind value) noexcept {
    constexpr std::string_view names[] = {"counted_waves", "four_counters", "barrier_consensus", "unknown"};
    return names[std::min(static_cast<std::size_t>(value), std::size(names) - 1)];
}

termination::~termination() {
    if (collective_ == nullptr) return;
    // MPI may still write its result, so it is kept for ever; a leak detector finds it here.
    try {
        static auto* const kept = new std::vector<std::unique_ptr<census>>;
        kept->push_back(std::move(collective_));
    } catch (std::bad_alloc const&) { (void)collective_.release(); }
}

void termination::vote(census_value& extra) {
    extra.sum[0] = sent_;
    extra.sum[1] = handled_;
    if (kind_ == termination_kind::counted_waves) {
        census_.enter(extra);
        return;
    }
    is_barrier_ = kind_ == termination_kind::barrier_consensus;
    ballot_ = extra;
    dirty_ = false;
    begin_collective(is_barrier_ ? census_value::identity() : ballot_);
}

void termination::begin_collective(census_value const& mine) {
    collective_ =
        std::make_unique<census>(*collectives_, 0, all_reduce_method::collective); // which needs no tag
    collective_->enter(mine);
}

progress termination::step_collective() {
    progress const now = collective_->step();
    if (now != progress::done) return now;
    if (is_barrier_) {
        is_barrier_ = false;
        ballot_.any = dirty_ ? 1 : 0;
        begin_collective(ballot_);
        return progress::some;
    }
    result_ = collective_->result();
    collective_.reset();
    ++collective_waves_;
    return progress::done;
}

progress termination::step() {
    progress const now = collective_ ? step_collective() : census_.step();
    if (now != progress::done) return now;
    if (kind_ == termination_kind::barrier_consensus) {
        quiet_ = result_.any == 0;
        return progress::done;
    }
    // mutant: termination_compares_counts_of_one_wave
    quiet_ = result().sum[0] == handled_before_;
    // mutant: termination_remembers_what_was_sent
    handled_before_ = result().sum[1];
    return progress::done;
}

} // namespace weft
