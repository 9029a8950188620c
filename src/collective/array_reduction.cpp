#include "array_reduction.hpp"

#include <algorithm>
#include <utility>

namespace weft {

namespace {

/// For what comes from one source: memory that is still in a cache when it is read again.
constexpr std::size_t window_bytes = std::size_t{1} << 18;

class pair_of_arrays final : public detail::combination {
public:
    pair_of_arrays(array_operator& how, std::byte* into, std::byte const* other, std::size_t elements,
        bool other_is_left)
        : how_(how), into_(into), other_(other), elements_(elements), other_is_left_(other_is_left) {}
    // mutant: threads_combine_arrays_backwards
    void run() override { how_.combine(into_, other_, elements_, other_is_left_); }

private:
    array_operator& how_;
    std::byte* into_;
    std::byte const* other_;
    std::size_t elements_;
    bool other_is_left_;
};

} // namespace

array_reduction::array_reduction(
    transport& via, int tag, array_call const& call, array_operator& how, send_mode mode)
    : via_(via),
      tag_(tag),
      how_(&how),
      mode_(mode),
      arrays_(call.arrays),
      element_bytes_(call.element_bytes),
      segment_(segment_elements(call)),
      window_(std::clamp<std::size_t>(window_bytes / call.segment_bytes, 2, 4)) {
    plan(call);
    local_ = all_local_;
    units_left_ = units_.size();
}

void array_reduction::again(array_operator& how, send_mode mode) {
    how_ = &how;
    mode_ = mode;
    for (unit& each : units_) {
        std::fill(each.parts.begin(), each.parts.end(), part{});
        // mutant: arrays_remember_the_first_run
        each.done = false;
    }
    for (source& each : sources_) {
        each.arrived = each.posted = 0;
        each.held.clear();
    }
    for (target& each : targets_) each.next = each.begin;
    local_ = all_local_;
    units_left_ = units_.size();
    sent_complete_ = 0;
    thrown_ = nullptr;
    pairs_.clear();
}

void array_reduction::plan(array_call const& call) {
    rounds_by_place all;
    for (std::int64_t const id : call.who.mine) all.push_back(array_rounds(call.rounds, id, call.elements));
    rows_.resize(all.size());
    for (std::size_t place = 0; place < all.size(); ++place) {
        rows_[place].resize(all[place].size());
        for (std::size_t nth = 0; nth < all[place].size(); ++nth) {
            plan_sends(place, nth, all[place][nth], call.who);
            plan_units(place, nth, all, call.who);
        }
    }
    // In the order of rounds, so that one pass over a row finds all that has become ready.
    std::stable_sort(all_local_.begin(), all_local_.end(),
        [](local_part const& a, local_part const& b) { return a.round < b.round; });
    std::sort(sends_.begin(), sends_.end(), [](outgoing const& a, outgoing const& b) {
        return a.rank != b.rank ? a.rank < b.rank : a.what < b.what;
    });
    for (std::size_t i = 0; i < sends_.size(); ++i) {
        if (i == 0 || sends_[i].rank != sends_[i - 1].rank) targets_.push_back({i, i, i});
        ++targets_.back().end;
    }
    // Each begins with the rank after its own, or all members of a group would send to the first one at once.
    std::rotate(targets_.begin(),
        std::find_if(targets_.begin(), targets_.end(),
            [&](target const& each) { return sends_[each.next].rank > via_.rank(); }),
        targets_.end());
    for (source& each : sources_)
        std::sort(each.segments.begin(), each.segments.end(),
            [](incoming const& a, incoming const& b) { return a.what < b.what; });
}

void array_reduction::plan_sends(
    std::size_t place, std::size_t nth, array_round const& now, participants const& who) {
    for (std::size_t member = 0; member < now.members.size(); ++member) {
        int const rank = who.rank_of(now.members[member]);
        if (rank == via_.rank()) continue;
        for_segments(now.kept_by(member), segment_, [&](element_range elements) {
            sends_.push_back({{now.round, who.mine[place], now.members[member], elements}, rank, place, nth});
        });
    }
}

void array_reduction::plan_units(
    std::size_t place, std::size_t nth, rounds_by_place const& all, participants const& who) {
    array_round const& now = all[place][nth];
    element_range const kept = now.kept_by(now.mine);
    rows_[place][nth] = {kept, units_.size()};
    for_segments(kept, segment_, [&](element_range elements) {
        std::size_t const number = units_.size();
        units_.push_back({place, elements, std::vector<part>(now.members.size())});
        for (std::size_t member = 0; member < now.members.size(); ++member) {
            std::int64_t const id = now.members[member];
            int const rank = who.rank_of(id);
            if (rank != via_.rank()) {
                source_of(rank).segments.push_back(
                    {{now.round, id, who.mine[place], elements}, number, member});
                continue;
            }
            std::size_t const from = place_of(who, id);
            auto const same = std::find_if(all[from].begin(), all[from].end(),
                [&](array_round const& each) { return each.round == now.round; });
            all_local_.push_back(
                {number, member, now.round, from, static_cast<std::size_t>(same - all[from].begin())});
        }
    });
}

array_reduction::source& array_reduction::source_of(int rank) {
    auto const found =
        std::find_if(sources_.begin(), sources_.end(), [&](source const& each) { return each.rank == rank; });
    return found != sources_.end() ? *found : sources_.emplace_back(source{rank});
}

/// Elements are final before a round of a participant once the units of the round before are done.
bool array_reduction::complete(std::size_t place, std::size_t nth, element_range elements) const {
    if (nth == 0) return true;
    unit_row const& row = rows_[place][nth - 1];
    std::size_t const first = (elements.first - row.elements.first) / segment_;
    std::size_t const last = (elements.end - 1 - row.elements.first) / segment_;
    for (std::size_t i = first; i <= last; ++i)
        if (!units_[row.first + i].done) return false;
    return true;
}

/// True if the pair is combined when this returns; otherwise a runner has it.
bool array_reduction::combine(unit& now, std::size_t left, std::size_t right) {
    part const first = std::exchange(now.parts[left], part{});
    part const second = std::exchange(now.parts[right], part{});
    bool const into_right = second.own;
    part const& into = into_right ? second : first;
    part const& other = into_right ? first : second;
    part const made{into.data, first.height + 1, first.own || second.own};
    if (runner_ != nullptr && !thrown_) {
        pairs_.push_back({&now, left, made});
        ++in_hand_;
        runner_->begin(pairs_.size() - 1, detail::owned<detail::combination>(new pair_of_arrays(*how_,
                                              into.data, other.data, now.elements.size(), into_right)));
        return false;
    }
    if (!thrown_) {
        try {
            // mutant: arrays_combine_backwards
            how_->combine(into.data, other.data, now.elements.size(), into_right);
        } catch (...) { thrown_ = std::current_exception(); }
    }
    now.parts[left] = made;
    return true;
}

/// Goes on with the pairs that have been combined; true if there were any.
bool array_reduction::collect(bool idle) {
    bool any = false;
    while (auto const ended = runner_->next(idle && !any)) {
        any = true;
        --in_hand_;
        if (ended->thrown && !thrown_) thrown_ = ended->thrown;
        pair_in_hand const& made = pairs_[ended->number];
        unit& now = *made.of;
        std::size_t const left = made.left;
        now.parts[left] = made.made;
        climb(now, left);
    }
    return any;
}

void array_reduction::arrive(unit& now, std::size_t member, std::byte* data, bool own) {
    now.parts[member] = {data, 0, own};
    climb(now, member);
}

/// Combines what is here with its brother, and the pair with its brother, as far as they are here.
void array_reduction::climb(unit& now, std::size_t member) {
    std::size_t const size = now.parts.size();
    for (;;) {
        part& here = now.parts[member];
        std::size_t const width = std::size_t{1} << here.height;
        if (width >= size) return finish(now);
        bool const is_right = (member & width) != 0;
        if (!is_right && member + width >= size) { // there is no brother
            ++here.height;
            continue;
        }
        std::size_t const left = is_right ? member - width : member;
        part& brother = now.parts[is_right ? left : member + width];
        if (brother.data == nullptr || brother.height != here.height) return;
        if (!combine(now, left, left + width)) return;
        member = left;
    }
}

void array_reduction::finish(unit& now) {
    now.done = true;
    --units_left_;
    for (buffer& each : now.memory) spare_.push_back(std::move(each));
    now.memory.clear();
}

bool array_reduction::take_local() {
    bool any = false;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < local_.size(); ++i) {
        local_part const each = local_[i];
        unit& waits = units_[each.unit];
        if (complete(each.from, each.nth, waits.elements)) {
            arrive(waits, each.member, at(each.from, waits.elements.first), each.from == waits.owner);
            any = true;
        } else {
            local_[kept++] = each;
        }
    }
    local_.resize(kept);
    return any;
}

