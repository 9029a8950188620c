#include "array_spread.hpp"

#include <algorithm>
#include <cstring>

namespace weft {

array_spread::array_spread(transport& via, int tag, array_call const& call, send_mode mode)
    : via_(via),
      tag_(tag),
      mode_(mode),
      arrays_(call.arrays),
      element_bytes_(call.element_bytes),
      segment_(segment_elements(call)) {
    plan(call);
    missing_ = all_missing_;
    copies_ = all_copies_;
}

void array_spread::again(send_mode mode) {
    mode_ = mode;
    for (source& each : sources_) each.arrived = each.posted = 0;
    for (target& each : targets_) each.next = each.begin;
    missing_ = all_missing_;
    copies_ = all_copies_;
    sent_complete_ = 0;
}

void array_spread::plan(array_call const& call) {
    participants const& who = call.who;
    all_missing_.resize(who.mine.size());
    for (std::size_t place = 0; place < who.mine.size(); ++place) {
        std::int64_t const id = who.mine[place];
        for (array_round const& now : array_rounds(call.rounds, id, call.elements))
            for (std::size_t member = 0; member < now.members.size(); ++member) {
                if (member == now.mine) continue;
                std::int64_t const other = now.members[member];
                int const rank = who.rank_of(other);
                bool const here = rank == via_.rank();
                for_segments(now.kept_by(member), segment_, [&](element_range elements) {
                    all_missing_[place].push_back({now.round, elements});
                    if (here)
                        all_copies_.push_back({now.round, place_of(who, other), place, elements});
                    else
                        source_of(rank).segments.push_back(
                            {{-now.round, other, id, elements}, now.round, place});
                });
                if (here) continue;
                for_segments(now.kept_by(now.mine), segment_, [&](element_range elements) {
                    sends_.push_back({{-now.round, id, other, elements}, now.round, rank, place});
                });
            }
    }
    std::stable_sort(all_copies_.begin(), all_copies_.end(),
        [](local_copy const& a, local_copy const& b) { return a.round > b.round; });
    std::sort(sends_.begin(), sends_.end(), [](outgoing const& a, outgoing const& b) {
        return a.rank != b.rank ? a.rank < b.rank : a.what < b.what;
    });
    for (std::size_t i = 0; i < sends_.size(); ++i) {
        if (i == 0 || sends_[i].rank != sends_[i - 1].rank) targets_.push_back({i, i, i});
        ++targets_.back().end;
    }
    for (source& each : sources_)
        std::sort(each.segments.begin(), each.segments.end(),
            [](incoming const& a, incoming const& b) { return a.what < b.what; });
}

array_spread::source& array_spread::source_of(int rank) {
    auto const found =
        std::find_if(sources_.begin(), sources_.end(), [&](source const& each) { return each.rank == rank; });
    return found != sources_.end() ? *found : sources_.emplace_back(source{rank});
}

/// True if these elements are here as far as they come in later rounds, which are taken first.
bool array_spread::has(std::size_t place, int round, element_range elements) const {
    return std::none_of(missing_[place].begin(), missing_[place].end(), [&](missing const& each) {
        // mutant: arrays_spread_what_they_do_not_have_yet
        return each.round > round && each.elements.first < elements.end && elements.first < each.elements.end;
    });
}

void array_spread::got(std::size_t place, int round, element_range elements) {
    std::erase_if(missing_[place],
        [&](missing const& each) { return each.round == round && each.elements == elements; });
}

bool array_spread::copy() {
    bool any = false;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < copies_.size(); ++i) {
        local_copy const each = copies_[i];
        if (!has(each.from, each.round, each.elements)) {
            copies_[kept++] = each;
            continue;
        }
        std::memcpy(at(each.to, each.elements.first), at(each.from, each.elements.first),
            each.elements.size() * element_bytes_);
        got(each.to, each.round, each.elements);
        any = true;
    }
    copies_.resize(kept);
    return any;
}

bool array_spread::receive(source& from) {
    bool any = false;
    for (;;) {
        for (; from.posted < from.segments.size() && from.posted < from.arrived + window; ++from.posted) {
            incoming& next = from.segments[from.posted];
            element_range const elements = next.what.elements;
            next.pending = via_.receive(
                from.rank, tag_, {at(next.to, elements.first), elements.size() * element_bytes_});
        }
        if (from.arrived == from.posted) return any;
        incoming& first = from.segments[from.arrived];
        if (!via_.test(first.pending)) return any;
        ++from.arrived;
        any = true;
        got(first.to, first.round, first.what.elements);
    }
}

bool array_spread::send(target& to) {
    bool any = false;
    for (; to.next < to.end; ++to.next) {
        outgoing& each = sends_[to.next];
        element_range const elements = each.what.elements;
        if (!has(each.from, each.round, elements)) break;
        each.pending = via_.send(
            each.rank, tag_, {at(each.from, elements.first), elements.size() * element_bytes_}, mode_);
        any = true;
    }
    return any;
}

progress array_spread::step() {
    bool any = false;
    for (source& each : sources_) any = receive(each) || any;
    any = copy() || any;
    for (target& each : targets_) any = send(each) || any;
    bool complete = copies_.empty();
    for (source const& each : sources_) complete = complete && each.arrived == each.segments.size();
    for (target const& each : targets_) complete = complete && each.next == each.end;
    if (!complete) return any ? progress::some : progress::none;
    while (sent_complete_ < sends_.size() && via_.test(sends_[sent_complete_].pending)) ++sent_complete_;
    // mutant: arrays_leave_before_all_is_sent
    if (sent_complete_ == sends_.size()) return progress::done;
    return any ? progress::some : progress::none;
}

void array_spread::describe_wait(std::string& into) const {
    for (source const& each : sources_)
        if (each.arrived < each.segments.size())
            into += std::to_string(each.segments.size() - each.arrived) + " segments of an array from rank " +
                    std::to_string(each.rank) + "; ";
}

} // namespace weft
