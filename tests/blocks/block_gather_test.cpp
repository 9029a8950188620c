/// Bytes to any ranks.
#include <blocks/block_gather.hpp>

#include <weft/core/error.hpp>
#include <weft/extend/exchange/message_store.hpp>

#include <harness/mpi_test.hpp>

#include <string>

using weft_test::rank;
using weft_test::size;

TEST(block_gather, bytes_arrive_by_source) {
    weft::message_store out(weft_test::world());
    for (int to = 0; to <= rank(); ++to) {
        std::string const text = std::to_string(rank()) + " to " + std::to_string(to);
        out.at(out.place_of(to)).append(text.data(), text.size());
    }
    weft::message_list const received = weft::exchange_bytes(out);
    ASSERT_EQ(received.size(), static_cast<std::size_t>(size() - rank()));
    for (int from = rank(); from < size(); ++from) {
        weft::message const& each = received[static_cast<std::size_t>(from - rank())];
        EXPECT_EQ(each.peer, from);
        EXPECT_EQ(std::string(reinterpret_cast<char const*>(each.data.data()), each.data.size()),
            std::to_string(from) + " to " + std::to_string(rank()));
    }
}

TEST(block_gather, who_cannot_take_part_tells_all) {
    weft::message_store out(weft_test::world());
    std::exception_ptr failure;
    if (rank() == size() - 1) failure = std::make_exception_ptr(weft::usage_error("the last cannot"));
    EXPECT_THROW((void)weft::exchange_bytes(out, failure), weft::usage_error);
}
