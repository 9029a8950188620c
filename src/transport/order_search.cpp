#include "order_search.hpp"

#include <algorithm>
#include <utility>

namespace weft {

bool order_search::next(arrival_order::plan& run) {
    run = {};
    run.may_join = may_join_;
    if (!std::exchange(has_begun_, true)) return true;
    for (; !choices_.empty(); choices_.pop_back()) {
        choice& last = choices_.back();
        last.asleep.push_back({last.taken, last.alone});
        auto const other = std::ranges::find_if(last.possible, [&](waiting_arrival const& each) {
            return std::ranges::none_of(
                last.asleep, [&](sleeping_arrival const& sleeps) { return sleeps.what.is(each); });
        });
        if (other == last.possible.end()) continue;
        last.taken = *other;
        for (choice const& each : choices_) run.first.push_back(each.taken);
        if (reduces_) run.asleep = last.asleep;
        return true;
    }
    return false;
}

bool order_search::tell(arrival_order::record const& found) {
    std::size_t const known = choices_.size();
    auto const steps = static_cast<std::size_t>(found.steps);
    if (found.is_truncated || found.has_strayed || steps < known) return false;
    std::int32_t first = 0;
    for (std::size_t each = 0; each < steps; ++each) {
        arrival_order::step const& now = found.all[each];
        waiting_arrival const* const possible = found.all_possible + first;
        first += now.possible;
        if (each < known) {
            choices_[each].alone = now.alone;
            continue;
        }
        choice made{{possible, possible + now.possible}, {}, now.taken, now.alone};
        if (reduces_ && each > 0)
            std::ranges::copy_if(choices_[each - 1].asleep, std::back_inserter(made.asleep),
                [&, &before = choices_[each - 1]](
                    sleeping_arrival const& other) { return commute(other, before.taken, before.alone); });
        choices_.push_back(std::move(made));
    }
    if (!found.was_here) ++orders_;
    return true;
}

} // namespace weft
