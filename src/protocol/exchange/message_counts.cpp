#include "sparse_exchange_parts.hpp"

#include <weft/detail/core/hash.hpp>

namespace weft {

namespace {

constexpr int count_bits = 21;
constexpr std::uint64_t count_mask = (std::uint64_t{1} << count_bits) - 1;

/// Returns 43 bits in the places above the count: equal for equal numbers, otherwise pseudorandom.
std::uint64_t mark_of(std::uint64_t number) {
    return detail::mixed(number + detail::golden) & ~count_mask;
}

constexpr std::uint64_t failure = 0x6661696C65640000ull; // larger than any item

} // namespace

message_counts::message_counts(transport const& via, sparse_exchange_setup const& setup)
    : ranks_(static_cast<std::uint64_t>(via.size())),
      common_mark_(mark_of(setup.items.number)),
      own_word_(setup.thrown ? mark_of(failure + static_cast<std::uint64_t>(via.rank())) : common_mark_) {
}

std::vector<std::int64_t> message_counts::words(message_list const& outgoing) const {
    std::vector<std::int64_t> made(ranks_, static_cast<std::int64_t>(own_word_));
    for (message const& each : outgoing) ++made[static_cast<std::size_t>(each.peer)];
    return made;
}

std::size_t message_counts::messages(std::int64_t sum) const {
    return static_cast<std::size_t>(static_cast<std::uint64_t>(sum) & count_mask);
}

bool message_counts::trouble(std::int64_t sum) const {
    bool const failed_here = own_word_ != common_mark_;
    return failed_here || (static_cast<std::uint64_t>(sum) & ~count_mask) != ranks_ * common_mark_;
}

} // namespace weft
