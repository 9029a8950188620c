#include "adjacency.hpp"

#include "bring_to_owners.hpp"

#include <frames/owner_cursor.hpp>
#include <frames/radix_sort.hpp>

#include <weft/protocol/agreement.hpp>

#include <algorithm>
#include <bit>

namespace weft {

namespace {

/// An edge on its way to the owner of the endpoint that stores it: the number of that endpoint, counted
/// from the owner's first vertex, and the other endpoint. Both fit into one word unless the graph is larger
/// than any we can test. One word halves the traffic and sorts fast.
struct wide_edge {
    std::int64_t local;
    global_id other;

    friend bool operator==(wide_edge const&, wide_edge const&) = default;
    friend auto operator<=>(wide_edge const&, wide_edge const&) = default;
};

/// The layout of an edge in one word: the low bits have the other endpoint, and the bits above them the
/// local one.
struct edge_words {
    int other_bits;
    int local_bits;

    explicit edge_words(uniform_distribution const& vertices)
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

/// Calls `store` with the endpoint that stores the edge and the other endpoint; twice if both store it.
template <class Store>
void place_ends(edge const& each, stored_with which, Store&& store) {
    switch (which) {
    case stored_with::one_end: {
        bool const with_lower = is_stored_with_lower(each.source, each.target);
        global_id const lower = std::min(each.source, each.target);
        global_id const upper = std::max(each.source, each.target);
        store(with_lower ? lower : upper, with_lower ? upper : lower);
        break;
    }
    case stored_with::both_ends:
        store(each.target, each.source);
        [[fallthrough]];
    case stored_with::source:
        store(each.source, each.target);
        break;
    case stored_with::target:
        store(each.target, each.source);
        break;
    }
}

/// Sends each edge except loops to the rank that stores it. Returns the edges that this rank stores, with
/// duplicates. `as_sent` makes the item that travels. Counts loops.
template <class Item, class AsSent>
std::vector<Item> distribute(gate& call, std::vector<edge> edges, uniform_distribution const& vertices,
    stored_with which, std::int64_t& loops, AsSent&& as_sent) {
    auto const for_each = [&](auto&& store) {
        loops = 0;
        owner_cursor owner_of(vertices);
        for (edge const& each : edges) {
            if (each.source == each.target) {
                ++loops;
                continue;
            }
            place_ends(each, which, [&](global_id with, global_id other) {
                int const owner = owner_of(with);
                store(owner, as_sent(wide_edge{with - owner_of.begin(), other}));
            });
        }
    };
    return bring_to_owners<Item>(call, for_each, [&] { edges = {}; });
}

template <class Item>
void drop_duplicates(std::vector<Item>& sorted) {
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
}

} // namespace

adjacency store_edges(
    gate& call, uniform_distribution const& vertices, std::vector<edge> edges, stored_with which) {
    adjacency result;
    std::int64_t loops = 0;
    auto const lay_out = [&](auto const& sorted, auto&& wide) {
        result.first.assign(static_cast<std::size_t>(vertices.size(call.comm().rank())) + 1, 0);
        result.others.reserve(sorted.size());
        for (auto const& item : sorted) {
            wide_edge const each = wide(item);
            ++result.first[static_cast<std::size_t>(each.local) + 1];
            result.others.push_back(each.other);
        }
        for (std::size_t i = 1; i < result.first.size(); ++i) result.first[i] += result.first[i - 1];
    };
    if (edge_words const words(vertices); words.fits()) {
        auto stored = distribute<std::uint64_t>(call, std::move(edges), vertices, which, loops,
            [&](wide_edge const& each) { return words.pack(each); });
        call.guard([&] {
            radix_sort(stored, words.other_bits + words.local_bits);
            drop_duplicates(stored);
            lay_out(stored, [&](std::uint64_t word) { return words.unpack(word); });
        });
    } else {
        auto stored = distribute<wide_edge>(
            call, std::move(edges), vertices, which, loops, [](wide_edge const& each) { return each; });
        call.guard([&] {
            std::ranges::sort(stored);
            drop_duplicates(stored);
            lay_out(stored, [](wide_edge const& each) { return each; });
        });
    }

    agree_on_totals(call, result, loops);
    return result;
}

void agree_on_totals(gate& call, adjacency& arcs, std::int64_t loops) {
    census_value totals = census_value::identity();
    totals.sum[0] = std::ssize(arcs.others);
    totals.sum[1] = loops;
    auto& most = totals.max[census_slot::first_free];
    most = 0;
    for (std::size_t i = 1; i < arcs.first.size(); ++i)
        most = std::max(most, static_cast<std::int64_t>(arcs.first[i] - arcs.first[i - 1]));
    totals = call.agree(totals);
    arcs.stored = totals.sum[0];
    arcs.loops = totals.sum[1];
    arcs.most = totals.max[census_slot::first_free];
}

} // namespace weft
