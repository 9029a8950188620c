#include <weft/core/topology.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <string>
#include <unordered_map>
#include <utility>

namespace weft {

topology::topology(int rank, std::span<int const> node_of_rank) : rank_(rank) {
    detail::shared const made(new tables);
    tables& all = *made;
    all.node.resize(node_of_rank.size());
    all.core.resize(node_of_rank.size());
    all.members.resize(node_of_rank.size());
    std::unordered_map<int, int> number; // from given names to nodes, in the order of first ranks
    std::vector<int> size;
    for (std::size_t r = 0; r < node_of_rank.size(); ++r) {
        auto const [found, is_new] = number.try_emplace(node_of_rank[r], static_cast<int>(size.size()));
        if (is_new) size.push_back(0);
        all.node[r] = found->second;
        all.core[r] = size[static_cast<std::size_t>(all.node[r])]++;
    }
    all.first.assign(1, 0);
    for (int const ranks : size) all.first.push_back(all.first.back() + ranks);
    for (std::size_t r = 0; r < all.node.size(); ++r)
        all.members[static_cast<std::size_t>(
            all.first[static_cast<std::size_t>(all.node[r])] + all.core[r])] = static_cast<int>(r);
    all_ = made;
}

std::span<int const> topology::ranks_of(int node) const noexcept {
    auto const begin = static_cast<std::size_t>(all_->first[static_cast<std::size_t>(node)]);
    auto const end = static_cast<std::size_t>(all_->first[static_cast<std::size_t>(node) + 1]);
    return std::span(all_->members).subspan(begin, end - begin);
}

int topology::largest_node() const noexcept {
    int largest = 0;
    for (std::size_t node = 0; node + 1 < all_->first.size(); ++node)
        largest = std::max(largest, all_->first[node + 1] - all_->first[node]);
    return largest;
}

namespace {

std::vector<int> parse_sizes(std::string_view whole, std::string_view list) {
    std::vector<int> sizes;
    char const* at = list.data();
    char const* const end = list.data() + list.size();
    while (true) {
        int ranks = 0;
        auto const [next, failure] = std::from_chars(at, end, ranks);
        if (failure != std::errc{} || ranks < 1 || (next != end && *next != ','))
            throw usage_error("WEFT_RANKS_PER_NODE=" + std::string(whole) +
                              ": expected positive node sizes such as 4, 3,2 or cyclic:3,2");
        sizes.push_back(ranks);
        if (next == end) return sizes;
        at = next + 1;
    }
}

} // namespace

std::vector<int> pretend_nodes(std::string_view ranks_per_node, int size) {
    constexpr std::string_view cyclic_prefix = "cyclic:";
    bool const cyclic = ranks_per_node.starts_with(cyclic_prefix);
    auto const pattern =
        parse_sizes(ranks_per_node, cyclic ? ranks_per_node.substr(cyclic_prefix.size()) : ranks_per_node);

    std::vector<int> capacity;
    for (int covered = 0; covered < size; covered += capacity.back())
        capacity.push_back(std::min(pattern[capacity.size() % pattern.size()], size - covered));

    std::vector<int> node_of_rank;
    node_of_rank.reserve(static_cast<std::size_t>(size));
    int const nodes = static_cast<int>(capacity.size());
    for (int node = 0; static_cast<int>(node_of_rank.size()) < size; node = (node + 1) % nodes) {
        int& room = capacity[static_cast<std::size_t>(node)];
        for (int take = cyclic ? std::min(room, 1) : room; take > 0; --take, --room)
            node_of_rank.push_back(node);
    }
    return node_of_rank;
}

} // namespace weft
