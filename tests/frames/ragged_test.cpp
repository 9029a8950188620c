#include <weft/frames/ragged.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

TEST(ragged, lists_lie_end_to_end) {
    std::vector<std::int64_t> const lengths{2, 0, 1};
    weft::ragged<int> const lists{weft::offsets_of(lengths), {7, 8, 9}};
    EXPECT_EQ(lists.offsets, (std::vector<std::int64_t>{0, 2, 2, 3}));
    EXPECT_EQ(lists.size(), 3U);
    EXPECT_EQ(lists.length(1), 0);
    EXPECT_TRUE(std::ranges::equal(lists[2], std::vector<int>{9}));
    weft::ragged_view<int> const view = lists;
    EXPECT_EQ(view.values.data(), lists.values.data());
}

TEST(ragged, without_lists_there_is_one_offset) {
    EXPECT_EQ(weft::ragged<int>{}.size(), 0U);
    EXPECT_EQ(weft::offsets_of({}), (std::vector<std::int64_t>{0}));
}
