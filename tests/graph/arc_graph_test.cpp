#include <weft/graph/arc_graph.hpp>

#include "serial_graph.hpp"

#include <weft/core/error.hpp>

using namespace weft_test;

namespace {

/// For every vertex its neighbours, ascending.
std::vector<std::vector<weft::global_id>> neighbors_of_all(
    serial_graph const& serial, weft::arc_direction direction) {
    std::vector<std::set<weft::global_id>> sets(static_cast<std::size_t>(serial.vertices));
    for (auto const& [source, target] : serial.edges) {
        if (source == target) continue;
        if (direction != weft::arc_direction::backward) sets[static_cast<std::size_t>(source)].insert(target);
        if (direction != weft::arc_direction::forward) sets[static_cast<std::size_t>(target)].insert(source);
    }
    std::vector<std::vector<weft::global_id>> lists;
    for (auto const& each : sets) lists.emplace_back(each.begin(), each.end());
    return lists;
}

weft::global_id global(weft::arc_graph const& graph, std::uint32_t neighbor) {
    auto const own = static_cast<std::uint32_t>(graph.local_count());
    return neighbor < own ? graph.vertices().first_local() + neighbor : graph.ghosts()[neighbor - own];
}

void expect_arcs(serial_graph const& serial, weft::edge_list list, weft::arc_direction direction,
    std::string const& name) {
    weft::arc_graph const graph(world(), std::move(list), direction);
    auto const expected = neighbors_of_all(serial, direction);
    std::int64_t arcs = 0;
    for (auto const& each : expected) arcs += std::ssize(each);
    EXPECT_EQ(graph.arc_count(), arcs) << name;
    EXPECT_EQ(graph.loop_count(), std::ranges::count_if(serial.edges, [](auto const& e) {
        return e.source == e.target;
    })) << name;

    std::set<weft::global_id> ghosts;
    for (std::int64_t local = 0; local < graph.local_count(); ++local) {
        std::vector<weft::global_id> found;
        for (std::uint32_t const neighbor : graph.neighbors(local)) found.push_back(global(graph, neighbor));
        EXPECT_EQ(found, expected[static_cast<std::size_t>(graph.vertices().first_local() + local)]) << name;
        for (weft::global_id const vertex : found)
            if (graph.vertices().owners().owner(vertex) != rank()) ghosts.insert(vertex);
    }
    EXPECT_EQ(std::vector<weft::global_id>(graph.ghosts().begin(), graph.ghosts().end()),
        std::vector<weft::global_id>(ghosts.begin(), ghosts.end()))
        << name;
}

constexpr auto directions = {
    weft::arc_direction::both, weft::arc_direction::forward, weft::arc_direction::backward};

} // namespace

TEST(arc_graph, every_vertex_knows_its_neighbours) {
    auto graphs = nasty_graphs();
    for (std::uint64_t seed = 0; seed < 20; ++seed)
        graphs["random " + std::to_string(seed)] =
            random_graph(1 + static_cast<std::int64_t>(seed) * 7, static_cast<std::int64_t>(seed) * 20, seed);
    for (auto const& [name, serial] : graphs)
        for (sharing const how : {sharing::round_robin, sharing::all_on_last, sharing::random})
            for (auto const direction : directions)
                expect_arcs(serial, share_of(serial, how), direction, name);
}

TEST(arc_graph, ghosts_of_a_graph_with_many_more_vertices_than_arcs) {
    serial_graph const serial = random_graph(5000, 12, 3);
    for (auto const direction : directions)
        expect_arcs(serial, share_of(serial, sharing::random), direction, "sparse");
}

TEST(arc_graph, edges_that_are_listed_from_both_ends_count_once) {
    serial_graph const once = random_graph(40, 90, 5);
    serial_graph twice = once;
    for (auto const& [source, target] : once.edges)
        if (source != target) twice.edges.push_back({target, source});
    weft::edge_list list = share_of(twice, sharing::random);
    list.both_directions = true;
    expect_arcs(once, std::move(list), weft::arc_direction::both, "both");
}

TEST(arc_graph, an_endpoint_that_is_no_vertex_is_an_error_on_all_ranks) {
    weft::edge_list list;
    list.vertices = 5;
    if (rank() == size() - 1) list.edges = {{0, 5}};
    EXPECT_THROW(weft::arc_graph(world(), list, weft::arc_direction::both), weft::usage_error);
}
