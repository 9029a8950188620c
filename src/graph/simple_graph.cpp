#include <weft/graph/simple_graph.hpp>

#include "ask.hpp"
#include "radix_sort.hpp"
#include "vertex_labels.hpp"

#include <weft/core/error.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <bit>

namespace weft {

namespace {

/// An edge on its way to the owner of the endpoint it is stored with: that endpoint counted from the owner's
/// first vertex, and the other. Both fit into one word, which halves the traffic and sorts fast, unless the
/// graph is larger than any we can test.
struct wide_edge {
    std::int64_t local;
    global_id other;

    friend bool operator==(wide_edge const&, wide_edge const&) = default;
    friend auto operator<=>(wide_edge const&, wide_edge const&) = default;
};

/// How many bits the words of packed edges take: those of the other endpoint, and above them the local one.
struct packing {
    int other_bits;
    int local_bits;

    explicit packing(uniform_distribution const& vertices)
        : other_bits(std::bit_width(static_cast<std::uint64_t>(vertices.total()))),
          local_bits(std::bit_width(static_cast<std::uint64_t>(vertices.total() / vertices.parts() + 1))) {}

    [[nodiscard]] bool fits() const noexcept { return other_bits + local_bits <= 64; }
    [[nodiscard]] std::uint64_t pack(wide_edge const& e) const noexcept {
        return static_cast<std::uint64_t>(e.local) << other_bits | static_cast<std::uint64_t>(e.other);
    }
    [[nodiscard]] wide_edge unpack(std::uint64_t word) const noexcept {
        return {static_cast<std::int64_t>(word >> other_bits),
            static_cast<global_id>(word & ((std::uint64_t{1} << other_bits) - 1))};
    }
};

/// Sends every edge that is no loop to the rank that stores it; returns what this rank stores, duplicates
/// included. `as_sent` makes the item that travels. Counts loops.
template <class Item, class AsSent>
std::vector<Item> distribute(communicator const& comm, std::vector<edge> const& edges,
    uniform_distribution const& vertices, std::int64_t& loops, AsSent&& as_sent) {
    outbox<Item> out(comm);
    for (edge const& each : edges) {
        if (each.source == each.target) {
            ++loops;
            continue;
        }
        bool const with_lower = ((each.source ^ each.target) & 1) != 0;
        global_id const lower = std::min(each.source, each.target);
        global_id const upper = std::max(each.source, each.target);
        global_id const stored_with = with_lower ? lower : upper;
        int const owner = vertices.owner(stored_with);
        out[owner].push_back(
            as_sent(wide_edge{stored_with - vertices.begin(owner), with_lower ? upper : lower}));
    }
    return exchange(std::move(out)).concatenate();
}

template <class Item>
void drop_duplicates(std::vector<Item>& sorted) {
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
}

void check_endpoints(communicator const& comm, edge_list const& list) {
    agreed(comm, [&] {
        for (edge const& each : list.edges)
            for (std::int64_t const end : {each.source, each.target})
                if (end < 0 || end >= list.vertices)
                    throw usage_error("simple_graph: endpoint " + std::to_string(end) +
                                      " is not a vertex; vertices are 0.." +
                                      std::to_string(list.vertices - 1));
    });
}

} // namespace

simple_graph::simple_graph(communicator comm, edge_list list)
    : comm_(std::move(comm)), naming_(list.naming), first_id_(list.first_id) {
    switch (naming_) {
    case vertex_naming::declared:
        check_endpoints(comm_, list);
        vertices_ = uniform_distribution(list.vertices, comm_.size());
        break;
    case vertex_naming::numbers: {
        auto labelled = number_vertices(comm_, list.edges, index_endpoints(list.edges));
        vertices_ = labelled.vertices;
        number_labels_ = std::move(labelled.labels);
        break;
    }
    case vertex_naming::text: {
        auto labelled = number_vertices(comm_, list.edges, std::move(list.names));
        vertices_ = labelled.vertices;
        text_labels_ = std::move(labelled.labels);
        break;
    }
    }

    std::int64_t loops = 0;
    auto const lay_out = [&](auto const& sorted, auto&& wide) {
        first_.assign(static_cast<std::size_t>(local_count()) + 1, 0);
        others_.reserve(sorted.size());
        for (auto const& item : sorted) {
            wide_edge const each = wide(item);
            ++first_[static_cast<std::size_t>(each.local) + 1];
            others_.push_back(each.other);
        }
        for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    };
    if (packing const words(vertices_); words.fits()) {
        auto stored = distribute<std::uint64_t>(
            comm_, list.edges, vertices_, loops, [&](wide_edge const& each) { return words.pack(each); });
        list.edges = {};
        radix_sort(stored, words.other_bits + words.local_bits);
        drop_duplicates(stored);
        lay_out(stored, [&](std::uint64_t word) { return words.unpack(word); });
    } else {
        auto stored = distribute<wide_edge>(
            comm_, list.edges, vertices_, loops, [](wide_edge const& each) { return each; });
        list.edges = {};
        std::ranges::sort(stored);
        drop_duplicates(stored);
        lay_out(stored, [](wide_edge const& each) { return each; });
    }

    census_value totals = census_value::identity();
    totals.sum[0] = static_cast<std::int64_t>(others_.size());
    totals.sum[1] = loops;
    totals = combine_all(comm_, totals);
    edge_count_ = totals.sum[0];
    loop_count_ = totals.sum[1];
}

std::string simple_graph::original_id_of_local(std::int64_t local) const {
    switch (naming_) {
    case vertex_naming::numbers:
        return std::to_string(number_labels_[static_cast<std::size_t>(local)]);
    case vertex_naming::text:
        return text_labels_[static_cast<std::size_t>(local)];
    default:
        return std::to_string(first_vertex() + local + first_id_);
    }
}

std::vector<std::string> simple_graph::original_ids(std::span<global_id const> asked) const {
    return ask<std::string>(
        comm_, asked, [&](global_id vertex) { return vertices_.owner(vertex); },
        [&](global_id vertex) { return original_id_of_local(vertex - first_vertex()); });
}

} // namespace weft
