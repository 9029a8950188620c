#include <weft/extend/exchange/flat_messages.hpp>

#include <harness/mpi_test.hpp>

#include <cstring>
#include <vector>

namespace {

using weft_test::rank;
using weft_test::size;
using weft_test::world;

/// Items of `bytes` bytes, filled with their number, to ranks in turn.
void expect_in_order(std::size_t items, std::size_t bytes) {
    std::vector<int> destinations;
    std::vector<std::byte> data(items * bytes);
    for (std::size_t i = 0; i < items; ++i) {
        destinations.push_back(static_cast<int>(i * 7) % size());
        std::memset(data.data() + i * bytes, static_cast<int>(i % 251), bytes);
    }
    weft::message_store store(world());
    weft::append_flat(store, destinations, data.data(), bytes);

    std::vector<std::size_t> read(static_cast<std::size_t>(size()));
    for (std::size_t i = 0; i < items; ++i) {
        weft::buffer const& message = store.at(store.place_of(destinations[i]));
        std::size_t& at = read[static_cast<std::size_t>(destinations[i])];
        ASSERT_LE(at + bytes, message.size());
        for (std::size_t k = 0; k < bytes; ++k)
            ASSERT_EQ(message.data()[at + k], static_cast<std::byte>(i % 251));
        at += bytes;
    }
    for (weft::message const& each : store.messages())
        EXPECT_EQ(each.data.size(), read[static_cast<std::size_t>(each.peer)]);
}

TEST(flat_messages, keep_the_order_of_items_of_any_size) {
    for (std::size_t const bytes : {1, 4, 8, 12, 16, 100})
        for (std::size_t const items : {0, 1, 500, 3003}) expect_in_order(items, bytes);
}

TEST(flat_messages, remember_a_destination_that_is_no_rank) {
    std::vector<int> const destinations{0, size(), 0};
    std::vector<std::byte> const data(3 * 4);
    weft::message_store store(world());
    weft::append_flat(store, destinations, data.data(), 4);
    std::exception_ptr failure;
    static_cast<void>(store.release(failure));
    EXPECT_TRUE(failure);
}

} // namespace
