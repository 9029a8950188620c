/// Bytes to one rank and from it.
#include <weft/blocks/block_gather.hpp>

#include <weft/core/error.hpp>

#include <harness/mpi_test.hpp>

#include <cstring>
#include <string>

namespace {

weft::buffer bytes_of_text(std::string const& text) {
    weft::buffer result;
    result.append(text.data(), text.size());
    return result;
}

std::string text_of_bytes(weft::buffer const& bytes) {
    return {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
}

} // namespace

TEST(block_gather, rank_0_gets_all_by_rank_and_gives_all_the_same) {
    int const rank = weft_test::rank();
    auto const received = weft::gather_bytes(
        weft_test::world(), bytes_of_text(std::string(static_cast<std::size_t>(rank), 'x')));
    ASSERT_EQ(received.size(), rank == 0 ? static_cast<std::size_t>(weft_test::size()) : 0U);
    for (std::size_t i = 0; i < received.size(); ++i) {
        EXPECT_EQ(received[i].peer, static_cast<int>(i));
        EXPECT_EQ(text_of_bytes(received[i].data), std::string(i, 'x'));
    }
    for (std::string const text : {"", "to all"})
        EXPECT_EQ(text_of_bytes(weft::broadcast_bytes(
                      weft_test::world(), bytes_of_text(rank == 0 ? text : "of another rank"))),
            text);
}

TEST(block_gather, who_has_nothing_to_give_tells_all) {
    std::exception_ptr failure;
    if (weft_test::rank() == weft_test::size() - 1)
        failure = std::make_exception_ptr(weft::usage_error("the last has nothing"));
    EXPECT_THROW((void)weft::gather_bytes(weft_test::world(), {}, failure), weft::usage_error);
    EXPECT_THROW((void)weft::broadcast_bytes(weft_test::world(), {}, failure), weft::usage_error);
}
