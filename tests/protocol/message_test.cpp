#include <weft/extend/protocol/message.hpp>

#include <gtest/gtest.h>

#include <type_traits>
#include <utility>

TEST(message, is_nothing_to_rank_0_until_it_is_filled) {
    weft::message const empty;
    EXPECT_EQ(empty.peer, 0);
    EXPECT_TRUE(empty.data.empty());
}

TEST(message, moves_with_its_bytes_and_never_copies) {
    EXPECT_FALSE(std::is_copy_constructible_v<weft::message>);
    weft::message from{3, weft::buffer(100)};
    std::byte const* const where = from.data.data();
    weft::message const to = std::move(from);
    EXPECT_EQ(to.peer, 3);
    EXPECT_EQ(to.data.data(), where);
}
