/// Every way ends where it should, in few hops, over few partners, and all ranks on it agree.
#include <protocol/routes.hpp>

#include <harness/mpi_test.hpp>

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <string>
#include <vector>

using weft::route;
using weft::routes;
using weft::topology;

namespace {

constexpr std::array every_route{route::direct, route::node_local, route::node_remote, route::nlnr};

/// A placement as each of its ranks sees it.
struct placement {
    explicit placement(std::vector<int> const& node_of) {
        for (int rank = 0; rank < static_cast<int>(node_of.size()); ++rank) at.emplace_back(rank, node_of);
    }
    [[nodiscard]] int size() const { return static_cast<int>(at.size()); }
    [[nodiscard]] topology const& any() const { return at.front(); }
    [[nodiscard]] routes ways(int rank, route how) const {
        return {at[static_cast<std::size_t>(rank)], rank, how};
    }
    /// The ranks after `from` on the way to `to`.
    [[nodiscard]] std::vector<int> way(int from, int to, route how) const {
        std::vector<int> hops;
        for (int here = from; here != to && hops.size() < 10;)
            hops.push_back(here = ways(here, how).next_hop(to));
        return hops;
    }

    std::vector<topology> at;
};

std::vector<placement> placements() {
    std::vector<placement> made;
    for (char const* nodes : {"1", "2", "4", "3,2", "1,5", "cyclic:2", "cyclic:3,2", "cyclic:1,4", "100"})
        for (int const ranks : {1, 2, 5, 16, 23}) made.emplace_back(weft::pretend_nodes(nodes, ranks));
    std::mt19937_64 random(7);
    for (int i = 0; i < 40; ++i) {
        std::vector<int> node_of(1 + random() % 30);
        auto const nodes = 1 + random() % 8;
        for (int& each : node_of) each = static_cast<int>(random() % nodes);
        made.emplace_back(node_of);
    }
    return made;
}

template <class Body>
void for_all_pairs(Body&& body) {
    for (placement const& each : placements())
        for (route const how : every_route)
            for (int from = 0; from < each.size(); ++from)
                for (int to = 0; to < each.size(); ++to) body(each, how, from, to);
}

} // namespace

TEST(routes, every_way_ends_in_few_hops_of_which_one_goes_between_nodes) {
    for_all_pairs([](placement const& all, route how, int from, int to) {
        auto const hops = all.way(from, to, how);
        std::size_t const most = how == route::direct ? 1 : how == route::nlnr ? 3 : 2;
        ASSERT_LE(hops.size(), most) << weft::name_of(how) << " from " << from << " to " << to;
        ASSERT_EQ(hops.empty() ? from : hops.back(), to);
        int between = 0;
        int here = from;
        for (int const next : hops) {
            bool const leaves = all.any().node_of(here) != all.any().node_of(next);
            between += leaves ? 1 : 0;
            // Nothing comes to a third node.
            ASSERT_EQ(all.any().node_of(next), all.any().node_of(between > 0 ? to : from));
            here = next;
        }
        ASSERT_EQ(between, all.any().node_of(from) != all.any().node_of(to) ? 1 : 0);
    });
}

TEST(routes, inside_a_node_all_goes_straight) {
    for_all_pairs([](placement const& all, route how, int from, int to) {
        if (all.any().node_of(from) != all.any().node_of(to)) return;
        ASSERT_EQ(all.ways(from, how).next_hop(to), to) << weft::name_of(how);
    });
}

TEST(routes, messages_leave_a_node_at_its_gate) {
    for_all_pairs([](placement const& all, route how, int from, int to) {
        int const there = all.any().node_of(to);
        if (all.any().node_of(from) == there) return;
        int const gate = all.ways(from, how).gate_to(there, to);
        ASSERT_EQ(all.any().node_of(gate), all.any().node_of(from));
        ASSERT_EQ(all.ways(gate, how).gate_to(there, to), gate) << "the gate itself knows that it is";
        auto const hops = all.way(from, to, how);
        auto const leaves = std::ranges::find(hops, there, [&](int rank) { return all.any().node_of(rank); });
        ASSERT_EQ(leaves == hops.begin() ? from : *(leaves - 1), gate);
    });
}

TEST(routes, peers_are_on_the_node_that_was_asked_for) {
    for (placement const& all : placements())
        for (route const how : every_route)
            for (int rank = 0; rank < all.size(); ++rank)
                for (int node = 0; node < all.any().node_count(); ++node)
                    EXPECT_EQ(all.any().node_of(all.ways(rank, how).peer_on(node)), node);
}

TEST(routes, nlnr_partners_a_core_are_the_nodes_divided_by_the_cores) {
    for (int const cores : {1, 2, 4, 8})
        for (int const nodes : {1, 2, 5, 8, 16}) {
            placement const all(weft::pretend_nodes(std::to_string(cores), cores * nodes));
            for (int rank = 0; rank < all.size(); ++rank) {
                std::set<int> partners;
                std::set<int> of_node_remote;
                for (int from = 0; from < all.size(); ++from)
                    for (int to = 0; to < all.size(); ++to) {
                        if (all.any().node_of(to) == all.any().node_of(rank)) continue;
                        if (all.any().node_of(from) != all.any().node_of(rank)) continue;
                        routes const first = all.ways(from, route::nlnr);
                        int const gate = first.gate_to(all.any().node_of(to), to);
                        if (gate == rank) partners.insert(all.ways(rank, route::nlnr).next_hop(to));
                        if (from == rank)
                            of_node_remote.insert(all.ways(rank, route::node_remote).next_hop(to));
                    }
                EXPECT_LE(partners.size(), static_cast<std::size_t>((nodes + cores - 1) / cores));
                EXPECT_EQ(of_node_remote.size(), static_cast<std::size_t>(nodes - 1));
                // Who sends to a rank is whom it sends to.
                for (int const each : partners) {
                    int const back = all.ways(each, route::nlnr).next_hop(rank);
                    EXPECT_EQ(back, rank);
                }
            }
        }
}

TEST(routes, nlnr_leaves_a_node_by_all_its_cores_where_the_nodes_are_few) {
    for (int const cores : {1, 3, 4, 8})
        for (int const nodes : {2, 3, 4, 9}) {
            placement const all(weft::pretend_nodes(std::to_string(cores), cores * nodes));
            std::set<int> gates;
            for (int to = cores; to < all.size(); ++to)
                gates.insert(all.ways(0, route::nlnr).gate_to(all.any().node_of(to), to));
            int const of_each = std::max(1, cores / nodes);
            EXPECT_EQ(gates.size(), static_cast<std::size_t>(std::min(cores, of_each * (nodes - 1))));
        }
}

TEST(routes, one_core_sends_what_is_for_all_of_a_node) {
    for (placement const& all : placements())
        for (route const how : every_route)
            for (int rank = 0; rank < all.size(); ++rank)
                for (int node = 0; node < all.any().node_count(); ++node) {
                    int const sender = all.ways(rank, how).gate_to_all_of(node);
                    EXPECT_EQ(all.any().node_of(sender), all.any().node_of(rank));
                    EXPECT_EQ(all.ways(sender, how).gate_to_all_of(node), sender);
                }
}
