#include "binary_graph.hpp"
#include "binary_head.hpp"

#include <files/file_segments.hpp>

#include <weft/extend/protocol/alone.hpp>
#include <weft/graph/vertex_set.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weft::io {

namespace {

/// Adds a segment of items of this rank, which `item_at` makes in the type of the file.
template <class Item, class ItemAt>
void add_items(file_segments& segments, std::size_t items, ItemAt item_at) {
    auto const bytes = static_cast<std::int64_t>(items * sizeof(Item));
    segments.add(bytes, [items, item_at](file_handle const& opened, std::int64_t at, std::int64_t) {
        constexpr std::size_t at_a_time = std::size_t{1} << 16;
        std::vector<Item> held;
        for (std::size_t first = 0; first < items; first += held.size()) {
            held.clear();
            std::size_t const last = std::min(items, first + at_a_time);
            for (std::size_t i = first; i < last; ++i) held.push_back(item_at(i));
            opened.write(std::as_bytes(std::span(held)), at);
            at += static_cast<std::int64_t>(held.size() * sizeof(Item));
        }
    });
}

template <class End>
void add_edges(file_segments& segments, std::vector<edge> const& edges) {
    struct pair {
        End source;
        End target;
    };
    add_items<pair>(segments, edges.size(), [&edges](std::size_t i) {
        return pair{static_cast<End>(edges[i].source), static_cast<End>(edges[i].target)};
    });
}

/// The numbers of ranks that fit into fewer bytes where all do.
struct value_ranges {
    bool small_ends = true;
    bool float_weights = true;
};

value_ranges agreed_ranges(
    communicator const& comm, std::vector<edge> const& edges, std::vector<double> const& weights) {
    constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
    bool const small = std::ranges::all_of(edges, [](edge const& each) {
        return std::min(each.source, each.target) >= 0 && std::max(each.source, each.target) <= most;
    });
    bool const floats = std::ranges::all_of(weights, fits_float);
    constexpr std::uint64_t large_ends = 1, large_weights = 2;
    census_value told = census_value::identity();
    told.any = (small ? 0 : large_ends) | (floats ? 0 : large_weights);
    told = combine_all(comm, told);
    return {(told.any & large_ends) == 0, (told.any & large_weights) == 0};
}

} // namespace

void write_binary_graph(
    gate& call, edge_list const& graph, bool weights, std::filesystem::path const& file) try {
    communicator const& comm = call.comm();
    edge_list numbered; // text: ends count the labels in their order over all ranks
    std::optional<vertex_set> vertices;
    if (graph.naming == vertex_naming::text) {
        agreed(call, [&] {
            numbered.edges = graph.edges;
            numbered.names = graph.names;
            numbered.naming = vertex_naming::text;
        });
        vertices.emplace(comm, numbered);
    }
    std::vector<edge> const& edges = vertices ? numbered.edges : graph.edges;

    binary_head head;
    std::ranges::copy(binary_magic, head.magic.begin());
    head.naming = static_cast<std::uint32_t>(graph.naming);
    head.symmetry = static_cast<std::uint32_t>(graph.symmetry);
    head.flags = (graph.directed ? binary_head::is_directed : 0) |
                 (graph.both_directions ? binary_head::has_both_directions : 0) |
                 (graph.bipartite ? binary_head::is_bipartite : 0);
    head.vertices = graph.vertices;
    head.first_id = graph.first_id;
    head.rows = graph.rows;
    head.columns = graph.columns;
    value_ranges const ranges = agreed_ranges(comm, edges, graph.weights);
    head.end_bytes = ranges.small_ends ? 4 : 8;
    head.weight_bytes = static_cast<std::uint16_t>(!weights ? 0 : ranges.float_weights ? 4 : 8);

    prefix const place = exclusive_sum(comm, std::ssize(edges));
    head.edges = place.total;
    std::uint64_t edge_sum = 0, weight_sum = 0, name_sum = 0;
    for (std::size_t i = 0; i < edges.size(); ++i)
        edge_sum += check_of(edges[i], place.before + static_cast<std::int64_t>(i));
    if (weights)
        for (std::size_t i = 0; i < edges.size(); ++i)
            weight_sum += check_of(graph.weights[i], place.before + static_cast<std::int64_t>(i));

    std::string names;
    std::vector<std::int64_t> name_ends;
    if (vertices) {
        call.guard([&] {
            for (std::int64_t i = 0; i < vertices->local_count(); ++i) {
                std::string const name = vertices->original_id(i);
                name_sum += check_of(std::string_view(name), vertices->first_local() + i);
                names += name;
                name_ends.push_back(std::ssize(names));
            }
        });
        head.names = vertices->owners().total();
        prefix const characters = exclusive_sum(comm, std::ssize(names));
        head.name_bytes = characters.total;
        for (std::int64_t& each : name_ends) each += characters.before;
    }
    head.edge_sum = sum_of_words(comm, edge_sum);
    head.weight_sum = sum_of_words(comm, weight_sum);
    head.name_sum = sum_of_words(comm, name_sum);
    head.own_sum = head.sum();

    file_segments segments;
    call.guard([&] {
        segments.add_once(std::string(reinterpret_cast<char const*>(&head), sizeof head));
        if (head.end_bytes == 4)
            add_edges<std::uint32_t>(segments, edges);
        else
            add_edges<std::int64_t>(segments, edges);
        if (head.weight_bytes == 4)
            add_items<float>(
                segments, edges.size(), [&](std::size_t i) { return static_cast<float>(graph.weights[i]); });
        else if (head.weight_bytes == 8)
            add_items<double>(segments, edges.size(), [&](std::size_t i) { return graph.weights[i]; });
        segments.add(std::as_bytes(std::span(name_ends)));
        segments.add(std::string_view(names));
    });
    segments.write(call, file);
} catch (std::bad_alloc const&) {
    alone_unless_agreed("write_graph");
    throw;
}

} // namespace weft::io
