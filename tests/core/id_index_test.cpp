#include <weft/core/id_index.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

TEST(id_index, ids_are_numbered_in_the_order_of_their_first_occurrence) {
    weft::id_index index;
    EXPECT_TRUE(index.ids().empty());
    std::vector<std::int64_t> const ids{7, -1, INT64_MAX, 0, INT64_MIN};
    for (int repeat = 0; repeat < 2; ++repeat)
        for (std::size_t i = 0; i < ids.size(); ++i)
            EXPECT_EQ(index.index_of(ids[i]), static_cast<std::int64_t>(i));
    EXPECT_EQ(index.ids(), ids);
    EXPECT_EQ(std::move(index).take_ids(), ids);
}

TEST(id_index, grows) {
    weft::id_index index;
    for (std::int64_t i = 0; i < 10000; ++i) ASSERT_EQ(index.index_of(i * i), i);
    for (std::int64_t i = 0; i < 10000; ++i) ASSERT_EQ(index.index_of(i * i), i);
}
