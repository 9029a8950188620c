#include <weft/extend/exchange/message_store.hpp>

#include <weft/core/error.hpp>

#include <harness/mpi_test.hpp>

#include <cstring>
#include <map>
#include <random>
#include <vector>

using weft::message_store;
using weft_test::world;

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
        int found = -1;
        ASSERT_EQ(released[0].data.size(), sizeof found);
        std::memcpy(&found, released[0].data.data(), sizeof found);
        EXPECT_EQ(found, i);
        EXPECT_FALSE(failure);
        EXPECT_TRUE(store.messages().empty());
    }
}