bool array_reduction::receive(source& from) {
    bool any = false;
    for (;;) {
        std::erase_if(from.held, [&](std::size_t each) { return units_[each].done; });
        while (from.posted < from.segments.size()) {
            incoming& next = from.segments[from.posted];
            bool const same = !from.held.empty() && from.held.back() == next.unit;
            if (!same && from.held.size() == window_) break;
            if (!same) from.held.push_back(next.unit);
            ++from.posted;
            if (!spare_.empty()) {
                next.memory = std::move(spare_.back());
                spare_.pop_back();
            }
            next.memory.resize(next.what.elements.size() * element_bytes_);
            next.pending = via_.receive(from.rank, tag_, next.memory.bytes());
        }
        if (from.arrived == from.posted) return any;
        incoming& first = from.segments[from.arrived];
        if (!via_.test(first.pending)) return any;
        ++from.arrived;
        any = true;
        std::byte* const data = first.memory.data();
        unit& now = units_[first.unit];
        now.memory.push_back(std::move(first.memory));
        arrive(now, first.member, data, false);
    }
}

/// Sends the next segment, if it is ready.
bool array_reduction::send(target& to) {
    if (to.next == to.end) return false;
    outgoing& each = sends_[to.next];
    element_range const elements = each.what.elements;
    // mutant: arrays_go_before_they_are_combined
    if (!complete(each.from, each.nth, elements)) return false;
    each.pending =
        via_.send(each.rank, tag_, {at(each.from, elements.first), elements.size() * element_bytes_}, mode_);
    ++to.next;
    return true;
}

