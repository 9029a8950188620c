#include <weft/extend/mailbox/route_choice.hpp>

#include "simulated_scatter.hpp"

#include <harness/mpi_test.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

using weft::fastest_route;
using weft::route;
using weft::topology;

namespace {

std::vector<int> even_nodes(int nodes, int cores) {
    std::vector<int> node_of;
    for (int rank = 0; rank < nodes * cores; ++rank) node_of.push_back(rank / cores);
    return node_of;
}

} // namespace

TEST(route_choice, is_direct_on_one_node_and_between_few_ranks) {
    auto const machine = weft::built_in_machine();
    for (bool const shared : {true, false}) {
        for (int const ranks : {1, 4, 64})
            EXPECT_EQ(
                fastest_route(topology(0, even_nodes(1, ranks)), machine, 1 << 20, shared), route::direct);
        EXPECT_EQ(fastest_route(topology(0, even_nodes(2, 1)), machine, 1 << 24, shared), route::direct);
    }
}

TEST(route_choice, goes_by_few_partners_where_there_are_many_ranks) {
    auto const machine = weft::built_in_machine();
    topology const many(0, even_nodes(64, 16));
    for (std::int64_t const bytes : {1 << 16, 1 << 20}) {
        EXPECT_NE(fastest_route(many, machine, bytes, true), route::direct);
        EXPECT_NE(fastest_route(many, machine, bytes, false), route::direct);
    }
    // Memory alone does not make messages long, because the bytes of a phase are limited.
    EXPECT_NE(fastest_route(many, machine, std::int64_t{1} << 40, true), route::direct);
}

TEST(route_choice, is_the_same_on_all_ranks) {
    auto const machine = weft::built_in_machine();
    for (char const* nodes : {"1", "2", "4", "3,2", "1,5", "cyclic:2", "cyclic:3,2"})
        for (int const ranks : {1, 2, 5, 23}) {
            std::vector<int> const node_of = weft::pretend_nodes(nodes, ranks);
            for (std::int64_t const bytes : {1 << 12, 1 << 16, 1 << 20, 1 << 24})
                for (int rank = 0; rank < ranks; ++rank)
                    EXPECT_EQ(fastest_route(topology(rank, node_of), machine, bytes, true),
                        fastest_route(topology(0, node_of), machine, bytes, true));
        }
}

TEST(route_choice, is_close_to_the_best_of_the_simulated_ones) {
    if (weft_test::rank() != 0) return; // the ranks are simulated
    struct shape {
        int nodes;
        int cores;
        std::int64_t bytes;
        int items;
    };
    for (shape const& now : {shape{2, 16, 1 << 18, 8000}, shape{4, 12, 1 << 17, 6000},
             shape{8, 8, 1 << 17, 6000}, shape{16, 4, 1 << 16, 4000}, shape{12, 12, 1 << 17, 3000}}) {
        std::map<route, double> seconds;
        double best = 1e9;
        for (route const how : {route::direct, route::node_local, route::node_remote, route::nlnr}) {
            seconds[how] =
                weft_test::scatter(now.nodes * now.cores, now.cores, how, now.bytes, now.items).seconds;
            best = std::min(best, seconds[how]);
        }
        route const chosen = fastest_route(
            topology(0, even_nodes(now.nodes, now.cores)), weft::built_in_machine(), now.bytes, false);
        EXPECT_LE(seconds[chosen], 1.3 * best)
            << now.nodes << " nodes of " << now.cores << ": " << weft::name_of(chosen) << "; direct "
            << seconds[route::direct] << ", node_local " << seconds[route::node_local] << ", node_remote "
            << seconds[route::node_remote] << ", nlnr " << seconds[route::nlnr];
    }
}
