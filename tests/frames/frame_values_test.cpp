#include <weft/detail/frames/frame_values.hpp>

#include <weft/core/error.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

TEST(frame_values, one_part_is_not_copied_and_several_are_joined) {
    std::vector<std::vector<int>> const parts{{1, 2}, {}, {3}};
    std::vector<int> room;
    EXPECT_EQ(weft::detail::flat(weft::parts_view<int>(parts[0]), room).data(), parts[0].data());
    auto const joined = weft::detail::flat(weft::parts_view<int>(parts), room);
    EXPECT_EQ(std::vector<int>(joined.begin(), joined.end()), (std::vector<int>{1, 2, 3}));
    EXPECT_TRUE(weft::detail::flat(weft::parts_view<int>(), room).empty());
}

TEST(frame_values, what_is_encoded_decodes_and_nothing_is_missing) {
    std::vector<std::string> const words{"warp", "", "weft"};
    weft::detail::encoded_values encoded{std::span<std::string const>(words)};
    EXPECT_EQ(encoded.failure, nullptr);
    encoded.offsets.push_back(encoded.offsets.back()); // an item to which nothing came
    weft::item_plan::ragged_bytes moved{encoded.offsets, std::move(encoded.bytes), {3}};
    EXPECT_EQ(weft::detail::decoded_values<std::string>(moved, "none"),
        (std::vector<std::string>{"warp", "", "weft", "none"}));
    moved.offsets[1] = 2; // cut short
    EXPECT_THROW((void)weft::detail::decoded_values<std::string>(moved, "none"), weft::wire_error);
}
