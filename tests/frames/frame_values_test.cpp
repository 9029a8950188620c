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
    EXPECT_THROW((void)weft::detail::decoded_values<std::string>(moved, "none", 2), weft::wire_error);
    moved.offsets[1] = 2; // cut short
    EXPECT_THROW((void)weft::detail::decoded_values<std::string>(moved, "none"), weft::wire_error);
}

TEST(frame_values, several_values_of_an_item_are_one_list) {
    std::vector<std::string> const words{"warp", "", "weft", "loom"};
    weft::detail::encoded_values encoded(std::span<std::string const>(words), 2, [] {});
    EXPECT_EQ(encoded.offsets.size(), 3u);
    encoded.offsets.push_back(encoded.offsets.back());
    weft::item_plan::ragged_bytes moved{encoded.offsets, std::move(encoded.bytes), {2}};
    EXPECT_EQ(weft::detail::decoded_values<std::string>(moved, "?", 2),
        (std::vector<std::string>{"warp", "", "weft", "loom", "?", "?"}));
}

TEST(frame_values, parts_are_arrays_of_any_type_that_can_be_sent) {
    std::vector<std::vector<std::string>> const parts{{"warp", "weft"}, {"loom"}};
    EXPECT_EQ(weft::detail::as_parts(parts).items(), 3u);
    EXPECT_EQ(weft::detail::as_parts(parts[0]).items(), 2u);
    EXPECT_EQ(weft::detail::as_parts(std::span<std::string const>(parts[0])).parts(), 1u);
}
