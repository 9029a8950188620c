/// Runs on their way to another rank: their bytes.
#include <weft/blocks/run_parcel.hpp>

#include <harness/mpi_test.hpp>

#include <cstring>
#include <string>
#include <vector>

using weft::buffer;
using weft::run_parcel;

namespace {

void put(run_parcel& parcel, std::int64_t sender, std::int64_t receiver, std::string const& text) {
    std::memcpy(parcel.begin(sender, receiver, 5, text.size()), text.data(), text.size());
}
void put_more(run_parcel& parcel, std::string const& text) {
    std::memcpy(parcel.extend(text.size()), text.data(), text.size());
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
    return receiver << run_parcel::size_bits | bytes;
}

} // namespace

TEST(run_parcel, a_sender_once_and_four_bytes_a_run) {
    run_parcel parcel;
    EXPECT_TRUE(parcel.empty());
    put(parcel, 3, 7, "abcd");
    put(parcel, 3, 8, "efghi");
    put(parcel, 4, 7, "");
    buffer const message = parcel.take();
    ASSERT_EQ(message.size(), 12U + 8 + 12 + 12 + 4);
    EXPECT_EQ(word_at(message, 0), run_parcel::next_sender);
    EXPECT_EQ(word_at(message, 4), 5U);
    EXPECT_EQ(word_at(message, 8), 3U);
    EXPECT_EQ(word_at(message, 12), short_head(7, 4));
    EXPECT_EQ(text_at(message, 16, 4), "abcd");
    EXPECT_EQ(word_at(message, 20), short_head(8, 5));
    EXPECT_EQ(text_at(message, 24, 8), std::string("efghi\0\0\0", 8));
    EXPECT_EQ(word_at(message, 40), 4U);
    EXPECT_EQ(word_at(message, 44), short_head(7, 0));
    EXPECT_TRUE(parcel.empty());
}

TEST(run_parcel, a_run_grows_by_any_bytes_up_to_what_its_head_can_say) {
    for (std::size_t const first : {1, 2, 3, 4, 5, 8})
        for (std::size_t const more : {1, 2, 3, 4, 5, 6, 7, 100}) {
            run_parcel parcel;
            std::string all(first, 'x');
            put(parcel, 0, 1, all);
            for (char c = 'a'; parcel.can_extend(more); c = c == 'z' ? 'a' : static_cast<char>(c + 1)) {
                put_more(parcel, std::string(more, c));
                all.append(more, c);
            }
            EXPECT_LE(all.size(), run_parcel::short_bytes);
            EXPECT_GT(all.size() + more, run_parcel::short_bytes);
            buffer const message = parcel.take();
            ASSERT_EQ(message.size(), 16 + run_parcel::filled_up(all.size()));
            EXPECT_EQ(word_at(message, 12), short_head(1, static_cast<std::uint32_t>(all.size())));
            all.resize(run_parcel::filled_up(all.size()));
            EXPECT_EQ(text_at(message, 16, all.size()), all);
        }
}

TEST(run_parcel, what_is_long_or_far_has_a_long_head) {
    run_parcel parcel;
    std::string const text(run_parcel::short_bytes + 2, 'x');
    put(parcel, 0, 1, text);
    EXPECT_FALSE(parcel.can_extend(0));
    put(parcel, 0, run_parcel::short_places, "abc");
    EXPECT_FALSE(parcel.can_extend(0));
    put(parcel, 0, run_parcel::short_places - 1, "d");
    EXPECT_TRUE(parcel.can_extend(1));
    buffer const message = parcel.take();
    auto const long_head_at = [&](std::size_t at) {
        run_parcel::long_head head;
        std::memcpy(&head, message.data() + at, sizeof head);
        EXPECT_EQ(head.mark, run_parcel::long_run);
        return head;
    };
    EXPECT_EQ(long_head_at(12).place, 1);
    EXPECT_EQ(long_head_at(12).bytes, text.size());
    EXPECT_EQ(text_at(message, 48, text.size()), text); // 36, up to a multiple of 16
    std::size_t const next = 48 + run_parcel::filled_up(text.size());
    EXPECT_EQ(long_head_at(next).place, std::int64_t{run_parcel::short_places});
}

TEST(run_parcel, what_is_forgotten_leaves_nothing_behind) {
    run_parcel parcel;
    put(parcel, 3, 7, "abcd");
    parcel.clear();
    EXPECT_TRUE(parcel.empty());
    EXPECT_FALSE(parcel.can_extend(0));
    put(parcel, 3, 7, "efgh"); // with a head of its sender again
    EXPECT_EQ(parcel.take().size(), 20U);
    put(parcel, 3, 7, "ijkl");
    EXPECT_EQ(parcel.take().size(), 20U);
}
