#include "stored_rows.hpp"

#include "adjacency.hpp"
#include "graph/components/local_numbering.hpp"

#include <weft/detail/core/huge_pages.hpp>
#include <weft/protocol/agreement.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <span>
#include <utility>

namespace weft::detail {

namespace {

/// Neighbours on either side, each once; of two weights the lesser.
vertex_rows merge_sides(vertex_rows const& a, vertex_rows const& b) {
    vertex_rows made;
    bool const weighted = !a.weights.empty() || !b.weights.empty();
    made.first.assign(a.first.size(), 0);
    made.ids.reserve(a.ids.size() + b.ids.size());
    if (weighted) made.weights.reserve(made.ids.capacity());
    for (std::size_t row = 0; row + 1 < a.first.size(); ++row) {
        std::size_t i = a.first[row], k = b.first[row];
        std::size_t const end_i = a.first[row + 1], end_k = b.first[row + 1];
        while (i < end_i || k < end_k) {
            bool const from_a = k == end_k || (i < end_i && a.ids[i] <= b.ids[k]);
            bool const from_b = i == end_i || (k < end_k && b.ids[k] <= a.ids[i]);
            made.ids.push_back(from_a ? a.ids[i] : b.ids[k]);
            if (weighted)
                made.weights.push_back(from_a && from_b ? std::min(a.weights[i], b.weights[k])
                                       : from_a         ? a.weights[i]
                                                        : b.weights[k]);
            i += from_a;
            k += from_b;
        }
        made.first[row + 1] = made.ids.size();
    }
    return made;
}

/// From vertices to local numbers as `arc_graph` has them, in place, by a bit for each vertex; returns the
/// ghosts.
std::vector<global_id> number_by_bits(
    std::vector<std::uint32_t>& ids, std::int64_t total, std::uint32_t begin, std::uint32_t own) {
    std::vector<std::uint64_t> bits(static_cast<std::size_t>(total) / 64 + 1);
    for (std::uint32_t const id : ids)
        if (id - begin >= own) bits[id / 64] |= std::uint64_t{1} << (id % 64);
    std::vector<global_id> ghosts;
    std::vector<std::uint32_t> before(bits.size()); // ghosts before a word's
    for (std::size_t word = 0; word < bits.size(); ++word) {
        before[word] = own + static_cast<std::uint32_t>(ghosts.size());
        for (std::uint64_t left = bits[word]; left != 0; left &= left - 1)
            ghosts.push_back(static_cast<global_id>(word * 64) + std::countr_zero(left));
    }
    for (std::uint32_t& id : ids) {
        if (id - begin < own) {
            id -= begin;
            continue;
        }
        std::uint64_t const lower = (std::uint64_t{1} << (id % 64)) - 1;
        id = before[id / 64] + static_cast<std::uint32_t>(std::popcount(bits[id / 64] & lower));
    }
    return ghosts;
}

} // namespace

vertex_rows stored_rows::rows_along(gate& call, arc_direction direction, bool weights) const {
    if (!directed_ || direction == arc_direction::forward) return rows(call, row_side::outgoing, weights);
    if (direction == arc_direction::backward) return rows(call, row_side::incoming, weights);
    vertex_rows const there = rows(call, row_side::outgoing, weights);
    vertex_rows const back = rows(call, row_side::incoming, weights);
    vertex_rows merged;
    agreed(call, [&] { merged = merge_sides(there, back); });
    return merged;
}

simple_graph stored_rows::simple(gate& call, uniform_distribution const& vertices) const {
    vertex_rows const from = rows_along(call, arc_direction::both, false);
    simple_graph made(numbered_vertices(call.comm(), vertices));
    global_id const first = vertices.begin(call.comm().rank());
    adjacency kept;
    call.guard([&] {
        std::size_t const expected = call.comm().size() == 1 ? from.ids.size() / 2 : from.ids.size();
        reserve_in_huge_pages(kept.others, expected);
        reserve_in_huge_pages(kept.first, from.first.size());
        kept.first.push_back(0);
        // By the block, whose places are counted without a branch: each edge is stored at one of two ends.
        std::array<global_id, 1024> block;
        for (std::size_t row = 0; row + 1 < from.first.size(); ++row) {
            global_id const vertex = first + static_cast<global_id>(row);
            for (std::size_t i = from.first[row]; i < from.first[row + 1];) {
                std::size_t const end = std::min(from.first[row + 1], i + block.size());
                std::size_t used = 0;
                for (; i < end; ++i) {
                    global_id const other = from.ids[i];
                    block[used] = other;
                    used += is_stored_with_lower(vertex, other) == (vertex < other);
                }
                kept.others.insert(kept.others.end(), block.begin(), block.begin() + used);
            }
            kept.first.push_back(kept.others.size());
        }
    });
    agree_on_totals(call, kept, 0);
    made.edge_count_ = kept.stored;
    made.loop_count_ = loops_;
    made.most_stored_ = kept.most;
    made.first_ = std::move(kept.first);
    made.others_ = std::move(kept.others);
    return made;
}

arc_graph stored_rows::arcs(
    gate& call, uniform_distribution const& owners, arc_direction direction, bool weights) const {
    vertex_rows from = rows_along(call, direction, weights && weighted_);
    arc_graph made(numbered_vertices(call.comm(), owners), direction, weights);
    int const here = call.comm().rank();
    std::int64_t const own = owners.size(here);
    // Memory of a bit for each vertex is that of the neighbours at most; beyond, they are sorted.
    bool const by_bits = owners.total() / 16 <= std::ssize(from.ids);
    std::vector<global_id> wide;
    call.guard([&] {
        if (call.comm().size() == 1) return;
        if (by_bits)
            made.ghosts_ = number_by_bits(from.ids, owners.total(),
                static_cast<std::uint32_t>(owners.begin(here)), static_cast<std::uint32_t>(own));
        else
            wide.assign(from.ids.begin(), from.ids.end());
    });
    call.guard([&] {
        if (call.comm().size() == 1 || by_bits) return;
        local_numbering numbered = number_by_sorting(wide, owners.begin(here), own);
        from.ids = std::move(numbered.index);
        made.ghosts_ = std::move(numbered.ghosts);
    });
    call.guard([&] {
        if (weights && from.weights.empty()) from.weights.assign(from.ids.size(), 1.0);
    });
    census_value totals = census_value::identity();
    totals.sum[0] = std::ssize(from.ids);
    auto& most = totals.max[census_slot::first_free];
    most = 0;
    for (std::size_t i = 1; i < from.first.size(); ++i)
        most = std::max(most, static_cast<std::int64_t>(from.first[i] - from.first[i - 1]));
    totals = call.agree(totals);
    made.arc_count_ = totals.sum[0];
    made.most_neighbors_ = totals.max[census_slot::first_free];
    made.loop_count_ = loops_;
    made.first_ = std::move(from.first);
    made.neighbors_ = std::move(from.ids);
    made.weights_ = std::move(from.weights);
    return made;
}

vertex_set stored_rows::numbered_vertices(communicator const& comm, uniform_distribution const& owners) {
    return {comm, owners, vertex_naming::declared, 0, {}, {}};
}

graph stored_rows::graph_of(vertex_set vertices, std::shared_ptr<stored_rows const> rows) {
    return {std::move(vertices), std::move(rows)};
}

vertex_set stored_rows::vertices_of(communicator comm, std::int64_t vertices, vertex_naming naming,
    std::int64_t first_id, std::vector<std::int64_t> numbers, std::vector<std::string> texts) {
    uniform_distribution const owners(vertices, comm.size());
    return {std::move(comm), owners, naming, first_id, std::move(numbers), std::move(texts)};
}

} // namespace weft::detail
