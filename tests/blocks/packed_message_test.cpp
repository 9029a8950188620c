/// Runs on their way to another rank: their bytes.
#include <weft/detail/blocks/packed_message.hpp>

#include <harness/mpi_test.hpp>

#include <cstring>
#include <string>
#include <vector>

using weft::buffer;
using weft::detail::packed_message;

namespace {

void put(packed_message& packed, std::int64_t sender, std::int64_t receiver, std::string const& text) {
    std::memcpy(packed.begin(sender, receiver, 5, text.size()), text.data(), text.size());
}
void put_more(packed_message& packed, std::string const& text) {
    std::memcpy(packed.extend(text.size()), text.data(), text.size());
}
std::uint32_t word_at(buffer const& message, std::size_t at) {
    std::uint32_t word;
    std::memcpy(&word, message.data() + at, sizeof word);
    return word;
}
std::string text_at(buffer const& message, std::size_t at, std::size_t size) {
    return {reinterpret_cast<char const*>(message.data()) + at, size};
}
constexpr std::uint32_t short_head(std::uint32_t receiver, std::uint32_t bytes) {
    return receiver << packed_message::size_bits | bytes;
}

} // namespace

TEST(packed_message, a_sender_once_and_four_bytes_a_run) {
    packed_message packed;
    EXPECT_TRUE(packed.empty());
    put(packed, 3, 7, "abcd");
    put(packed, 3, 8, "efghi");
    put(packed, 4, 7, "");
    buffer const message = packed.take();
    ASSERT_EQ(message.size(), 12U + 8 + 12 + 12 + 4);
    EXPECT_EQ(word_at(message, 0), packed_message::next_sender);
    EXPECT_EQ(word_at(message, 4), 5U);
    EXPECT_EQ(word_at(message, 8), 3U);
    EXPECT_EQ(word_at(message, 12), short_head(7, 4));
    EXPECT_EQ(text_at(message, 16, 4), "abcd");
    EXPECT_EQ(word_at(message, 20), short_head(8, 5));
    EXPECT_EQ(text_at(message, 24, 8), std::string("efghi\0\0\0", 8));
    EXPECT_EQ(word_at(message, 40), 4U);
    EXPECT_EQ(word_at(message, 44), short_head(7, 0));
    EXPECT_TRUE(packed.empty());
}

TEST(packed_message, a_run_grows_by_any_bytes_up_to_what_its_head_can_say) {
    for (std::size_t const first : {1, 2, 3, 4, 5, 8})
        for (std::size_t const more : {1, 2, 3, 4, 5, 6, 7, 100}) {
            packed_message packed;
            std::string all(first, 'x');
            put(packed, 0, 1, all);
            for (char c = 'a'; packed.can_extend(more); c = c == 'z' ? 'a' : static_cast<char>(c + 1)) {
                put_more(packed, std::string(more, c));
                all.append(more, c);
            }
            EXPECT_LE(all.size(), packed_message::short_bytes);
            EXPECT_GT(all.size() + more, packed_message::short_bytes);
            buffer const message = packed.take();
            ASSERT_EQ(message.size(), 16 + packed_message::filled_up(all.size()));
            EXPECT_EQ(word_at(message, 12), short_head(1, static_cast<std::uint32_t>(all.size())));
            all.resize(packed_message::filled_up(all.size()));
            EXPECT_EQ(text_at(message, 16, all.size()), all);
        }
}

TEST(packed_message, what_is_long_or_far_has_a_long_head) {
    packed_message packed;
    std::string const text(packed_message::short_bytes + 2, 'x');
    put(packed, 0, 1, text);
    EXPECT_FALSE(packed.can_extend(0));
    put(packed, 0, packed_message::short_places, "abc");
    EXPECT_FALSE(packed.can_extend(0));
    put(packed, 0, packed_message::short_places - 1, "d");
    EXPECT_TRUE(packed.can_extend(1));
    buffer const message = packed.take();
    auto const long_head_at = [&](std::size_t at) {
        packed_message::long_head head;
        std::memcpy(&head, message.data() + at, sizeof head);
        EXPECT_EQ(head.mark, packed_message::long_run);
        return head;
    };
    EXPECT_EQ(long_head_at(12).place, 1);
    EXPECT_EQ(long_head_at(12).bytes, text.size());
    EXPECT_EQ(text_at(message, 48, text.size()), text); // 36, up to a multiple of 16
    std::size_t const next = 48 + packed_message::filled_up(text.size());
    EXPECT_EQ(long_head_at(next).place, std::int64_t{packed_message::short_places});
}

TEST(packed_message, what_is_forgotten_leaves_nothing_behind) {
    packed_message packed;
    put(packed, 3, 7, "abcd");
    packed.clear();
    EXPECT_TRUE(packed.empty());
    EXPECT_FALSE(packed.can_extend(0));
    put(packed, 3, 7, "efgh"); // with a head of its sender again
    EXPECT_EQ(packed.take().size(), 20U);
    put(packed, 3, 7, "ijkl");
    EXPECT_EQ(packed.take().size(), 20U);
}
