/// Where blocks are, and runs between ranks as bytes.
#include <weft/detail/blocks/local_blocks.hpp>

#include <harness/mpi_test.hpp>

#include <weft/core/error.hpp>

#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

using weft::assignment;
using weft::block_id;
using weft::detail::block_run;
using weft::detail::local_blocks;
using weft::detail::run_list;
using weft::detail::wire_run;
using weft::detail::wire_runs;

namespace {

std::vector<std::byte> wire_message(std::vector<std::string> const& texts) {
    std::vector<std::byte> message;
    std::int64_t number = 0;
    for (std::string const& text : texts) {
        std::size_t const at = message.size();
        message.resize(at + local_blocks::wire_bytes(text.size()), std::byte{0xFF});
        block_run const run{block_id{number}, static_cast<weft::detail::item_kind>(2 * number + 1),
            std::as_bytes(std::span(text)), 0, 0, 0};
        local_blocks::put(message.data() + at, block_id{100 + number}, run);
        ++number;
    }
    return message;
}

/// The texts in a message; throws as `wire_runs` does.
std::vector<std::string> texts_in(std::span<std::byte const> message) {
    std::vector<std::string> result;
    wire_run head;
    std::span<std::byte const> items;
    for (wire_runs reader(message); reader.next(head, items);) {
        auto const number = static_cast<std::int64_t>(result.size());
        EXPECT_EQ(head.to, number);
        EXPECT_EQ(head.from, 100 + number);
        EXPECT_EQ(head.kind, static_cast<weft::detail::item_kind>(2 * number + 1));
        result.emplace_back(reinterpret_cast<char const*>(items.data()), items.size());
    }
    return result;
}

} // namespace

TEST(local_blocks, has_a_desk_for_each_block_of_the_rank) {
    local_blocks local(assignment::round_robin(5, 2), 1, {weft::link({block_id{0}}), weft::link()});
    ASSERT_EQ(local.size(), 2U);
    EXPECT_EQ(local.at(0).id, block_id{1});
    EXPECT_EQ(local.at(1).id, block_id{3});
    EXPECT_EQ(local.at(0).blocks, 5);
    EXPECT_EQ(local.at(0).neighbors.size(), 1U);
    EXPECT_EQ(local.place_of(block_id{3}), 1U);
    for (std::int64_t const other : {std::int64_t{-1}, std::int64_t{0}, std::int64_t{5}, INT64_MAX})
        EXPECT_THROW((void)local.place_of(block_id{other}), weft::wire_error);
}

TEST(local_blocks, runs_come_out_of_a_message_as_they_went_in) {
    std::vector<std::string> const texts{"", "a", std::string(15, 'b'), std::string(16, 'c'),
        std::string(17, 'd'), std::string(5000, 'e'), ""};
    std::vector<std::byte> const message = wire_message(texts);
    EXPECT_EQ(message.size() % run_list::alignment, 0U);
    EXPECT_EQ(texts_in(message), texts);
    EXPECT_TRUE(texts_in({}).empty());
}

TEST(local_blocks, bytes_that_fill_up_are_zero) {
    std::vector<std::byte> const message = wire_message({"abc"});
    for (std::size_t i = sizeof(wire_run) + 3; i < message.size(); ++i) EXPECT_EQ(message[i], std::byte{0});
}

TEST(local_blocks, a_message_that_ends_early_is_an_error_wherever_it_ends) {
    std::vector<std::byte> const message = wire_message({"abc", std::string(20, 'd')});
    std::size_t const first = local_blocks::wire_bytes(3);
    for (std::size_t bytes = 1; bytes < message.size(); ++bytes) {
        if (bytes == first) continue;
        // On the heap, and of this size, so that sanitizers see what is read behind it.
        std::vector<std::byte> const cut(
            message.begin(), message.begin() + static_cast<std::ptrdiff_t>(bytes));
        EXPECT_THROW((void)texts_in(cut), weft::wire_error) << bytes;
    }
}

TEST(local_blocks, sizes_that_no_message_can_have_are_errors) {
    std::vector<std::byte> message = wire_message({"abc"});
    for (std::uint64_t const bytes :
        {std::uint64_t{17}, std::uint64_t{1} << 32, std::uint64_t{1} << 63, UINT64_MAX, UINT64_MAX - 15,
            UINT64_MAX - sizeof(wire_run), UINT64_MAX - sizeof(wire_run) - 15}) {
        std::memcpy(message.data() + offsetof(wire_run, bytes), &bytes, sizeof bytes);
        EXPECT_THROW((void)texts_in(message), weft::wire_error) << bytes;
    }
}
