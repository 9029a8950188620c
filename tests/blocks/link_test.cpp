#include <weft/blocks/link.hpp>

#include <weft/core/error.hpp>

#include <harness/mpi_test.hpp>

#include <set>
#include <string>

using weft::assignment;
using weft::block_id;
using weft::check_links;
using weft::usage_error;
using weft_test::world;

namespace {

using directed_graph = std::vector<std::set<std::int64_t>>; // whom each block names

directed_graph random_symmetric_graph(std::size_t blocks, std::mt19937_64& generator) {
    directed_graph graph(blocks);
    for (std::size_t i = 0; i < 2 * blocks; ++i) {
        std::size_t const a = generator() % blocks;
        std::size_t const b = generator() % blocks;
        graph[a].insert(static_cast<std::int64_t>(b));
        graph[b].insert(static_cast<std::int64_t>(a));
    }
    return graph;
}

std::vector<assignment> all_kinds_of_assignment(std::size_t blocks, std::mt19937_64& generator) {
    auto const n = static_cast<std::int64_t>(blocks);
    std::vector<int> table(blocks);
    for (int& rank : table) rank = static_cast<int>(generator() % static_cast<unsigned>(world().size()));
    return {assignment::contiguous(n, world().size()), assignment::round_robin(n, world().size()),
        assignment::by_table(table, world().size())};
}

/// What check_links says about the graph; empty for nothing. The blocks of a rank are given in descending
/// order if asked for.
std::string complaint_about(directed_graph const& graph, assignment const& owners, bool descending = false) {
    std::vector<block_id> mine;
    for (std::int64_t i = 0; i < owners.blocks_of(world().rank()); ++i)
        mine.push_back(owners.block_at(world().rank(), i));
    if (descending) std::reverse(mine.begin(), mine.end());
    std::vector<weft::link> links;
    for (block_id const block : mine) {
        std::vector<block_id> ids;
        for (std::int64_t const id : graph[static_cast<std::size_t>(index_of(block))])
            ids.push_back(block_id{id});
        links.emplace_back(std::move(ids));
    }
    try {
        check_links(world(), owners, mine, links);
    } catch (usage_error const& caught) { return caught.what(); }
    return {};
}

/// The lowest pair that is wrong, found by looking at all.
std::string expected_complaint(directed_graph const& graph) {
    for (std::size_t a = 0; a < graph.size(); ++a)
        for (std::int64_t const b : graph[a]) {
            std::string const pair =
                "check_links: block " + std::to_string(a) + " names block " + std::to_string(b);
            if (b < 0 || b >= static_cast<std::int64_t>(graph.size()))
                return pair + ", which does not exist; blocks are 0.." + std::to_string(graph.size() - 1);
            if (!graph[static_cast<std::size_t>(b)].contains(static_cast<std::int64_t>(a)))
                return pair + ", but block " + std::to_string(b) + " does not name block " +
                       std::to_string(a) + "; a link must be in both blocks";
        }
    return {};
}

} // namespace

TEST(link, sorts_its_ids_and_keeps_each_once) {
    weft::link const given({block_id{7}, block_id{-2}, block_id{7}, block_id{3}});
    EXPECT_EQ(std::vector<block_id>(given.begin(), given.end()),
        (std::vector<block_id>{block_id{-2}, block_id{3}, block_id{7}}));
    EXPECT_EQ(given.size(), 3u);
    EXPECT_EQ(given[1], block_id{3});
    EXPECT_EQ(given, weft::link({block_id{3}, block_id{7}, block_id{-2}}));
    EXPECT_TRUE(weft::link().empty());
    EXPECT_EQ(weft::link().index_of(block_id{0}), -1);
}

TEST(link, finds_every_neighbor_and_nobody_else) {
    auto generator = weft_test::random();
    for (std::size_t size = 0; size < 70; ++size) {
        std::vector<block_id> ids;
        for (std::size_t i = 0; i < size; ++i)
            ids.push_back(block_id{static_cast<std::int64_t>(generator() % 100)});
        weft::link const made(ids);
        for (std::int64_t id = -1; id <= 100; ++id) {
            auto const at = std::find(made.begin(), made.end(), block_id{id});
            int const expected = at == made.end() ? -1 : static_cast<int>(at - made.begin());
            ASSERT_EQ(made.index_of(block_id{id}), expected);
            ASSERT_EQ(made.contains(block_id{id}), expected >= 0);
        }
    }
}

TEST(link, symmetric_links_pass_the_check) {
    auto generator = weft_test::random();
    for (std::size_t const blocks : {0u, 1u, 2u, 5u, 24u, 100u}) {
        auto const graph = blocks > 0 ? random_symmetric_graph(blocks, generator) : directed_graph();
        for (assignment const& owners : all_kinds_of_assignment(blocks, generator)) {
            EXPECT_EQ(complaint_about(graph, owners), "");
            EXPECT_EQ(complaint_about(graph, owners, true), "");
        }
    }
}

TEST(link, all_ranks_hear_of_the_lowest_pair_that_is_wrong) {
    auto generator = weft_test::random();
    for (int round = 0; round < 30; ++round) {
        std::size_t const blocks = 2 + generator() % 30;
        auto graph = random_symmetric_graph(blocks, generator);
        for (std::size_t i = 0; i < 1 + generator() % 4; ++i) {
            auto const other = static_cast<std::int64_t>(generator() % (blocks + 4)) - 2; // some do not exist
            graph[generator() % blocks].insert(other);
        }
        for (assignment const& owners : all_kinds_of_assignment(blocks, generator))
            EXPECT_EQ(complaint_about(graph, owners), expected_complaint(graph));
    }
}

TEST(link, a_list_that_is_not_that_of_the_blocks_of_its_rank_is_an_error_everywhere) {
    auto const owners = assignment::contiguous(2 * world().size(), world().size());
    int const last = world().size() - 1;
    std::vector<block_id> const right{block_id{2 * world().rank()}, block_id{2 * world().rank() + 1}};
    auto const check = [&](std::vector<block_id> mine, std::size_t links) {
        if (world().rank() != last) {
            mine = right;
            links = 2;
        }
        check_links(world(), owners, mine, std::vector<weft::link>(links));
    };
    block_id const own = right[0];
    EXPECT_NO_THROW(check(right, 2));
    EXPECT_THROW(check(right, 1), usage_error);
    EXPECT_THROW(check({own}, 1), usage_error);
    EXPECT_THROW(check({own, own}, 2), usage_error);
    EXPECT_THROW(check({own, block_id{2 * world().size()}}, 2), usage_error);
    EXPECT_THROW(check({own, block_id{-1}}, 2), usage_error);
    EXPECT_THROW(check_links(world(), assignment::contiguous(0, world().size() + 1), {}, {}), usage_error);
    EXPECT_NO_THROW(check(right, 2));
}
