#include "bench_block_components.hpp"

#include <weft/blocks/block_components.hpp>
#include <weft/core/error.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/graph/components.hpp>
#include <weft/io/generators.hpp>
#include <weft/protocol/collectives.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace weft::tool {

namespace {

/// A block of neighbouring vertices, and its edges: those of which it has the larger end.
struct graph_block {
    global_id first = 0;
    std::int64_t count = 0;
    std::vector<edge> edges;
    block_components components;
};

struct unlinked {
    std::int64_t count;
    [[nodiscard]] std::int64_t blocks() const { return count; }
    [[nodiscard]] link link_of(block_id) const { return {}; }
};

void unite_edges_of(graph_block& block, uniform_distribution const& owners) {
    block.components = block_components(block.first, block.count);
    auto const owner_of = [&](global_id vertex) { return block_id{owners.owner(vertex)}; };
    for (auto const& [larger, smaller] : block.edges) {
        if (smaller >= block.first)
            block.components.unite(larger - block.first, smaller - block.first);
        else
            block.components.unite(larger - block.first, smaller, owner_of);
    }
}

/// Deals the edges of a graph to the blocks that own their larger ends.
void deal_edges(
    simple_graph const& graph, uniform_distribution const& owners, block_set<graph_block>& blocks) {
    assignment const& where = blocks.where();
    outbox<edge> out(graph.comm());
    for (std::int64_t local = 0; local < graph.local_count(); ++local)
        for (global_id const other : graph.stored_neighbors(local)) {
            auto const [smaller, larger] = std::minmax({graph.first_vertex() + local, other});
            out[where.rank_of(block_id{owners.owner(larger)})].push_back({larger, smaller});
        }
    std::vector<edge> edges = exchange(std::move(out)).concatenate();
    std::ranges::sort(edges);
    blocks.for_each([&](graph_block& block, block_id) {
        auto const begin = std::ranges::lower_bound(edges, edge{block.first, 0});
        auto const end = std::ranges::lower_bound(edges, edge{block.first + block.count, 0});
        block.edges.assign(begin, end);
    });
}

/// Throws on all ranks where the labels of a block differ from those of the graph.
void compare_labels(simple_graph const& graph, block_set<graph_block>& blocks) {
    std::vector<global_id> const expected = find_components(graph).label;
    outbox<edge> out(graph.comm());
    blocks.for_each([&](graph_block& block, block_id) {
        for (std::int64_t place = 0; place < block.count; ++place)
            out[graph.vertices().owner(block.first + place)].push_back(
                {block.first + place, block.components.label(place)});
    });
    std::int64_t wrong = 0;
    for (edge const& each : exchange(std::move(out)).concatenate())
        wrong +=
            each.target != expected[static_cast<std::size_t>(each.source - graph.first_vertex())] ? 1 : 0;
    if (sum(graph.comm(), wrong) != 0) throw usage_error("bench blocks: the labels of blocks are wrong");
}

} // namespace

void bench_block_components(
    communicator const& comm, bench_table& table, std::int64_t count, int scale, int threads) {
    rmat_options options;
    options.scale = scale;
    simple_graph const graph(comm, generate_rmat(comm, options));
    uniform_distribution const owners(graph.vertex_count(), static_cast<int>(count));
    auto const make = [&](block_id id) {
        auto const part = static_cast<int>(index_of(id));
        return graph_block{owners.begin(part), owners.size(part), {}, {}};
    };
    block_set<graph_block> blocks(comm, unlinked{count}, make, {.threads = threads});
    deal_edges(graph, owners, blocks);

    auto const find = [&](bool asynchronous) {
        blocks.for_each([&](graph_block& block, block_id) { unite_edges_of(block, owners); });
        find_components(blocks, [](graph_block& block) -> block_components& { return block.components; },
            {.asynchronous = asynchronous});
    };
    for (bool const asynchronous : {false, true}) {
        find(asynchronous);
        compare_labels(graph, blocks);
    }
    auto const edges = static_cast<double>(graph.edge_count()) / comm.size();
    table.measure({"blocks", fmt::format("union-find, R-MAT {}, {} blocks", scale, count), 0, 0, edges / 1e6,
                      "M edges/s a rank"},
        {{"components", [&] { (void)find_components(graph); }}, {"exchange", [&] { find(false); }},
            {"iexchange", [&] { find(true); }}});
}

} // namespace weft::tool
