#include "arrival_order.hpp"

#include <algorithm>

namespace weft {

void arrival_order::record::clear() noexcept {
    steps = possible = 0;
    is_truncated = was_here = has_strayed = has_hurried = can_join = false;
}

void arrival_order::note_any_source(record& into, int group, int tag) noexcept {
    for (std::int32_t each = 0; each < into.tags; ++each)
        if (into.any_source[each].group == group && into.any_source[each].tag == tag) return;
    if (into.tags < record::most_tags)
        into.any_source[into.tags++] = {group, tag};
    else
        into.is_truncated = true;
}

bool arrival_order::has(int group, int tag) const noexcept {
    return std::any_of(record_.any_source, record_.any_source + record_.tags,
        [&](any_source_tag const& each) { return each.group == group && each.tag == tag; });
}

void arrival_order::add(waiting_arrival const& made, std::uint32_t subject, void const* channel) {
    waiting_.push_back({made, subject, channel});
}

/// Returns the places of the first messages of each channel.
std::vector<std::size_t> arrival_order::heads() const {
    std::vector<std::size_t> found;
    for (std::size_t each = 0; each < waiting_.size(); ++each)
        if (std::ranges::none_of(found,
                [&](std::size_t earlier) { return waiting_[earlier].channel == waiting_[each].channel; }))
            found.push_back(each);
    return found;
}

/// Returns what may arrive next, first all that is looked at at once. Of messages that are found at one look,
/// those before the last one may as well arrive just before it, so no others arrive between them.
std::vector<arrival_order::choice> arrival_order::choices() {
    bool const is_joined = taken_ > 0 && last_.taken.joins;
    std::vector<choice> found;
    for (std::size_t const each : heads())
        if (!is_joined || waiting_[each].what.receiver == last_.taken.receiver)
            found.push_back({each, waiting_[each].what});
    for (std::size_t each = 0, count = found.size(); each < count; ++each) {
        choice joined = found[each];
        if (std::ranges::count(
                waiting_, joined.what.receiver, [](message const& other) { return other.what.receiver; }) < 2)
            continue;
        record_.can_join = true;
        joined.what.joins = true;
        if (plan_.may_join) found.push_back(joined);
    }
    return found;
}

bool arrival_order::sleeps(waiting_arrival const& what) const noexcept {
    return std::ranges::any_of(
        plan_.asleep, [&](sleeping_arrival const& each) { return each.what.is(what); });
}

/// Returns the next message, if it is not asleep.
std::optional<arrival_order::choice> arrival_order::choose(
    std::vector<choice> const& possible, deviations& departs) {
    std::optional<std::int32_t> const joined = departs.at(deviation::kind::joins, taken_);
    std::optional<std::int32_t> const given = joined ? joined : departs.at(deviation::kind::comes, taken_);
    bool const is_planned = static_cast<std::size_t>(taken_) < plan_.first.size();
    auto found = possible.end();
    if (given || is_planned) {
        waiting_arrival wanted;
        if (given) {
            wanted.message = *given;
            wanted.joins = joined.has_value();
        } else {
            wanted = plan_.first[static_cast<std::size_t>(taken_)];
        }
        found = std::ranges::find_if(possible, [&](choice const& each) { return each.what.is(wanted); });
        if (found == possible.end()) record_.has_strayed = true;
    } else {
        found = std::ranges::find_if(possible, [&](choice const& each) { return !sleeps(each.what); });
        if (found == possible.end()) return std::nullopt;
    }
    if (found == possible.end()) found = possible.begin();
    // The first one is noted always, as a mark of runs with an order.
    if (!given && (found != possible.begin() || taken_ == 0))
        departs.note({found->what.joins ? deviation::kind::joins : deviation::kind::comes,
            found->what.message, taken_});
    return *found;
}

int arrival_order::last_receiver() const noexcept {
    return taken_ == 0 ? -1 : last_.taken.receiver;
}

void arrival_order::tell_of_last(bool alone) noexcept {
    last_.alone = alone;
    if (taken_ <= record_.steps) record_.all[taken_ - 1].alone = alone;
}

std::optional<arrival_order::arrival> arrival_order::take(deviations& departs) {
    if (taken_ > 0 && static_cast<std::size_t>(taken_) >= plan_.first.size())
        std::erase_if(plan_.asleep,
            [&](sleeping_arrival const& each) { return !commute(each, last_.taken, last_.alone); });
    std::vector<choice> const possible = choices();
    std::optional<choice> const chosen = choose(possible, departs);
    if (!chosen) {
        record_.was_here = true;
        return std::nullopt;
    }
    last_ = {chosen->what, static_cast<std::int32_t>(possible.size()), false};
    if (record_.steps == record::most_steps || record::most_possible - record_.possible < last_.possible) {
        record_.is_truncated = true;
    } else {
        record_.all[record_.steps++] = last_;
        for (choice const& each : possible) record_.all_possible[record_.possible++] = each.what;
    }
    ++taken_;
    std::uint32_t const subject = waiting_[chosen->place].subject;
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(chosen->place));
    return arrival{subject, chosen->what.joins};
}

} // namespace weft
