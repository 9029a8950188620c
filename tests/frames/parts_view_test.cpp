#include <weft/frames/parts_view.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

TEST(parts_view, counts_items_through_all_parts) {
    std::vector<std::vector<int>> const arrays{{1, 2}, {}, {3}};
    weft::parts_view<int> const parts(arrays);
    EXPECT_EQ(parts.parts(), 3U);
    EXPECT_EQ(parts.items(), 3U);
    EXPECT_TRUE(std::ranges::equal(parts.offsets(), std::vector<std::size_t>{0, 2, 2, 3}));
    EXPECT_EQ(parts[2].data(), arrays[2].data());
}

TEST(parts_view, one_array_is_one_part_and_nothing_is_none) {
    std::vector<int> const array{4, 5};
    EXPECT_EQ(weft::parts_view<int>(array).parts(), 1U);
    EXPECT_EQ(weft::parts_view<int>(std::span<int const>(array)).items(), 2U);
    EXPECT_EQ(weft::parts_view<int>().parts(), 0U);
    EXPECT_EQ(weft::parts_view<int>().items(), 0U);
}
