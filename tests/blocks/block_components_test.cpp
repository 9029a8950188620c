#include <weft/blocks/block_components.hpp>

#include "block_rig.hpp"

#include <weft/core/error.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

using weft::block_components;
using weft::block_id;
using weft::block_set;
using weft_test::cut_into;

namespace {

/// Vertices by number, each with an id and a block; ids ascend with the numbers.
struct dealt_graph {
    std::int64_t blocks;
    std::vector<weft::global_id> ids;
    std::vector<std::int64_t> owner;
    std::vector<std::pair<std::size_t, std::size_t>> edges;

    [[nodiscard]] std::vector<weft::global_id> serial_labels() const {
        std::vector<std::size_t> parent(ids.size());
        std::iota(parent.begin(), parent.end(), std::size_t{0});
        auto const root = [&](std::size_t v) {
            while (parent[v] != v) v = parent[v] = parent[parent[v]];
            return v;
        };
        for (auto [a, b] : edges) {
            a = root(a);
            b = root(b);
            parent[std::max(a, b)] = std::min(a, b);
        }
        std::vector<weft::global_id> labels(ids.size());
        for (std::size_t v = 0; v < ids.size(); ++v) labels[v] = ids[root(v)];
        return labels;
    }
};

/// Which end of an edge between blocks is told.
enum class told : std::uint8_t { first, larger, smaller, both };
constexpr told all_told[] = {told::first, told::larger, told::smaller, told::both};

struct part_of_graph {
    block_components components;
    std::vector<std::size_t> vertices; ///< by place
    int callbacks = 0;
};

/// The vertices of a block, without edges; as a range of ids where they are one and `ranges`.
part_of_graph vertices_of(dealt_graph const& graph, block_id block, bool ranges) {
    part_of_graph part;
    std::vector<weft::global_id> ids;
    for (std::size_t v = 0; v < graph.ids.size(); ++v)
        if (graph.owner[v] == index_of(block)) {
            part.vertices.push_back(v);
            ids.push_back(graph.ids[v]);
        }
    auto const count = static_cast<std::int64_t>(ids.size());
    if (ranges && count > 0 && ids.back() - ids.front() == count - 1)
        part.components = block_components(ids.front(), count);
    else
        part.components = block_components(std::move(ids));
    return part;
}

/// Edges `from` to `to` of those of the block.
void unite_edges(part_of_graph& part, dealt_graph const& graph, block_id block, told who, std::size_t from,
    std::size_t to) {
    auto const place = [&](std::size_t v) { return part.components.place_of(graph.ids[v]); };
    for (std::size_t i = from; i < to; ++i) {
        auto [a, b] = graph.edges[i];
        bool const mine[] = {graph.owner[a] == index_of(block), graph.owner[b] == index_of(block)};
        if (mine[0] && mine[1]) {
            if (i % 3 > 0)
                part.components.unite(place(a), place(b));
            else // is told of itself
                part.components.unite(place(a), graph.ids[b], block);
            continue;
        }
        for (bool const second : {false, true}) {
            std::size_t const own = second ? b : a;
            std::size_t const other = second ? a : b;
            if (!mine[second]) continue;
            if (who == told::first && second) continue;
            if (who == told::larger && own < other) continue;
            if (who == told::smaller && own > other) continue;
            block_id const owner{graph.owner[other]};
            if (i % 2 == 0)
                part.components.unite(place(own), graph.ids[other], owner);
            else
                part.components.unite(place(own), graph.ids[other], [&](weft::global_id) { return owner; });
        }
    }
}

block_components& components_of(part_of_graph& part) {
    ++part.callbacks;
    return part.components;
}

void expect_labels(block_set<part_of_graph>& blocks, dealt_graph const& graph, std::string const& name) {
    std::vector<weft::global_id> const expected = graph.serial_labels();
    blocks.for_each([&](part_of_graph& part, block_id) {
        for (std::size_t place = 0; place < part.vertices.size(); ++place)
            ASSERT_EQ(part.components.label(static_cast<std::int64_t>(place)), expected[part.vertices[place]])
                << name << ", vertex " << part.vertices[place];
    });
}

/// Finds the components of a graph; in one go, or of a half of the edges first. Returns the largest number of
/// callbacks of a block.
int expect_components(dealt_graph const& graph, weft_test::setting const& with, told who, bool asynchronous,
    bool in_two = false) {
    std::string const name = with.name() + (asynchronous ? ", iexchange" : ", exchange") + ", told " +
                             std::to_string(static_cast<int>(who));
    cut_into const cut{graph.blocks, [](block_id) { return std::vector<block_id>{}; }};
    auto const make = [&](block_id id) { return vertices_of(graph, id, who != told::both); };
    block_set<part_of_graph> blocks(weft_test::world(), cut, with.where(), make, {.threads = with.threads});
    std::size_t done = 0;
    for (std::size_t const to : {in_two ? graph.edges.size() / 2 : 0, graph.edges.size()}) {
        if (to == done && done > 0) continue;
        blocks.for_each(
            [&](part_of_graph& part, block_id id) { unite_edges(part, graph, id, who, done, to); });
        find_components(blocks, components_of, {.asynchronous = asynchronous});
        done = to;
    }
    expect_labels(blocks, graph, name);
    return blocks.all_reduce<int>([](part_of_graph const& part, block_id) { return part.callbacks; },
        [](int a, int b) { return std::max(a, b); });
}

/// Blocks own neighbouring vertices, every so manieth one, or any; ids are consecutive or not.
dealt_graph deal(std::int64_t blocks, std::size_t vertices, int dealing, std::mt19937_64& random) {
    dealt_graph graph{blocks, {}, {}, {}};
    weft::global_id id = 5;
    for (std::size_t v = 0; v < vertices; ++v) {
        graph.ids.push_back(id);
        id += dealing == 0 ? 1 : static_cast<weft::global_id>(1 + random() % 1000000007);
        auto const count = static_cast<std::size_t>(blocks);
        std::size_t const owners[] = {v * count / vertices, v % count, random() % count};
        graph.owner.push_back(static_cast<std::int64_t>(owners[dealing]));
    }
    return graph;
}

} // namespace

