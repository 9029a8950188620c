#include <weft/graph/components.hpp>

#include "serial_graph.hpp"

#include <weft/blocks/block_components.hpp>
#include <weft/core/error.hpp>
#include <weft/io/generators.hpp>

using namespace weft_test;

namespace {

void expect_components(serial_graph const& serial, sharing how, weft::components_options const& options,
    std::string const& name) {
    weft::simple_graph const graph(world(), share_of(serial, how));
    auto const found = weft::find_components(graph, options);

    auto const expected = serial.labels();
    std::map<std::int64_t, std::int64_t> size_of;
    for (std::int64_t const label : expected) ++size_of[label];
    std::vector<std::int64_t> largest;
    for (auto const& [label, members] : size_of) largest.push_back(members);
    std::ranges::sort(largest, std::greater<>());
    auto const isolated = std::ranges::count(largest, 1);
    if (largest.size() > 10) largest.resize(10);

    auto const begin = expected.begin() + graph.first_vertex();
    EXPECT_EQ(found.label, std::vector<weft::global_id>(begin, begin + graph.local_count())) << name;
    EXPECT_EQ(found.components, static_cast<std::int64_t>(size_of.size())) << name;
    EXPECT_EQ(found.isolated, isolated) << name;
    EXPECT_EQ(found.largest, largest) << name;
}

/// How parts of a graph lie: each in a block of vertices, or all over them.
enum class edge_numbers { as_they_are, spread };

serial_graph numbered(serial_graph graph, edge_numbers how) {
    if (how == edge_numbers::as_they_are) return graph;
    std::vector<std::int64_t> number(static_cast<std::size_t>(graph.vertices));
    std::iota(number.begin(), number.end(), std::int64_t{0});
    std::ranges::shuffle(number, std::mt19937_64(1));
    for (weft::edge& each : graph.edges)
        each = {number[static_cast<std::size_t>(each.source)], number[static_cast<std::size_t>(each.target)]};
    return graph;
}

} // namespace

TEST(components, nasty_graphs_by_gathering_and_by_rounds) {
    for (auto const& [name, serial] : nasty_graphs())
        for (sharing const how : {sharing::round_robin, sharing::all_on_last})
            for (std::int64_t const gather_below : {std::int64_t{1} << 17, std::int64_t{5}, std::int64_t{0}})
                expect_components(serial, how, {.gather_below = gather_below}, name);
}

TEST(components, nasty_graphs_by_mail) {
    for (auto const& [name, serial] : nasty_graphs())
        for (sharing const how : {sharing::round_robin, sharing::all_on_last}) {
            expect_components(serial, how, {.method = weft::components_method::union_find}, name);
            for (std::int64_t const threshold : {0, 1, 2, 20}) // 1: nearly all are delegates
                expect_components(serial, how,
                    {.method = weft::components_method::propagation, .delegate_threshold = threshold}, name);
        }
}

TEST(components, random_graphs_by_mail) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        auto const vertices = static_cast<std::int64_t>(1 + seed * 13 % 300);
        auto const serial = random_graph(vertices, vertices * static_cast<std::int64_t>(seed % 5) / 2, seed);
        for (auto const method : {weft::components_method::union_find, weft::components_method::propagation})
            expect_components(serial, sharing::random,
                {.method = method, .delegate_threshold = static_cast<std::int64_t>(seed % 7)},
                "seed " + std::to_string(seed));
    }
}

TEST(components, long_paths_over_all_ranks_by_mail) {
    // By a stride: the trees of a union-find span the ranks, labels fall many times.
    constexpr std::int64_t length = 3000;
    for (std::int64_t const stride : {1, 1237, 2999}) {
        serial_graph path{length, {}};
        for (std::int64_t v = 1; v < length; ++v)
            path.edges.push_back({(v - 1) * stride % length, v * stride % length});
        for (auto const method : {weft::components_method::union_find, weft::components_method::propagation})
            expect_components(
                path, sharing::round_robin, {.method = method}, "stride " + std::to_string(stride));
    }
}

TEST(components, hubs_are_delegates) {
    serial_graph stars{500, {}};
    for (std::int64_t v = 0; v < 500; ++v) stars.edges.push_back({v % 5, v}); // five stars of 99 edges
    for (std::int64_t v = 1; v < 5; ++v) stars.edges.push_back({v - 1, v});   // joined by their centres
    weft::simple_graph const graph(world(), share_of(stars, sharing::random));
    for (auto const& [threshold, delegates] :
        std::map<std::int64_t, std::int64_t>{{0, 0}, {90, 5}, {100, 3}}) {
        auto const found = weft::find_components(
            graph, {.method = weft::components_method::propagation, .delegate_threshold = threshold});
        EXPECT_EQ(found.delegates, delegates) << threshold;
        EXPECT_EQ(found.components, 1);
    }
    EXPECT_THROW((void)weft::find_components(graph, {.delegate_threshold = -1}), weft::usage_error);
}

TEST(components, random_graphs_from_sparse_to_dense) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        auto const vertices = static_cast<std::int64_t>(1 + seed * 13 % 300);
        auto const serial = random_graph(vertices, vertices * static_cast<std::int64_t>(seed % 5) / 2, seed);
        expect_components(serial, sharing::random,
            {.gather_below = seed % 2 == 0 ? 0 : 1 << 17, .seed = seed}, "seed " + std::to_string(seed));
    }
}

