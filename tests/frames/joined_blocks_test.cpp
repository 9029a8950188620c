#include <weft/frames/joined_blocks.hpp>

#include <weft/core/error.hpp>
#include <weft/frames/block_to_part.hpp>

#include "frame_rig.hpp"

#include <random>
#include <vector>

using weft::block_distribution;
using weft::global_id;
using weft::joined_blocks;
using weft_test::rank;
using weft_test::size;
using weft_test::world;

TEST(joined_blocks, places_are_those_of_the_blocks_laid_end_to_end) {
    block_distribution const first(std::vector<global_id>{5, 7, 7, 10});
    block_distribution const empty(std::vector<global_id>{0, 0, 0, 0});
    block_distribution const last(std::vector<global_id>{0, 1, 4, 5});
    joined_blocks const all({first, empty, last});
    EXPECT_EQ(all.total(), 10);
    EXPECT_EQ(all.joined_id(0, 9), 4);
    EXPECT_EQ(all.joined_id(2, 1), 6);
    EXPECT_EQ(all.places().bounds(), (std::vector<global_id>{0, 3, 6, 10}));
    std::vector<global_id> places;
    for (global_id id = 0; id < all.total(); ++id) places.push_back(all.place(id));
    // rank 0: 5 6 | 0, rank 1: | 1 2 3, rank 2: 7 8 9 | 4
    EXPECT_EQ(places, (std::vector<global_id>{0, 1, 6, 7, 8, 2, 3, 4, 5, 9}));
}

TEST(joined_blocks, refuses_what_does_not_belong_together) {
    EXPECT_THROW(joined_blocks({}), weft::usage_error);
    EXPECT_THROW(joined_blocks({block_distribution(std::vector<global_id>{0, 1}),
                     block_distribution(std::vector<global_id>{0, 1, 2})}),
        weft::usage_error);
    EXPECT_THROW(joined_blocks({block_distribution(std::vector<global_id>{0, INT64_MAX}),
                     block_distribution(std::vector<global_id>{0, 1})}),
        weft::usage_error);
}

TEST(joined_blocks, bring_the_values_of_all_domains_to_the_parts) {
    std::mt19937_64 random(7);
    for (int round = 0; round < 20; ++round) {
        std::vector<block_distribution> domains;
        std::vector<int> block;
        for (int domain = 0; domain < 3; ++domain) {
            std::vector<global_id> bounds{static_cast<global_id>(random() % 4)};
            for (int each = 0; each < size(); ++each)
                bounds.push_back(bounds.back() + static_cast<global_id>(random() % 4));
            domains.emplace_back(bounds);
            for (global_id id = domains.back().begin(rank()); id < domains.back().end(rank()); ++id)
                block.push_back(static_cast<int>(1000 * domain + id));
        }
        joined_blocks const all(domains);
        std::vector<global_id> ids;
        std::vector<int> expected;
        auto const seed = random();
        std::mt19937_64 own(seed + static_cast<std::uint64_t>(rank()));
        for (int i = 0; i < 12; ++i) {
            auto const domain = static_cast<std::size_t>(own() % 3);
            if (domains[domain].total() == 0) continue;
            global_id const id =
                domains[domain].begin() +
                static_cast<global_id>(own() % static_cast<std::uint64_t>(domains[domain].total()));
            ids.push_back(all.joined_id(domain, id));
            expected.push_back(static_cast<int>(1000 * domain) + static_cast<int>(id));
        }
        weft::block_to_part const plan(world(), all, ids);
        EXPECT_EQ(plan.block_items(), block.size());
        EXPECT_EQ(plan.exchange(block), expected);
    }
}

TEST(joined_blocks, an_id_of_no_domain_is_an_error_that_names_it) {
    joined_blocks const all(
        {block_distribution::uniform(world(), 3), block_distribution::uniform(world(), 4)});
    std::vector<std::vector<global_id>> parts{{0, 6}, {2}};
    if (rank() == size() - 1) parts[1].push_back(7);
    std::string const text =
        weft_test::text_of<weft::usage_error>([&] { weft::block_to_part const plan(world(), all, parts); });
    EXPECT_NE(text.find("id 7 at position 1 of part 1 on rank " + std::to_string(size() - 1) +
                        " is outside of 0..6"),
        std::string::npos)
        << text;
}

TEST(joined_blocks, those_that_differ_are_an_error_on_all_ranks_where_their_places_are_equal) {
    if (size() == 1) return;
    block_distribution const a = block_distribution::uniform(world(), 4 * size());
    block_distribution const b = block_distribution::uniform(world(), 6 * size());
    joined_blocks const differs = rank() == 0 ? joined_blocks({a, b}) : joined_blocks({b, a});
    std::vector<global_id> const ids{0};
    EXPECT_THROW((void)weft::block_to_part(world(), differs, ids), weft::usage_error);
}