TEST(block_components, random_graphs) {
    std::mt19937_64 random = weft_test::random();
    int turn = 0;
    for (std::int64_t const blocks : {1, 2, 5, 13, 64})
        for (std::size_t const vertices : {1, 20, 300})
            for (std::size_t const degree : {0, 1, 2, 8}) { // in quarters of an edge a vertex
                dealt_graph graph = deal(blocks, vertices, turn % 3, random);
                for (std::size_t i = 0; i < vertices * degree / 4; ++i)
                    graph.edges.emplace_back(random() % vertices, random() % vertices);
                for (bool const asynchronous : {false, true}) {
                    constexpr int threads[] = {1, 2, 4};
                    weft_test::setting const with{blocks, threads[turn / 3 % 3], turn / 2 % 3};
                    expect_components(graph, with, all_told[random() % 4], asynchronous, random() % 2 == 0);
                }
                ++turn;
            }
}

TEST(block_components, stars_and_cycles_with_loops_and_duplicates) {
    std::mt19937_64 random = weft_test::random();
    for (int const dealing : {0, 1, 2})
        for (bool const star : {false, true})
            for (bool const asynchronous : {false, true}) {
                constexpr std::size_t vertices = 60;
                dealt_graph graph = deal(17, vertices, dealing, random);
                std::size_t const center = random() % vertices;
                for (int repeat = 0; repeat < 3; ++repeat)
                    for (std::size_t v = 0; v < vertices; ++v) {
                        graph.edges.emplace_back(v, v);
                        if (star)
                            graph.edges.emplace_back(center, v);
                        else // cycles of odd and of even numbers
                            graph.edges.emplace_back(v, (v + 2) % vertices);
                    }
                for (told const who : all_told) expect_components(graph, {17, 2, dealing}, who, asynchronous);
            }
}

