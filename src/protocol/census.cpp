#include <weft/protocol/census.hpp>

#include <bit>

namespace weft {

namespace {

/// The windows that travel in a round: the second only where somebody goes on with it.
std::span<std::byte> bytes_of(auto& windows, bool both) {
    return both ? std::as_writable_bytes(std::span(&windows, 1))
                : std::as_writable_bytes(std::span(&windows.n, 1));
}

} // namespace

census::census(transport& via, int control_tag, census_method method)
    : via_(via), tag_(control_tag), method_(method) {
}

void census::plan_rounds() {
    // n runs through the leading binary digits of P; before the first digit it is 0, and the windows are
    // nothing and this rank.
    auto const size = static_cast<unsigned>(via_.size());
    int n = 0;
    rounds_.reserve(static_cast<std::size_t>(std::bit_width(size)));
    for (int digit = std::bit_width(size) - 1; digit >= 0; --digit) {
        bool const odd = ((size >> digit) & 1u) != 0;
        bool const keep_both = (size & ((1u << digit) - 1)) != 0;
        // The leading digit makes the windows {this rank} and {this rank, the one before}: nothing to
        // receive unless the second is needed.
        if (n != 0 || keep_both) {
            round& added = rounds_.emplace_back();
            added.distance = odd ? n + 1 : n;
            added.odd = odd;
            added.keep_both = keep_both;
        }
        n = 2 * n + (odd ? 1 : 0);
    }
}

void census::enter(census_value const& mine) {
    if (method_ == census_method::collective) {
        mine_ = mine;
        collective_ = via_.all_reduce(mine_, held_.n);
        return;
    }
    plan_rounds();
    // With P a power of two the leading digit has no round: then the window of one rank is already held.
    bool const begins_with_leading_digit = !rounds_.empty() && rounds_.front().odd;
    (begins_with_leading_digit ? held_.n_plus_1 : held_.n) = mine;
    int const size = via_.size();
    for (round& next : rounds_)
        next.receive = via_.receive(
            (via_.rank() - next.distance + size) % size, tag_, bytes_of(next.incoming, next.keep_both));
    if (!rounds_.empty()) send_round();
}

void census::send_round() {
    round& now = rounds_[current_];
    now.outgoing = held_;
    int const destination = (via_.rank() + now.distance) % via_.size();
    now.send = via_.send(destination, tag_, bytes_of(now.outgoing, now.keep_both), send_mode::standard);
}

progress census::step() {
    if (method_ == census_method::collective) return via_.test(collective_) ? progress::done : progress::none;

    progress result = progress::none;
    while (current_ < rounds_.size() && via_.test(rounds_[current_].receive)) {
        result = progress::some;
        round const& now = rounds_[current_];
        // This rank's newest window is completed by the windows of the rank `distance` before it: n + n or
        // n + (n + 1) ranks for an even digit, (n + 1) + n or (n + 1) + (n + 1) for an odd one.
        census_value const newest = now.odd ? held_.n_plus_1 : held_.n;
        held_.n = combine(newest, now.incoming.n);
        if (now.keep_both) held_.n_plus_1 = combine(newest, now.incoming.n_plus_1);
        if (++current_ < rounds_.size()) send_round();
    }
    if (current_ < rounds_.size()) return result;
    while (sent_complete_ < rounds_.size() && via_.test(rounds_[sent_complete_].send)) ++sent_complete_;
    return sent_complete_ == rounds_.size() ? progress::done : result;
}

} // namespace weft
