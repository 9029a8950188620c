#include <weft/collective/gather.hpp>

#include <weft/core/error.hpp>

#include <harness/mpi_test.hpp>

#include <string>
#include <type_traits>
#include <vector>

using weft_test::rank;
using weft_test::size;
using weft_test::world;

namespace {

weft::buffer gathered_text(std::string const& text) {
    weft::buffer result;
    result.append(text.data(), text.size());
    return result;
}

std::string read_text(weft::buffer const& bytes) {
    return {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
}

} // namespace

TEST(gather, rank_0_gets_all_by_rank_and_gives_all_the_same) {
    auto const received =
        weft::gather_bytes(world(), gathered_text(std::string(static_cast<std::size_t>(rank()), 'x')));
    ASSERT_EQ(received.size(), rank() == 0 ? static_cast<std::size_t>(size()) : 0U);
    for (std::size_t i = 0; i < received.size(); ++i) {
        EXPECT_EQ(received[i].peer, static_cast<int>(i));
        EXPECT_EQ(read_text(received[i].data), std::string(i, 'x'));
    }
    for (int root = 0; root < size(); ++root)
        for (std::string const text : {"", "to all"})
            EXPECT_EQ(read_text(weft::broadcast_bytes(
                          world(), gathered_text(rank() == root ? text : "of another rank"), {}, root)),
                text);
}

TEST(gather, who_has_nothing_to_give_tells_all) {
    auto const nothing = std::make_exception_ptr(weft::usage_error("there is nothing"));
    EXPECT_THROW(
        (void)weft::gather_bytes(world(), {}, rank() == size() - 1 ? nothing : nullptr), weft::usage_error);
    EXPECT_THROW(
        (void)weft::broadcast_bytes(world(), {}, rank() == 0 ? nothing : nullptr), weft::usage_error);
    EXPECT_THROW((void)weft::broadcast_bytes(world(), {}, {}, size()), weft::usage_error);
}

TEST(gather, all_gather_returns_the_type_of_its_argument) {
    auto const fractions = weft::all_gather(world(), 0.5 + rank());
    auto const truths = weft::all_gather(world(), rank() % 2 == 0);
    auto const letters = weft::all_gather(world(), static_cast<unsigned char>(255 - rank()));
    static_assert(std::is_same_v<decltype(fractions), std::vector<double> const>);
    static_assert(std::is_same_v<decltype(truths), std::vector<bool> const>);
    static_assert(std::is_same_v<decltype(letters), std::vector<unsigned char> const>);
    for (std::size_t each = 0; each < fractions.size(); ++each) {
        EXPECT_EQ(fractions[each], 0.5 + static_cast<double>(each));
        EXPECT_EQ(truths[each], each % 2 == 0);
        EXPECT_EQ(letters[each], 255 - each);
    }
    EXPECT_EQ(weft::all_gather(world(), UINT64_MAX - static_cast<std::uint64_t>(rank())).front(), UINT64_MAX);
}

TEST(gather, values_are_ordered_by_rank) {
    std::vector<std::string> expected;
    std::vector<int> items;
    for (int each = 0; each < size(); ++each) {
        expected.push_back("rank " + std::to_string(each));
        items.insert(items.end(), static_cast<std::size_t>(each), each);
    }
    EXPECT_EQ(weft::all_gather(world(), "rank " + std::to_string(rank())), expected);
    EXPECT_EQ(weft::all_gatherv(world(), std::vector(static_cast<std::size_t>(rank()), rank())), items);
    for (int root = 0; root < size(); ++root)
        EXPECT_EQ(weft::broadcast(world(), std::string(1, static_cast<char>('a' + rank())), root),
            std::string(1, static_cast<char>('a' + root)));
}
