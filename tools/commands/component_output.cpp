#include "component_output.hpp"

#include <weft/exchange/exchange.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace weft::tool {

namespace {

struct component_size {
    global_id label;
    std::int64_t vertices;
};

/// Of the components that vertices of this rank give their names to, by vertex; 0 for other vertices.
std::vector<std::int64_t> component_sizes(vertex_set const& vertices, std::span<global_id const> label) {
    std::vector<global_id> sorted(label.begin(), label.end());
    std::ranges::sort(sorted);
    outbox<component_size> out(vertices.comm());
    for (auto first = sorted.begin(); first != sorted.end();) {
        auto const last = std::upper_bound(first, sorted.end(), *first);
        out[vertices.owners().owner(*first)].push_back({*first, last - first});
        first = last;
    }
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(vertices.local_count()), 0);
    for (auto const& [source, found] : exchange(std::move(out)))
        for (component_size const& each : found)
            sizes[static_cast<std::size_t>(each.label - vertices.first_local())] += each.vertices;
    return sizes;
}

} // namespace

std::string labels_as_text(vertex_set const& vertices, std::span<global_id const> label) {
    auto const names = vertices.original_ids(label);
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text.append(vertices.original_id(static_cast<std::int64_t>(i)))
            .append(" ")
            .append(names[i])
            .append("\n");
    return text;
}

std::string sizes_as_text(vertex_set const& vertices, std::span<global_id const> label) {
    auto const sizes = component_sizes(vertices, label);
    std::string text;
    for (std::size_t i = 0; i < sizes.size(); ++i)
        if (sizes[i] > 0)
            text.append(vertices.original_id(static_cast<std::int64_t>(i)))
                .append(" ")
                .append(std::to_string(sizes[i]))
                .append("\n");
    return text;
}

} // namespace weft::tool
