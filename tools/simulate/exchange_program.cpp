#include "exchange_program.hpp"

#include <algorithm>
#include <random>

namespace weft::tool {

namespace {

/// As `std::uniform_int_distribution` of GNU's library for ranges below 2^31, which every library should
/// draw.
std::int64_t drawn_from(std::minstd_rand& next, std::int64_t least, std::int64_t most) {
    constexpr std::uint64_t range = std::minstd_rand::max() - std::minstd_rand::min();
    auto const wanted = static_cast<std::uint64_t>(most - least);
    if (wanted > range) { // two draws for one
        std::uint64_t const high = next() - std::minstd_rand::min();
        return least + static_cast<std::int64_t>((high * (range + 1) + next()) % (wanted + 1));
    }
    if (wanted == range) return least + static_cast<std::int64_t>(next() - std::minstd_rand::min());
    std::uint64_t const each = range / (wanted + 1);
    std::uint64_t drawn = 0;
    do drawn = next() - std::minstd_rand::min();
    while (drawn >= each * (wanted + 1));
    return least + static_cast<std::int64_t>(drawn / each);
}

} // namespace

message_list exchange_traffic::of(int rank, int round, int ranks) const {
    std::seed_seq mixed{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32),
        static_cast<std::uint32_t>(rank), static_cast<std::uint32_t>(round)};
    std::minstd_rand next(mixed);
    message_list made;
    for (int left = std::min(degree, ranks - 1); left > 0;) {
        int const drawn = static_cast<int>(drawn_from(next, 0, std::max(ranks - 2, 0)));
        int const target = drawn + (drawn >= rank ? 1 : 0);
        if (std::ranges::find(made, target, &message::peer) != made.end()) continue;
        made.push_back({target, buffer(static_cast<std::size_t>(drawn_from(next, least_bytes, most_bytes)))});
        --left;
    }
    return made;
}

progress exchange_program::step(
    simulated_machine& machine, int rank, sparse_exchange_setup const& setup, exchange_traffic const& what) {
    if (!under_way_) {
        sparse_exchange_setup now = setup;
        int const place = round_ % 2; // two sets of tags by parity are enough, see epoch_ledger
        now.tags = {4 * place, 4 * place + 1, 4 * place + 2, 4 * place + 3};
        now.counter = place;
        machine.compute(rank, what.compute);
        auto outgoing = what.of(rank, round_, machine.size());
        sent_ += static_cast<std::int64_t>(outgoing.size());
        under_way_.emplace(machine.at(rank), now, std::move(outgoing));
    }
    progress const now = under_way_->step();
    if (now != progress::done) return now;
    received_ += static_cast<std::int64_t>(under_way_->take().size());
    under_way_.reset();
    return ++round_ == what.rounds ? progress::done : progress::some;
}

} // namespace weft::tool
