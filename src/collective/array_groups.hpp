/// Which elements of its array a participant gives and keeps, round by round. Private.
#pragma once

#include <weft/extend/collective/array_call.hpp>

#include <algorithm>
#include <tuple>
#include <vector>

namespace weft {

/// A round of one participant.
struct array_round {
    int round = 0;
    std::vector<std::int64_t> members = {};
    std::size_t mine = 0;
    int keeper = 0;
    element_range before = {}; // what all members have

    /// The elements that a member keeps.
    [[nodiscard]] element_range kept_by(std::size_t member) const noexcept {
        if (keeper == each_keeps_a_share) return before.part(member, members.size());
        return static_cast<std::size_t>(keeper) == member ? before
                                                          : element_range{before.first, before.first};
    }
};

/// The rounds in which a participant has company and something left.
[[nodiscard]] std::vector<array_round> array_rounds(
    schedule const& rounds, std::int64_t participant, std::size_t elements);

/// The place of a participant among those of this rank.
[[nodiscard]] inline std::size_t place_of(participants const& who, std::int64_t participant) {
    return static_cast<std::size_t>(
        std::lower_bound(who.mine.begin(), who.mine.end(), participant) - who.mine.begin());
}

/// A segment on its way between ranks. Both sides list their segments in one order, which is that in which
/// they are sent, so nothing but the elements travels. Segments that are combined with each other stand
/// together.
struct array_segment {
    int order = 0; // rises with the rounds, in their direction
    std::int64_t from = 0;
    std::int64_t to = 0;
    element_range elements = {};

    friend bool operator<(array_segment const& a, array_segment const& b) noexcept {
        return std::tie(a.order, a.to, a.elements.first, a.from) <
               std::tie(b.order, b.to, b.elements.first, b.from);
    }
};

/// Calls `body(element_range)` for segments of at most `most` elements.
template <class Body>
void for_segments(element_range all, std::size_t most, Body&& body) {
    for (std::size_t at = all.first; at < all.end; at += std::min(most, all.end - at))
        body(element_range{at, std::min(all.end, at + most)});
}

[[nodiscard]] inline std::size_t segment_elements(array_call const& call) {
    return std::max<std::size_t>(1, call.segment_bytes / call.element_bytes);
}

} // namespace weft
