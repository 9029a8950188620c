#include "personal_census.hpp"

#include <span>

namespace weft {

namespace {

/// Returns true if words at this distance from their rank move in the round of `bit`: the lower bits of the
/// distance were covered by earlier rounds.
bool moves(std::size_t distance, std::size_t bit) {
    return (distance & (2 * bit - 1)) == bit;
}

} // namespace

void personal_census::enter(std::vector<std::int64_t> const& words, exchange_load load) {
    busiest_ = load;
    auto const size = static_cast<std::size_t>(via_.size());
    auto const rank = static_cast<std::size_t>(via_.rank());
    held_.resize(size);
    for (std::size_t distance = 0; distance < size; ++distance)
        held_[distance] = static_cast<std::uint64_t>(words[(rank + distance) % size]);
    for (std::size_t bit = 1; bit < size; bit *= 2) {
        round& added = rounds_.emplace_back();
        added.distance = static_cast<int>(bit);
        std::size_t count = 0;
        for (std::size_t distance = 0; distance < size; ++distance) count += moves(distance, bit) ? 1 : 0;
        added.outgoing.resize(count + 1);
        added.incoming.resize(count + 1);
    }
    for (round& each : rounds_)
        each.received = via_.receive((via_.rank() - each.distance + via_.size()) % via_.size(), tag_,
            std::as_writable_bytes(std::span(each.incoming)));
    if (!rounds_.empty()) send_round();
}

void personal_census::send_round() {
    round& now = rounds_[current_];
    auto const bit = static_cast<std::size_t>(now.distance);
    std::size_t place = 0;
    for (std::size_t distance = 0; distance < held_.size(); ++distance)
        if (moves(distance, bit)) now.outgoing[place++] = held_[distance];
    now.outgoing[place] =
        static_cast<std::uint64_t>(busiest_.messages) << 32 | static_cast<std::uint64_t>(busiest_.bytes);
    now.sent = via_.send((via_.rank() + now.distance) % via_.size(), tag_,
        std::as_bytes(std::span(now.outgoing)), send_mode::standard);
}

void personal_census::describe_wait(std::string& into) const {
    if (current_ == rounds_.size()) return;
    int const from = (via_.rank() - rounds_[current_].distance + via_.size()) % via_.size();
    into += "round " + std::to_string(current_ + 1) + " of " + std::to_string(rounds_.size()) +
            " of a small reduce-scatter, from rank " + std::to_string(from) + "; ";
}

progress personal_census::step() {
    progress result = progress::none;
    while (current_ < rounds_.size() && via_.test(rounds_[current_].received)) {
        result = progress::some;
        round const& now = rounds_[current_];
        auto const bit = static_cast<std::size_t>(now.distance);
        std::size_t place = 0;
        for (std::size_t distance = 0; distance < held_.size(); ++distance)
            if (moves(distance, bit)) held_[distance - bit] += now.incoming[place++];
        std::uint64_t const load = now.incoming[place];
        busiest_ = max(busiest_, {static_cast<int>(load >> 32), static_cast<int>(load & UINT32_MAX)});
        if (++current_ < rounds_.size()) send_round();
    }
    // mutant: pcx_counts_a_round_short
    if (current_ < rounds_.size()) return result;
    while (sent_complete_ < rounds_.size() && via_.test(rounds_[sent_complete_].sent)) ++sent_complete_;
    return sent_complete_ == rounds_.size() ? progress::done : result;
}

} // namespace weft
