#include "phase_end.hpp"

#include <weft/core/error.hpp>

#include <span>
#include <utility>

namespace weft {

namespace {

/// Places among the maxima of a wave.
namespace vote_slot {
constexpr std::size_t print = 1;       ///< fingerprint of the channels
constexpr std::size_t least_print = 2; ///< complemented
} // namespace vote_slot

std::span<std::byte* const> census_lines(mail_setup const& setup) {
    return setup.memory.parts(); // the lines are the first bytes of a rank's part
}

} // namespace

phase_end::phase_end(transport& via, mail_setup const& setup, channel_list const& channels)
    : via_(via),
      control_tag_(setup.control_tag),
      channels_(channels),
      counts_(via, *setup.nodes, setup.control_tag, census_lines(setup), setup.termination,
          setup.collectives != nullptr ? setup.collectives : &via) {
}

void phase_end::fail(std::exception_ptr thrown, std::string where) {
    if (thrown_) return; // only the first error is reported
    thrown_ = std::move(thrown);
    where_thrown_ = std::move(where);
}

void phase_end::vote() {
    ballot_.max[census_slot::failed] = thrown_ ? via_.size() - via_.rank() : 0;
    // mutant: mail_ends_with_other_channels
    auto const print = early_lost_ ? 0 : static_cast<std::int64_t>(channels_.print());
    ballot_.max[vote_slot::print] = print;
    ballot_.max[vote_slot::least_print] = ~print;
    counts_.vote(ballot_);
}

bool phase_end::ends_wave() {
    if (!counts_.voted() || counts_.step() != progress::done) return false;
    end_wave();
    return true;
}

void phase_end::end_wave() {
    census_value const& all = counts_.result();
    if (all.max[vote_slot::print] != ~all.max[vote_slot::least_print]) {
        // Messages of channels that some ranks lack may wait for ever.
        comparison_.emplace(via_, control_tag_, channels_);
        return;
    }
    if (!counts_.quiet()) return;
    sent_at_quiet_ = counts_.sent();
    if (all.max[census_slot::failed] == 0) {
        quiet_ = true;
        return;
    }
    verdict_.emplace(via_, control_tag_, all_reduce_method::dissemination);
    verdict_->enter_known(
        via_.size() - static_cast<int>(all.max[census_slot::failed]), thrown_, where_thrown_);
}

progress phase_end::step_comparison() {
    progress const now = comparison_->step();
    if (now != progress::done) return now;
    try {
        comparison_->rethrow();
        throw usage_error(
            "mailbox: messages came for a channel that a rank had not made when it drained; all "
            "ranks must make their channels before");
    } catch (...) { misuse_ = std::current_exception(); }
    comparison_.reset();
    quiet_ = true;
    return progress::some;
}

progress phase_end::step_verdict() {
    progress const now = verdict_->step();
    if (now != progress::done) return now;
    quiet_ = true;
    return progress::some;
}

bool phase_end::let_waves_go() {
    bool over = counts_.let_go();
    if (verdict_) over = verdict_->let_go() && over;
    if (comparison_) over = comparison_->let_go() && over;
    return over;
}

void phase_end::begin_next() {
    quiet_ = false;
    early_lost_ = false;
    ++phase_;
    if (misuse_) thrown_ = nullptr; // it takes precedence over errors of handlers
    if (misuse_) std::rethrow_exception(std::exchange(misuse_, nullptr));
    if (!verdict_) return;
    std::exception_ptr told;
    try {
        verdict_->rethrow();
    } catch (...) { told = std::current_exception(); }
    // mutant: mail_errors_stay
    verdict_.reset();
    thrown_ = nullptr;
    std::rethrow_exception(told);
}

void phase_end::describe_wait(std::string& into) const {
    if (!drains_ && !counts_.voted()) return;
    if (verdict_)
        verdict_->describe_wait(into);
    else if (comparison_)
        comparison_->describe_wait(into);
    else if (counts_.voted())
        counts_.describe_wait(into);
}

} // namespace weft