TEST(components, dense_parts_beside_others) {
    // Most edges of a rank find both ends in the largest set already; some vertices have no edge of their
    // rank.
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        std::int64_t const dense = 40 + static_cast<std::int64_t>(seed) * 17 % 200, pairs = 30, loose = 25;
        auto serial = random_graph(dense, dense * (seed % 2 == 0 ? 20 : 90), seed);
        serial.vertices += 2 * pairs + loose + 50;
        for (std::int64_t v = dense; v < dense + 2 * pairs; v += 2) serial.edges.push_back({v, v + 1});
        for (std::int64_t v = dense + 2 * pairs; v < dense + 2 * pairs + loose; ++v)
            serial.edges.push_back({v, v * 7 % dense});                           // hang on the dense part
        for (std::int64_t v = serial.vertices - 50; v + 1 < serial.vertices; ++v) // a second dense part
            for (std::int64_t u = v + 1; u < serial.vertices; u += 1 + static_cast<std::int64_t>(seed % 3))
                serial.edges.push_back({u, v});
        for (edge_numbers const how : {edge_numbers::as_they_are, edge_numbers::spread})
            expect_components(numbered(serial, how), sharing::random,
                {.gather_below = seed % 2 == 0 ? 0 : 1 << 17, .seed = seed}, "seed " + std::to_string(seed));
    }
}

TEST(components, rounds_grow_with_the_logarithm_of_the_path) {
    // Round robin by a stride: no rank can join more than single edges, so all is left to the rounds.
    constexpr std::int64_t length = 4000;
    serial_graph path{length, {}};
    for (std::int64_t v = 1; v < length; ++v)
        path.edges.push_back({(v - 1) * 1237 % length, v * 1237 % length});
    weft::simple_graph const graph(world(), share_of(path, sharing::round_robin));
    auto const found = weft::find_components(graph, {.gather_below = 0});
    EXPECT_EQ(found.components, 1);
    EXPECT_EQ(found.largest, std::vector<std::int64_t>{length});
    EXPECT_LE(found.contractions, 20) << "12 halvings join 4000 vertices";
    EXPECT_GE(found.contractions, size() > 1 ? 1 : 0);
}

TEST(components, mesh_needs_no_round_of_messages_but_the_gathering) {
    constexpr std::int64_t side = 60;
    serial_graph grid{side * side, {}};
    for (std::int64_t v = 0; v < side * side; ++v) {
        if (v % side != 0) grid.edges.push_back({v - 1, v});
        if (v >= side) grid.edges.push_back({v - side, v});
    }
    weft::simple_graph const graph(world(), share_of(grid, sharing::random));
    EXPECT_EQ(weft::find_components(graph).contractions, 0);
    expect_components(grid, sharing::random, {.gather_below = 0}, "grid");
}

TEST(components, of_the_blocks_of_a_graph_are_the_same) {
    for (std::int64_t const edge_factor : {1, 16}) {
        weft::rmat_options options;
        options.scale = 12;
        options.edge_factor = edge_factor;
        weft::simple_graph const graph(world(), weft::generate_rmat(world(), options));
        auto const expected = weft::find_components(graph);
        // Each rank has some of 64 blocks of its vertices, so that they differ with the number of ranks.
        struct cut_of_vertices {
            [[nodiscard]] static std::int64_t blocks() { return 64; }
            [[nodiscard]] static weft::link link_of(weft::block_id) { return {}; }
        };
        auto const where = weft::assignment::contiguous(64, size());
        auto const part_of = [&](std::int64_t vertex) { // the block, and its first vertex
            int const owner = graph.vertices().owner(vertex);
            auto const blocks = static_cast<int>(where.blocks_of(owner));
            weft::uniform_distribution const parts(graph.vertices().size(owner), blocks);
            int const part = parts.owner(vertex - graph.vertices().begin(owner));
            return std::pair(where.block_at(owner, part), graph.vertices().begin(owner) + parts.begin(part));
        };
        weft::uniform_distribution const mine(
            graph.local_count(), static_cast<int>(where.blocks_of(world().rank())));
        auto const make = [&](weft::block_id id) {
            auto const place = static_cast<int>(where.local_place(id));
            std::int64_t const first = graph.first_vertex() + mine.begin(place);
            weft::block_components part(first, mine.size(place));
            for (std::int64_t i = 0; i < mine.size(place); ++i)
                for (weft::global_id const other : graph.stored_neighbors(mine.begin(place) + i)) {
                    auto const [owner, its_first] = part_of(other);
                    if (owner == id)
                        part.unite(i, other - its_first);
                    else
                        part.unite(i, other, owner);
                }
            return part;
        };
        for (bool const asynchronous : {false, true}) {
            weft::block_set<weft::block_components> blocks(world(), cut_of_vertices{}, make);
            find_components(blocks,
                [](weft::block_components& part) -> weft::block_components& { return part; },
                {.asynchronous = asynchronous});
            std::vector<weft::global_id> labels;
            blocks.for_each([&](weft::block_components& part, weft::block_id) {
                for (std::int64_t i = 0; i < part.size(); ++i) labels.push_back(part.label(i));
            });
            EXPECT_EQ(labels, expected.label) << "edge factor " << edge_factor;
        }
    }
}
