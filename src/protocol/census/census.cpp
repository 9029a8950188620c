#include <weft/extend/protocol/census.hpp>

#include "packed_census.hpp"

#include <core/left_memory.hpp>

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

namespace weft {

census::census(transport& via, int control_tag, all_reduce_method method)
    : via_(via), tag_(control_tag), method_(method), size_(via.size()), place_(via.rank()) {
}

census::census(transport& via, int control_tag, std::span<int const> members, int place)
    : via_(via),
      tag_(control_tag),
      method_(all_reduce_method::dissemination),
      members_(members),
      size_(static_cast<int>(members.size())),
      place_(place) {
}

void census::leave_messages() noexcept {
    auto const is_under_way = [](round const& each) { return each.receive || each.send; };
    if (std::ranges::any_of(rounds_, is_under_way)) leave_to_mpi(std::move(rounds_));
}

void census::plan_rounds() {
    static_assert(most_packed >= packed_census::most_bytes);
    // n takes the values of the leading binary digits of P. Before the first digit it is 0, and the windows
    // are the empty one and that of this rank.
    auto const ranks = static_cast<unsigned>(size_);
    int n = 0;
    rounds_.reserve(static_cast<std::size_t>(std::bit_width(ranks - 1))); // ceil(log2 P)
    for (int digit = std::bit_width(ranks) - 1; digit >= 0; --digit) {
        bool const odd = ((ranks >> digit) & 1u) != 0;
        bool const keep_both = (ranks & ((1u << digit) - 1)) != 0;
        // The leading digit makes the windows {this rank} and {this rank, the previous one}: nothing is
        // received unless the second window is needed.
        if (n != 0 || keep_both) rounds_.emplace_back(odd ? n + 1 : n, odd, keep_both);
        n = 2 * n + (odd ? 1 : 0);
    }
}

void census::prepare() {
    if (method_ == all_reduce_method::collective) {
        held_.n_plus_1 = held_.n;
        return;
    }
    plan_rounds();
    // If P is a power of two, the leading digit has no round: the window of one rank is held already.
    if (!rounds_.empty() && rounds_.front().odd) {
        held_.n_plus_1 = held_.n;
        held_.n = census_value::identity();
    }
    for (round& next : rounds_)
        next.receive = via_.receive(member(size_ - next.distance), tag_, next.incoming);
    if (!rounds_.empty()) pack(rounds_.front());
}

void census::enter_prepared() {
    if (method_ == all_reduce_method::collective)
        collective_ = via_.all_reduce(held_.n_plus_1, held_.n);
    else if (!rounds_.empty())
        send(rounds_.front());
}

void census::pack(round& into) const noexcept {
    std::byte* end = packed_census::pack(held_.n, into.outgoing);
    if (into.keep_both) end = packed_census::pack(held_.n_plus_1, end);
    into.outgoing_bytes = static_cast<std::size_t>(end - into.outgoing);
}

void census::send(round& now) {
    now.send = via_.send(
        member(now.distance), tag_, std::span(now.outgoing).first(now.outgoing_bytes), send_mode::standard);
}

void census::describe_wait(std::string& into) const {
    if (method_ == all_reduce_method::collective) {
        if (collective_) into += "MPI's all-reduce, which all ranks must enter; ";
    } else if (current_ < rounds_.size()) {
        into += "round " + std::to_string(current_ + 1) + " of " + std::to_string(rounds_.size()) +
                " of a small all-reduce, from rank " +
                std::to_string(member(size_ - rounds_[current_].distance)) + "; ";
    }
}

bool census::let_go() {
    bool over = via_.test(collective_);
    for (round& each : rounds_) {
        over = via_.test(each.receive) && over;
        over = via_.test(each.send) && over;
    }
    return over;
}

progress census::step() {
    // mutant: census_does_not_wait_for_the_collective
    if (method_ == all_reduce_method::collective)
        return via_.test(collective_) ? progress::done : progress::none;

    progress result = progress::none;
    while (current_ < rounds_.size() && via_.test(rounds_[current_].receive)) {
        result = progress::some;
        round const& now = rounds_[current_];
        // This rank's newest window is completed by the windows of the rank `distance` before it: n + n or n
        // + (n + 1) ranks for an even digit, (n + 1) + n or (n + 1) + (n + 1) for an odd one.
        census_value incoming;
        std::byte const* const rest = packed_census::unpack(now.incoming, incoming);
        if (!now.keep_both) {
            held_.n = combine(now.odd ? held_.n_plus_1 : held_.n, incoming);
        } else {
            census_value const newest = now.odd ? held_.n_plus_1 : held_.n;
            held_.n = combine(newest, incoming);
            (void)packed_census::unpack(rest, incoming);
            // mutant: census_drops_a_contribution
            held_.n_plus_1 = combine(newest, incoming);
        }
        if (++current_ == rounds_.size()) break;
        pack(rounds_[current_]);
        send(rounds_[current_]);
    }
    // mutant: census_leaves_a_round_early
    if (current_ < rounds_.size()) return result;
    while (sent_complete_ < rounds_.size() && via_.test(rounds_[sent_complete_].send)) ++sent_complete_;
    return sent_complete_ == rounds_.size() ? progress::done : result;
}

} // namespace weft
