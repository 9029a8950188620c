#include <weft/exchange/outbox.hpp>

#include <weft/core/error.hpp>

#include <harness/mpi_test.hpp>

#include <algorithm>
#include <string>
#include <vector>

using weft::outbox;
using weft_test::world;

namespace {

std::vector<int> items_of(weft::message const& from) {
    std::vector<int> items(from.data.size() / sizeof(int));
    std::memcpy(items.data(), from.data.data(), from.data.size());
    return items;
}

} // namespace

TEST(outbox, keeps_one_message_a_destination_with_its_items_in_order) {
    outbox<int> out(world());
    int const last = world().size() - 1;
    out[last].push_back(1);
    out[0].push_back(2);
    out[last].append(std::vector<int>{3, 4});
    auto const& messages = weft::detail::store_of(out).messages();
    ASSERT_EQ(messages.size(), last == 0 ? 1u : 2u);
    EXPECT_EQ(messages[0].peer, last);
    EXPECT_EQ(items_of(messages[0]), (last == 0 ? std::vector<int>{1, 2, 3, 4} : std::vector<int>{1, 3, 4}));
}

TEST(outbox, a_destination_alone_makes_an_empty_message) {
    outbox<int> out(world());
    (void)out[0];
    ASSERT_EQ(weft::detail::store_of(out).messages().size(), 1u);
    EXPECT_TRUE(weft::detail::store_of(out).messages()[0].data.empty());
}

TEST(outbox, reserving_avoids_later_growth) {
    outbox<int> out(world());
    out[0].reserve(1000);
    out[0].push_back(0);
    std::byte const* const where = weft::detail::store_of(out).messages()[0].data.data();
    for (int i = 1; i < 1000; ++i) out[0].push_back(i);
    EXPECT_EQ(weft::detail::store_of(out).messages()[0].data.data(), where);
}

TEST(outbox, a_slot_stays_good_while_others_are_made) {
    outbox<int> out(world());
    auto first = out[0];
    for (int to = 1; to < world().size(); ++to) out[to].push_back(to);
    first.push_back(42);
    EXPECT_EQ(items_of(weft::detail::store_of(out).messages()[0]), std::vector<int>{42});
}

TEST(outbox, lent_items_are_not_copied) {
    std::vector<int> const items{1, 2, 3};
    outbox<int> out(world());
    out[0].append_view(items);
    weft::buffer const& data = weft::detail::store_of(out).messages()[0].data;
    EXPECT_TRUE(data.is_view());
    EXPECT_EQ(static_cast<void const*>(data.data()), static_cast<void const*>(items.data()));
    EXPECT_EQ(items_of(weft::detail::store_of(out).messages()[0]), items);
}

TEST(outbox, lending_to_a_message_that_has_items_appends) {
    std::vector<int> const items{1, 2, 3};
    outbox<int> out(world());
    out[0].push_back(0);
    out[0].append_view(items);
    EXPECT_FALSE(weft::detail::store_of(out).messages()[0].data.is_view());
    EXPECT_EQ(items_of(weft::detail::store_of(out).messages()[0]), (std::vector<int>{0, 1, 2, 3}));
}

TEST(outbox, what_is_lent_can_be_added_to_and_stays_as_it_was) {
    std::vector<int> const items{1, 2, 3};
    for (int i = 0; i < 4; ++i) {
        outbox<int> out(world());
        out[0].append_view(items);
        std::vector<int> expected = items;
        if (i == 0) {
            out[0].push_back(4);
            expected.push_back(4);
        } else if (i == 1) {
            out[0].append(items);
            expected.insert(expected.end(), items.begin(), items.end());
        } else if (i == 2) {
            out[0].append_view(items);
            expected.insert(expected.end(), items.begin(), items.end());
        } else {
            out[0].reserve(1); // less than there is
        }
        EXPECT_FALSE(weft::detail::store_of(out).messages()[0].data.is_view());
        EXPECT_EQ(items_of(weft::detail::store_of(out).messages()[0]), expected);
        EXPECT_EQ(items, (std::vector<int>{1, 2, 3}));
    }
}

TEST(outbox, room_that_was_reserved_does_not_keep_items_from_being_lent) {
    std::vector<int> const items{1, 2, 3};
    outbox<int> out(world());
    out[0].reserve(100);
    out[0].append_view(items);
    EXPECT_TRUE(weft::detail::store_of(out).messages()[0].data.is_view());
    EXPECT_EQ(items_of(weft::detail::store_of(out).messages()[0]), items);
}

TEST(outbox, lending_nothing_makes_an_empty_message) {
    outbox<int> out(world());
    out[0].append_view({});
    ASSERT_EQ(weft::detail::store_of(out).messages().size(), 1u);
    EXPECT_TRUE(weft::detail::store_of(out).messages()[0].data.empty());
    EXPECT_FALSE(weft::detail::store_of(out).messages()[0].data.is_view());
}
