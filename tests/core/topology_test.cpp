#include <weft/core/topology.hpp>

#include <weft/core/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <vector>

using weft::pretend_nodes;
using weft::topology;

namespace {

using ranks = std::vector<int>;

ranks members(topology const& nodes, int node) {
    auto const span = nodes.ranks_of(node);
    return {span.begin(), span.end()};
}

/// What holds for every topology, whatever the names of its nodes.
void expect_consistent(topology const& nodes, ranks const& names) {
    ranks seen(names.size(), 0);
    int largest = 0;
    int previous_leader = -1;
    for (int node = 0; node < nodes.node_count(); ++node) {
        ranks const here = members(nodes, node);
        ASSERT_FALSE(here.empty());
        EXPECT_TRUE(std::ranges::is_sorted(here));
        EXPECT_EQ(nodes.leader_of(node), std::ranges::min(here));
        EXPECT_GT(nodes.leader_of(node), previous_leader) << "nodes count in the order of their lowest ranks";
        previous_leader = nodes.leader_of(node);
        largest = std::max(largest, static_cast<int>(here.size()));
        for (std::size_t core = 0; core < here.size(); ++core) {
            EXPECT_EQ(nodes.node_of(here[core]), node);
            EXPECT_EQ(nodes.core_of(here[core]), static_cast<int>(core));
            EXPECT_EQ(names[static_cast<std::size_t>(here[core])], names[static_cast<std::size_t>(here[0])]);
            ++seen[static_cast<std::size_t>(here[core])];
        }
    }
    EXPECT_EQ(nodes.largest_node(), largest);
    EXPECT_TRUE(std::ranges::all_of(seen, [](int times) { return times == 1; }))
        << "each rank is on one node";
}

std::string shape_refusal(std::string const& text) {
    try {
        (void)pretend_nodes(text, 5);
    } catch (weft::usage_error const& caught) { return caught.what(); }
    return "nothing was thrown";
}

} // namespace

TEST(topology, numbers_nodes_by_lowest_rank_and_cores_by_rank) {
    topology const nodes(3, ranks{70, -5, 70, 9, -5, 70});
    EXPECT_EQ(nodes.node_count(), 3);
    EXPECT_EQ(members(nodes, 0), (ranks{0, 2, 5}));
    EXPECT_EQ(members(nodes, 1), (ranks{1, 4}));
    EXPECT_EQ(members(nodes, 2), (ranks{3}));
    EXPECT_EQ(nodes.node(), 2);
    EXPECT_EQ(nodes.core(), 0);
    EXPECT_EQ(nodes.core_of(5), 2);
    EXPECT_EQ(nodes.leader_of(1), 1);
    EXPECT_EQ(nodes.largest_node(), 3);
}

TEST(topology, others_see_the_same_nodes_from_their_place) {
    std::optional<topology> first(std::in_place, 0, ranks{4, 4, 9, 9, 4});
    topology const nodes = first->seen_by(3);
    EXPECT_EQ(first->node(), 0);
    first.reset(); // the memory is shared, not borrowed
    EXPECT_EQ(nodes.node(), 1);
    EXPECT_EQ(nodes.core(), 1);
    expect_consistent(nodes, ranks{4, 4, 9, 9, 4});
}

TEST(topology, one_rank_is_one_node) {
    topology const nodes(0, ranks{12});
    EXPECT_EQ(nodes.node_count(), 1);
    EXPECT_EQ(nodes.largest_node(), 1);
    EXPECT_EQ(nodes.leader_of(nodes.node()), 0);
}

TEST(topology, any_names_give_a_partition_of_the_ranks) {
    std::mt19937 random(5);
    for (int run = 0; run < 300; ++run) {
        int const size = 1 + static_cast<int>(random() % 40);
        int const names = 1 + static_cast<int>(random() % 12);
        ranks given(static_cast<std::size_t>(size));
        for (int& name : given)
            name = static_cast<int>(random() % static_cast<unsigned>(names)) * 1000 - 3000;
        for (int rank : {0, size / 2, size - 1}) {
            topology const nodes(rank, given);
            expect_consistent(nodes, given);
            EXPECT_EQ(nodes.node(), nodes.node_of(rank));
            EXPECT_EQ(nodes.core(), nodes.core_of(rank));
        }
    }
}

TEST(pretend_nodes, equal_nodes_are_filled_one_after_the_other) {
    EXPECT_EQ(pretend_nodes("2", 6), (ranks{0, 0, 1, 1, 2, 2}));
    EXPECT_EQ(pretend_nodes("1", 3), (ranks{0, 1, 2}));
    EXPECT_EQ(pretend_nodes("8", 3), (ranks{0, 0, 0}));
}

TEST(pretend_nodes, the_last_node_has_what_is_left) {
    EXPECT_EQ(pretend_nodes("3", 7), (ranks{0, 0, 0, 1, 1, 1, 2}));
    EXPECT_EQ(pretend_nodes("1,3", 3), (ranks{0, 1, 1}));
}

TEST(pretend_nodes, unequal_nodes_repeat_in_turn) {
    EXPECT_EQ(pretend_nodes("3,2,2", 7), (ranks{0, 0, 0, 1, 1, 2, 2}));
    EXPECT_EQ(pretend_nodes("3,1", 9), (ranks{0, 0, 0, 1, 2, 2, 2, 3, 4}));
}

TEST(pretend_nodes, cyclic_deals_ranks_out_in_turn_until_a_node_is_full) {
    EXPECT_EQ(pretend_nodes("cyclic:2", 6), (ranks{0, 1, 2, 0, 1, 2}));
    EXPECT_EQ(pretend_nodes("cyclic:3,1", 4), (ranks{0, 1, 0, 0}));
    EXPECT_EQ(pretend_nodes("cyclic:3,2", 7), (ranks{0, 1, 2, 0, 1, 2, 0}));
}

TEST(pretend_nodes, cyclic_and_block_make_nodes_of_the_same_sizes) {
    for (std::string const pattern : {"1", "4", "3,2", "1,3", "5,1,2"})
        for (int size = 1; size <= 30; ++size) {
            auto const block = pretend_nodes(pattern, size);
            auto const cyclic = pretend_nodes("cyclic:" + pattern, size);
            ASSERT_EQ(block.size(), static_cast<std::size_t>(size));
            ASSERT_EQ(cyclic.size(), block.size());
            EXPECT_TRUE(std::ranges::is_permutation(block, cyclic)) << pattern << " over " << size;
            EXPECT_TRUE(std::ranges::is_sorted(block));
            expect_consistent(topology(0, cyclic), cyclic);
        }
}

TEST(pretend_nodes, refuses_what_it_cannot_read_and_says_what_it_takes) {
    for (std::string const text : {"", "0", "-3", "3,", ",3", "3,,2", "3 2", "3.5", "x", "cyclic",
             "cyclic:", "cyclic:0", "block:3", "99999999999999", "3,2x"}) {
        std::string const said = shape_refusal(text);
        EXPECT_NE(said.find("WEFT_RANKS_PER_NODE=" + text), std::string::npos) << said;
        EXPECT_NE(said.find("expected positive node sizes"), std::string::npos) << said;
    }
}