TEST(block_components, most_blocks_without_vertices) {
    std::mt19937_64 random = weft_test::random();
    dealt_graph graph = deal(64, 40, 2, random);
    for (std::int64_t& owner : graph.owner) owner = owner % 2 * 63;
    for (int i = 0; i < 30; ++i) graph.edges.emplace_back(random() % 40, random() % 40);
    for (bool const asynchronous : {false, true})
        for (int const dealing : {0, 1, 2})
            expect_components(graph, {64, 1, dealing}, told::first, asynchronous);
}

// Labels that go from block to block would take as many rounds as there are blocks.
TEST(block_components, a_chain_through_all_blocks_takes_few_rounds) {
    constexpr std::size_t count = 256;
    std::mt19937_64 random = weft_test::random();
    std::vector<std::size_t> ascending(count);
    std::iota(ascending.begin(), ascending.end(), std::size_t{0});
    std::map<std::string, std::vector<std::size_t>> orders;
    orders["ascending"] = ascending;
    orders["descending"] = {ascending.rbegin(), ascending.rend()};
    orders["shuffled"] = ascending;
    std::shuffle(orders["shuffled"].begin(), orders["shuffled"].end(), random);
    for (std::size_t i = 0; i < count; i += 2) orders["a hill"].push_back(i);
    for (std::size_t i = count; i > 0; i -= 2) orders["a hill"].push_back(i - 1);
    for (std::size_t i = 0; i < count; ++i)
        orders["a comb"].push_back(i % 2 == 0 ? i / 2 : count - 1 - i / 2);
    for (auto const& [order, chain] : orders)
        for (told const who : all_told) {
            dealt_graph graph = deal(count, count, 1, random);
            for (std::size_t i = 1; i < count; ++i) graph.edges.emplace_back(chain[i - 1], chain[i]);
            int const rounds = expect_components(graph, {count, 1, 0}, who, false);
            EXPECT_LE(rounds, 30) << order << ", told " << static_cast<int>(who);
            expect_components(graph, {count, 2, 1}, who, true);
        }
}

TEST(block_components, what_is_united_here_is_labelled_at_once) {
    block_components components({3, 8, 11, 20});
    EXPECT_EQ(components.size(), 4);
    EXPECT_EQ(components.place_of(11), 2);
    EXPECT_EQ(components.place_of(12), -1);
    components.unite(3, 1);
    EXPECT_EQ(components.label(3), 8);
    components.unite(0, 0);
    EXPECT_EQ(components.label(0), 3);
    EXPECT_EQ(block_components().size(), 0);
    EXPECT_EQ(block_components().place_of(0), -1);
}

TEST(block_components, misuse_is_an_error) {
    EXPECT_THROW(block_components(std::vector<weft::global_id>{1, 1}), weft::usage_error);
    EXPECT_THROW(block_components(std::vector<weft::global_id>{2, 1}), weft::usage_error);
    EXPECT_THROW(block_components(0, -1), weft::usage_error);
    EXPECT_THROW(block_components(0, std::int64_t{1} << 32), weft::usage_error);

    for (bool const asynchronous : {false, true})
        for (std::int64_t const vertex : {0, 40}) { // not of block 2
            auto const make = [&](block_id id) {
                block_components part(10 * index_of(id), 10);
                if (id == block_id{1}) part.unite(0, vertex, block_id{2});
                return part;
            };
            block_set<block_components> blocks(weft_test::world(), cut_into::chain(3), make);
            auto const find = [&] {
                find_components(blocks, [](block_components& part) -> block_components& { return part; },
                    {.asynchronous = asynchronous});
            };
            EXPECT_ANY_THROW(find());
        }
}
