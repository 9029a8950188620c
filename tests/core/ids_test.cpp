#include <weft/core/ids.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>

TEST(ids, a_block_id_does_not_convert_to_or_from_a_number) {
    EXPECT_FALSE((std::is_convertible_v<weft::block_id, std::int64_t>));
    EXPECT_FALSE((std::is_convertible_v<std::int64_t, weft::block_id>));
    EXPECT_FALSE((std::is_convertible_v<int, weft::block_id>));
}

TEST(ids, index_of_is_the_number_behind_a_block_id) {
    EXPECT_EQ(weft::index_of(weft::block_id{0}), 0);
    EXPECT_EQ(weft::index_of(weft::block_id{INT64_MAX}), INT64_MAX);
    static_assert(weft::index_of(weft::block_id{7}) == 7);
}

TEST(ids, block_ids_are_ordered_by_their_numbers) {
    EXPECT_LT(weft::block_id{3}, weft::block_id{5});
    EXPECT_EQ(weft::block_id{3}, weft::block_id{3});
}

TEST(ids, a_global_id_has_64_bits) {
    EXPECT_TRUE((std::is_same_v<weft::global_id, std::int64_t>));
}
