#include <weft/exchange/outbox.hpp>

#include <weft/core/error.hpp>

#include <harness/mpi_test.hpp>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

using weft::message_store;
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
    auto const& messages = out.store().messages();
    ASSERT_EQ(messages.size(), last == 0 ? 1u : 2u);
    EXPECT_EQ(messages[0].peer, last);
    EXPECT_EQ(items_of(messages[0]), (last == 0 ? std::vector<int>{1, 2, 3, 4} : std::vector<int>{1, 3, 4}));
}

TEST(outbox, a_destination_alone_makes_an_empty_message) {
    outbox<int> out(world());
    (void)out[0];
    ASSERT_EQ(out.store().messages().size(), 1u);
    EXPECT_TRUE(out.store().messages()[0].data.empty());
}

TEST(outbox, reserving_avoids_later_growth) {
    outbox<int> out(world());
    out[0].reserve(1000);
    out[0].push_back(0);
    std::byte const* const where = out.store().messages()[0].data.data();
    for (int i = 1; i < 1000; ++i) out[0].push_back(i);
    EXPECT_EQ(out.store().messages()[0].data.data(), where);
}

TEST(outbox, a_slot_stays_good_while_others_are_made) {
    outbox<int> out(world());
    auto first = out[0];
    for (int to = 1; to < world().size(); ++to) out[to].push_back(to);
    first.push_back(42);
    EXPECT_EQ(items_of(out.store().messages()[0]), std::vector<int>{42});
}

TEST(outbox, lent_items_are_not_copied) {
    std::vector<int> const items{1, 2, 3};
    outbox<int> out(world());
    out[0].lend(items);
    weft::buffer const& data = out.store().messages()[0].data;
    EXPECT_TRUE(data.is_lent());
    EXPECT_EQ(static_cast<void const*>(data.data()), static_cast<void const*>(items.data()));
    EXPECT_EQ(items_of(out.store().messages()[0]), items);
}

TEST(outbox, lending_to_a_message_that_has_items_appends) {
    std::vector<int> const items{1, 2, 3};
    outbox<int> out(world());
    out[0].push_back(0);
    out[0].lend(items);
    EXPECT_FALSE(out.store().messages()[0].data.is_lent());
    EXPECT_EQ(items_of(out.store().messages()[0]), (std::vector<int>{0, 1, 2, 3}));
}

TEST(outbox, what_is_lent_can_be_added_to_and_stays_as_it_was) {
    std::vector<int> const items{1, 2, 3};
    for (int i = 0; i < 4; ++i) {
        outbox<int> out(world());
        out[0].lend(items);
        std::vector<int> expected = items;
        if (i == 0) {
            out[0].push_back(4);
            expected.push_back(4);
        } else if (i == 1) {
            out[0].append(items);
            expected.insert(expected.end(), items.begin(), items.end());
        } else if (i == 2) {
            out[0].lend(items);
            expected.insert(expected.end(), items.begin(), items.end());
        } else {
            out[0].reserve(1); // less than there is
        }
        EXPECT_FALSE(out.store().messages()[0].data.is_lent());
        EXPECT_EQ(items_of(out.store().messages()[0]), expected);
        EXPECT_EQ(items, (std::vector<int>{1, 2, 3}));
    }
}

TEST(outbox, room_that_was_reserved_does_not_keep_items_from_being_lent) {
    std::vector<int> const items{1, 2, 3};
    outbox<int> out(world());
    out[0].reserve(100);
    out[0].lend(items);
    EXPECT_TRUE(out.store().messages()[0].data.is_lent());
    EXPECT_EQ(items_of(out.store().messages()[0]), items);
}

TEST(outbox, lending_nothing_makes_an_empty_message) {
    outbox<int> out(world());
    out[0].lend({});
    ASSERT_EQ(out.store().messages().size(), 1u);
    EXPECT_TRUE(out.store().messages()[0].data.empty());
    EXPECT_FALSE(out.store().messages()[0].data.is_lent());
}

// The store takes any destination; those that are no ranks only fail the exchange. So its table can be tested
// with many of them on few ranks.

TEST(message_store, finds_thousands_of_destinations_again) {
    message_store store(world());
    std::map<int, std::size_t> oracle;
    std::mt19937 random(9);
    for (int i = 0; i < 50'000; ++i) {
        int const to = static_cast<int>(random() % 8000) * 64 - 1000;
        std::size_t const place = store.place_of(to);
        auto const [known, is_new] = oracle.try_emplace(to, place);
        ASSERT_EQ(place, known->second) << "destination " << to;
        ASSERT_EQ(store.messages()[place].peer, to);
        if (is_new) { ASSERT_EQ(place, oracle.size() - 1); }
    }
    EXPECT_EQ(store.messages().size(), oracle.size());
}

TEST(message_store, asks_for_the_same_destination_again_and_again_cheaply) {
    message_store store(world());
    EXPECT_EQ(store.place_of(5), 0u);
    EXPECT_EQ(store.place_of(-1), 1u); // -1 is no special value
    EXPECT_EQ(store.place_of(-1), 1u);
    EXPECT_EQ(store.place_of(5), 0u);
}

TEST(message_store, minus_one_is_a_destination_like_any_other_bad_one) {
    message_store store(world());
    EXPECT_EQ(store.place_of(0), 0u);
    EXPECT_EQ(store.place_of(-1), 1u);
    std::exception_ptr failure;
    (void)store.release(failure);
    EXPECT_EQ(weft::kind_of(failure), weft::error_kind::usage);
}

TEST(message_store, the_first_reason_to_fail_stays) {
    message_store store(world());
    store.fail(std::make_exception_ptr(weft::usage_error("first")));
    store.fail(std::make_exception_ptr(weft::usage_error("second")));
    (void)store.place_of(-1);
    std::exception_ptr failure;
    (void)store.release(failure);
    EXPECT_EQ(weft::text_of(failure), "first");
}

TEST(message_store, is_empty_and_usable_after_its_messages_are_released) {
    message_store store(world());
    for (int i = 0; i < 2; ++i) {
        int const item = i;
        store.at(store.place_of(0)).append(&item, sizeof item);
        std::exception_ptr failure;
        auto const released = store.release(failure);
        ASSERT_EQ(released.size(), 1u);
        EXPECT_EQ(items_of(released[0]), std::vector<int>{i});
        EXPECT_FALSE(failure);
        EXPECT_TRUE(store.messages().empty());
    }
}
