#include <weft/frames/directory.hpp>

#include <weft/core/error.hpp>
#include <weft/frames/block_to_part.hpp>

#include "frame_rig.hpp"

#include <algorithm>
#include <map>
#include <vector>

using weft::global_id;
using weft::item_location;
using weft_test::frame_case;
using weft_test::rank;
using weft_test::size;
using weft_test::world;

TEST(directory, finds_all_items_of_ids_and_none_of_unknown_ones) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        frame_case const drawn(weft_test::seed() + seed, seed % 2 == 0 ? 12 : std::uint64_t{1} << 40);
        std::map<global_id, std::vector<item_location>> expected;
        for (int each = 0; each < size(); ++each) {
            auto const& parts = drawn.parts[static_cast<std::size_t>(each)];
            for (std::size_t part = 0; part < parts.size(); ++part)
                for (std::size_t i = 0; i < parts[part].size(); ++i)
                    expected[parts[part][i]].push_back(
                        {each, static_cast<std::int32_t>(part), static_cast<std::int64_t>(i)});
        }
        weft::directory const known(world(), drawn.mine());
        std::vector<global_id> asked{-1, INT64_MAX, drawn.bounds.back() + 5, 0};
        for (auto const& [id, items] : expected)
            if ((id + rank()) % 3 != 0) asked.push_back(id);
        asked.push_back(-7);
        if (rank() == 1) asked.clear();
        for (int round = 0; round < 2; ++round) {
            auto const found = known.find(asked);
            ASSERT_EQ(found.size(), asked.size());
            for (std::size_t i = 0; i < asked.size(); ++i) {
                auto const at = expected.find(asked[i]);
                EXPECT_TRUE(std::ranges::equal(
                    found[i], at == expected.end() ? std::vector<item_location>{} : at->second))
                    << "seed " << seed << " id " << asked[i];
            }
        }
    }
}

TEST(directory, a_plan_of_its_blocks_answers_again_and_again) {
    std::vector<global_id> const mine{rank() * 10, 1'000'000};
    weft::directory const known(world(), mine);
    std::vector<global_id> const asked{((rank() + 1) % size()) * 10};
    weft::block_to_part const plan(world(), known.blocks(), asked, known.block_ids());
    for (int round = 0; round < 3; ++round)
        EXPECT_EQ(plan.exchange(known.block_locations())[0][0].rank, (rank() + 1) % size());
}

TEST(directory, of_nothing_knows_nothing) {
    weft::directory const known(world(), weft::parts_view<global_id>());
    EXPECT_EQ(known.find(std::vector<global_id>{0, 1}).offsets, (std::vector<std::int64_t>{0, 0, 0}));
    std::vector<global_id> const wrong{rank() == 0 ? -3 : 3};
    EXPECT_THROW((void)weft::directory(world(), wrong), weft::usage_error);
}