/// A segment to each in turn: those of a unit come from all members at about the same time.
bool array_reduction::send_ready() {
    bool any = false;
    for (bool more = true; more; any = any || more) {
        more = false;
        for (target& each : targets_) more = send(each) || more;
    }
    return any;
}

progress array_reduction::step() {
    bool any = send_ready();
    any = take_local() || any;
    bool all_sent = true;
    for (source& each : sources_) any = receive(each) || any;
    if (in_hand_ > 0) any = collect(!any) || any;
    for (target const& each : targets_) all_sent = all_sent && each.next == each.end;
    if (units_left_ > 0 || !all_sent) return any ? progress::some : progress::none;
    while (sent_complete_ < sends_.size() && via_.test(sends_[sent_complete_].pending)) ++sent_complete_;
    if (sent_complete_ == sends_.size()) return progress::done;
    return any ? progress::some : progress::none;
}

void array_reduction::describe_wait(std::string& into) const {
    for (source const& each : sources_)
        if (each.arrived < each.segments.size())
            into += std::to_string(each.segments.size() - each.arrived) +
                    " segments of a reduction from rank " + std::to_string(each.rank) + "; ";
    if (in_hand_ > 0) into += std::to_string(in_hand_) + " pairs of segments that are combined; ";
}

} // namespace weft
