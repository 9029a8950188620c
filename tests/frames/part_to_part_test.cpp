#include <weft/frames/part_to_part.hpp>

#include <weft/core/error.hpp>

#include "frame_rig.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

using weft::global_id;
using weft::part_link;
using weft::part_to_part;
using weft_test::frame_case;
using weft_test::rank;
using weft_test::size;
using weft_test::world;

namespace {

std::vector<global_id> flat_of(weft_test::part_ids const& parts) {
    std::vector<global_id> all;
    for (auto const& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

} // namespace

TEST(part_to_part, random_ids_against_the_oracle) {
    for (std::uint64_t seed = 0; seed < 16; ++seed) {
        frame_case const from(weft_test::seed() + seed, 8);
        frame_case const to(weft_test::seed() + seed + 1000, 8);
        part_to_part const plan(world(), from.mine(), to.mine(),
            {.transfer = weft_test::all_transfers[seed % std::size(weft_test::all_transfers)]});
        auto const sources = flat_of(from.mine());
        auto const targets = flat_of(to.mine());
        ASSERT_EQ(plan.sources(), sources.size());
        ASSERT_EQ(plan.targets(), targets.size());
        std::vector<int> values;
        for (std::size_t i = 0; i < sources.size(); ++i) {
            values.push_back(rank() * 1000 + static_cast<int>(i));
            values.push_back(-values.back());
        }
        auto const there = plan.exchange(values, 2);
        for (std::size_t target = 0; target < targets.size(); ++target) {
            std::vector<int> expected;
            for (int each = 0; each < size(); ++each) {
                auto const theirs = flat_of(from.parts[static_cast<std::size_t>(each)]);
                for (std::size_t i = 0; i < theirs.size(); ++i)
                    if (theirs[i] == targets[target])
                        expected.insert(expected.end(),
                            {each * 1000 + static_cast<int>(i), -each * 1000 - static_cast<int>(i)});
            }
            EXPECT_TRUE(std::ranges::equal(there[target], expected)) << "seed " << seed;
            ASSERT_EQ(plan.origins()[target].size() * 2, expected.size());
            for (std::size_t i = 0; i < plan.origins()[target].size(); ++i) {
                auto const& origin = plan.origins()[target][i];
                EXPECT_EQ(origin.rank * 1000 + static_cast<int>(origin.item), expected[2 * i]);
            }
        }
        std::vector<int> back;
        for (std::size_t i = 0; i < targets.size(); ++i) back.push_back(rank() * 1000 + static_cast<int>(i));
        auto const returned = plan.reverse(back);
        for (std::size_t source = 0; source < sources.size(); ++source) {
            std::vector<int> expected;
            for (int each = 0; each < size(); ++each) {
                auto const theirs = flat_of(to.parts[static_cast<std::size_t>(each)]);
                for (std::size_t i = 0; i < theirs.size(); ++i)
                    if (theirs[i] == sources[source]) expected.push_back(each * 1000 + static_cast<int>(i));
            }
            EXPECT_TRUE(std::ranges::equal(returned[source], expected)) << "seed " << seed;
        }
    }
}

TEST(part_to_part, links_may_be_given) {
    int const next = (rank() + 1) % size();
    std::vector<part_link> const links{{1, next, 0}, {0, next, 0}, {1, rank(), 1}};
    part_to_part const plan(world(), 2, 3, links);
    auto const there = plan.exchange(std::vector<int>{rank() * 10, rank() * 10 + 1});
    int const before = (rank() + size() - 1) % size();
    EXPECT_TRUE(std::ranges::equal(there[0], std::vector<int>{before * 10 + 1, before * 10}));
    EXPECT_TRUE(std::ranges::equal(there[1], std::vector<int>{rank() * 10 + 1}));
    EXPECT_TRUE(there[2].empty());
}

TEST(part_to_part, a_link_to_nothing_is_an_error_on_all_ranks) {
    bool const last = rank() == size() - 1;
    for (part_link const& wrong : {part_link{2, 0, 0}, part_link{-1, 0, 0}, part_link{0, size(), 0},
             part_link{0, -1, 0}, part_link{0, 0, 3}, part_link{0, 0, -1}}) {
        std::vector<part_link> links{{0, 0, 0}};
        if (last) links.push_back(wrong);
        auto const text =
            weft_test::text_of<weft::usage_error>([&] { (void)part_to_part(world(), 2, 3, links); });
        EXPECT_NE(text.find("link 1 on rank " + std::to_string(size() - 1)), std::string::npos) << text;
    }
    part_to_part const plan(world(), 0, 0, std::vector<part_link>{});
    EXPECT_THROW((void)plan.exchange(std::vector<int>(last ? 1 : 0)), weft::usage_error);
    EXPECT_EQ(plan.exchange(std::vector<int>{}).size(), 0U);
}
