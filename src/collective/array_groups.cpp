#include "array_groups.hpp"

namespace weft {

std::vector<array_round> array_rounds(
    schedule const& rounds, std::int64_t participant, std::size_t elements) {
    std::vector<array_round> found;
    element_range have{0, elements};
    for (int round = 0; round < rounds.rounds() && !have.empty(); ++round) {
        round_group group = rounds.group_of(round, participant);
        if (group.members.size() < 2) continue;
        auto const here = std::find(group.members.begin(), group.members.end(), participant);
        auto const mine = static_cast<std::size_t>(here - group.members.begin());
        found.push_back({round, std::move(group.members), mine, group.keeper, have});
        have = found.back().kept_by(mine);
    }
    return found;
}

element_range kept_elements(schedule const& rounds, std::int64_t participant, std::size_t elements) {
    auto const all = array_rounds(rounds, participant, elements);
    return all.empty() ? element_range{0, elements} : all.back().kept_by(all.back().mine);
}

} // namespace weft
