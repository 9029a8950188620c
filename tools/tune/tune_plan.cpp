#include "tune_plan.hpp"

#include <algorithm>
#include <numeric>

namespace weft::tool {

namespace {

/// Groups of the first 2, 4, 8 ... and of all of `ranks`.
void add_groups(std::vector<tune_group>& groups, placement how, std::vector<int> const& ranks) {
    for (std::size_t size = 2; size < 2 * ranks.size(); size *= 2) {
        std::size_t const taken = std::min(size, ranks.size());
        if (taken < 2) return;
        groups.push_back({how, {ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(taken)}});
    }
}

} // namespace

std::vector<tune_group> plan_groups(topology const& nodes, int ranks) {
    std::vector<tune_group> groups;
    int largest = 0;
    std::vector<int> leaders;
    for (int node = 0; node < nodes.node_count(); ++node) {
        leaders.push_back(nodes.leader_of(node));
        if (nodes.ranks_of(node).size() > nodes.ranks_of(largest).size()) largest = node;
    }
    auto const together = nodes.ranks_of(largest);
    add_groups(groups, placement::inside, {together.begin(), together.end()});
    add_groups(groups, placement::between, leaders);
    if (nodes.node_count() > 1 && nodes.largest_node() > 1) {
        std::vector<int> all(static_cast<std::size_t>(ranks));
        std::iota(all.begin(), all.end(), 0);
        std::vector<tune_group> mixed;
        add_groups(mixed, placement::mixed, all);
        // A group that does not leave its node, or has one rank on each, is no mixture.
        std::erase_if(mixed, [&](tune_group const& group) {
            std::vector<int> of;
            for (int const rank : group.ranks) of.push_back(nodes.node_of(rank));
            std::ranges::sort(of);
            auto const count = static_cast<std::size_t>(std::unique(of.begin(), of.end()) - of.begin());
            return count == 1 || count == group.ranks.size();
        });
        groups.insert(groups.end(), mixed.begin(), mixed.end());
    }
    return groups;
}

} // namespace weft::tool
