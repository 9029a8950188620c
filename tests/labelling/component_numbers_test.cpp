#include <labelling/component_numbers.hpp>

#include <harness/mpi_test.hpp>

#include <algorithm>
#include <functional>
#include <map>

using weft::component_facts;

TEST(component_numbers, parts_of_all_ranks_become_wholes) {
    // All ranks make all parts, and take every so manieth.
    std::mt19937_64 random = weft_test::random();
    std::vector<component_facts> mine;
    std::map<std::int64_t, component_facts> expected;
    for (int i = 0; i < 300; ++i) {
        component_facts part;
        part.label = static_cast<std::int64_t>(random() % 40) * 25;
        part.voxels = static_cast<std::int64_t>(1 + random() % 9);
        part.first_plane = static_cast<std::int64_t>(random() % 50);
        part.last_plane = part.first_plane + static_cast<std::int64_t>(random() % 5);
        auto const [at, is_new] = expected.try_emplace(part.label, part);
        if (!is_new) {
            at->second.voxels += part.voxels;
            at->second.first_plane = std::min(at->second.first_plane, part.first_plane);
            at->second.last_plane = std::max(at->second.last_plane, part.last_plane);
        }
        if (i % weft_test::size() == weft_test::rank()) mine.push_back(part);
    }
    std::int64_t number = 0;
    std::vector<std::int64_t> sizes;
    for (auto& [label, each] : expected) {
        each.number = ++number;
        sizes.push_back(each.voxels);
    }
    std::ranges::sort(sizes, std::greater<>());

    std::vector<component_facts> const asked = mine;
    weft::label_summary const found = number_components(weft_test::world(), 1000, mine);
    EXPECT_EQ(found.components, number);
    sizes.resize(10);
    EXPECT_EQ(found.largest, sizes);
    for (auto const& [label, each] : expected)
        if (each.voxels == sizes[0]) {
            EXPECT_EQ(found.number_of_largest, each.number);
            break;
        }
    for (std::size_t i = 0; i < mine.size(); ++i) {
        component_facts const& whole = expected.at(asked[i].label);
        EXPECT_EQ(mine[i].label, whole.label);
        EXPECT_EQ(mine[i].number, whole.number);
        EXPECT_EQ(mine[i].voxels, whole.voxels);
        EXPECT_EQ(mine[i].first_plane, whole.first_plane);
        EXPECT_EQ(mine[i].last_plane, whole.last_plane);
    }
}

TEST(component_numbers, no_components) {
    std::vector<component_facts> none;
    weft::label_summary const found = number_components(weft_test::world(), 1, none);
    EXPECT_EQ(found.components, 0);
    EXPECT_EQ(found.number_of_largest, 0);
    EXPECT_TRUE(found.largest.empty());
}
