#include "component_summary.hpp"

#include "graph/ghost_counts.hpp"

#include <collective/gated_merges.hpp>
#include <exchange/gated_exchange.hpp>

#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <functional>

namespace weft {

component_sizes count_members(
    gate& call, uniform_distribution const& owners, std::span<global_id const> labels, std::size_t edges) {
    // Most components lie on one rank. Counts of labels that are vertices of other ranks go to these ranks.
    communicator const& comm = call.comm();
    global_id const first = owners.begin(comm.rank());
    std::vector<std::int64_t> size; // by local vertex that is a label
    outbox<vertex_count> out(comm);
    call.guard([&] {
        ghost_counts elsewhere(ghost_index(owners.total(), edges));
        global_id last = -1; // label of another rank; most of these name the largest component
        std::int64_t times = 0;
        size.resize(labels.size());
        for (global_id const label : labels) {
            std::int64_t const offset = label - first;
            if (label == last) {
                ++times;
            } else if (offset >= 0 && offset < std::ssize(size)) {
                ++size[static_cast<std::size_t>(offset)];
            } else {
                if (times > 0) elsewhere.add(last, times);
                last = label;
                times = 1;
            }
        }
        if (times > 0) elsewhere.add(last, times);
        elsewhere.put_into(out, owners);
    });
    add_counts(exchange(call, std::move(out)), first, size);

    census_value totals = census_value::identity();
    for (std::int64_t const members : size) {
        totals.sum[0] += members > 0;
        totals.sum[1] += members == 1;
    }
    totals = combine_all(comm, totals);
    component_sizes found;
    found.components = totals.sum[0];
    found.single = totals.sum[1];

    global_id label = -1; // of the largest
    if (auto const most = std::ranges::max_element(size); most != size.end() && *most > 0)
        label = first + (most - size.begin());
    constexpr std::size_t kept = 10;
    auto const keep_largest = [&](std::vector<std::int64_t>& sizes) {
        std::size_t const most = std::min(kept, sizes.size());
        std::partial_sort(
            sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(most), sizes.end(), std::greater<>());
        sizes.resize(most);
        while (!sizes.empty() && sizes.back() == 0) sizes.pop_back();
    };
    keep_largest(size);
    using sizes = std::vector<std::int64_t>; // and behind them the label of the first
    call.guard([&] { size.push_back(label); });
    found.largest = all_reduce(call, std::move(size), [&](sizes of, sizes const& others) {
        bool const others_first =
            others.size() > 1 && (of.size() == 1 || others.front() > of.front() ||
                                     (others.front() == of.front() && others.back() < of.back()));
        global_id const larger = others_first ? others.back() : of.back();
        of.pop_back();
        of.insert(of.end(), others.begin(), others.end() - 1);
        keep_largest(of);
        of.push_back(larger);
        return of;
    });
    found.label_of_largest = found.largest.back();
    found.largest.pop_back();
    return found;
}

void summarise(gate& call, simple_graph const& graph, component_labels& found) {
    component_sizes sizes = count_members(call, graph.vertices(), found.label, 0);
    found.components = sizes.components;
    found.isolated = sizes.single;
    found.largest = std::move(sizes.largest);
    found.largest_label = sizes.label_of_largest;
}

} // namespace weft
