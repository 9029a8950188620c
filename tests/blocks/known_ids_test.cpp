#include <weft/detail/blocks/known_ids.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

TEST(known_ids, are_numbered_in_the_order_of_their_first_occurrence) {
    weft::detail::known_ids known;
    EXPECT_EQ(known.size(), 0U);
    std::vector<std::int64_t> const ids{7, -1, INT64_MAX, 0, INT64_MIN};
    for (int repeat = 0; repeat < 2; ++repeat)
        for (std::uint32_t i = 0; i < ids.size(); ++i) EXPECT_EQ(known.index_of(ids[i]), i);
    EXPECT_EQ(known.size(), ids.size());
    for (std::uint32_t i = 0; i < ids.size(); ++i) EXPECT_EQ(known[i], ids[i]);
}

TEST(known_ids, grow) {
    weft::detail::known_ids known;
    for (int repeat = 0; repeat < 2; ++repeat)
        for (std::uint32_t i = 0; i < 10000; ++i) ASSERT_EQ(known.index_of(std::int64_t{i} * i), i);
}
