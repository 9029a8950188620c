#include <weft/detail/containers/short_keys.hpp>

#include <weft/containers/counting_set.hpp>
#include <weft/containers/map.hpp>

#include "containers_rig.hpp"

#include <map>
#include <string>
#include <utility>

namespace weft_test {
namespace {

TEST(short_keys, texts_come_back_from_their_words) {
    for (std::size_t size = 0; size <= weft::detail::longest_short_text; ++size)
        for (char const fill : {'\0', 'a', '\xFF'}) {
            std::string text(size, fill);
            for (std::size_t i = 0; i < size; i += 2) text[i] = static_cast<char>(i + 1);
            auto const words = weft::detail::short_key_of<std::string>(text);
            EXPECT_EQ(weft::detail::key_of_words<std::string>(words), text);
            EXPECT_NE(words.second, 0U);
        }
    EXPECT_NE(weft::detail::short_key_of_text(std::string("a\0", 2)), weft::detail::short_key_of_text("a"));
    EXPECT_EQ(weft::detail::key_of_words<std::int32_t>(weft::detail::short_key_of<std::int32_t>(-7)), -7);
    EXPECT_FALSE(weft::detail::is_short<std::string>(std::string(16, 'x')));
}

TEST(short_keys, a_table_gives_back_what_it_took) {
    weft::detail::short_key_table<std::int64_t> table;
    std::map<std::int64_t, std::int64_t> expected;
    for (std::int64_t i = 0; i < 20'000; ++i) {
        std::int64_t const key = static_cast<std::int64_t>(random()() % 5000);
        auto const words = weft::detail::short_key_of<std::int64_t>(key);
        ASSERT_TRUE(table.makes_room(1));
        auto& here = table.slot_of(words, words.mixed_words());
        if (here.key.second == 0)
            table.fill(here, words, i);
        else
            here.value += i;
        expected[key] += i;
    }
    EXPECT_EQ(table.size(), expected.size());
    while (!table.is_empty()) {
        auto const taken = table.take_one();
        auto const found = expected.find(weft::detail::key_of_words<std::int64_t>(taken.key));
        ASSERT_NE(found, expected.end());
        EXPECT_EQ(found->second, taken.value);
        expected.erase(found);
    }
    EXPECT_TRUE(expected.empty());
}

// More keys than may wait at a time, so that they leave while others come.
TEST(short_keys, keys_beyond_the_bound_are_counted_exactly) {
    weft::mailbox mail(world(), {.buffer_bytes = 1 << 16});
    weft::counting_set<std::uint64_t> counts(mail);
    constexpr std::uint64_t keys = 900'000;
    for (std::uint64_t i = 0; i < keys; ++i)
        for (int times = 0; times < 2; ++times) counts.insert(i * 0x9E3779B97F4A7C15U);
    EXPECT_EQ(counts.size(), static_cast<std::int64_t>(keys));
    EXPECT_EQ(counts.total(), static_cast<std::int64_t>(2 * keys) * size());
    bool all_equal = true;
    counts.for_each_local(
        [&](std::uint64_t, std::int64_t count) { all_equal = all_equal && count == 2 * size(); });
    EXPECT_TRUE(all_equal);
}

TEST(short_keys, errors_of_an_operator_leave_the_rest_of_a_batch) {
    for_some_ways([](weft::mailbox& mail) {
        weft::map<std::string, std::int64_t> m(mail);
        auto const add = m.reducer([](std::int64_t a, std::int64_t b) {
            if (a < 0 || b < 0) throw std::runtime_error("less than nothing");
            return a + b;
        });
        bool has_thrown = false;
        for (int i = 0; i < 200; ++i) try {
                add("k" + std::to_string(i % 5), i == 30 && rank() == 0 ? -1 : 1);
            } catch (std::runtime_error const&) { has_thrown = true; }
        try {
            mail.drain();
        } catch (std::runtime_error const&) { has_thrown = true; }
        EXPECT_TRUE(has_thrown || rank() != 0);
        m.clear();
        add("again", 2);
        EXPECT_EQ(m.find("again"), 2 * size());
    });
}

// A rank whose words all meet in its table still receives what others send to it.
TEST(short_keys, a_rank_that_merges_all_receives_meanwhile) {
    weft::mailbox mail(world(), {.buffer_bytes = 1 << 13});
    weft::counting_set<std::string> counts(mail);
    std::int64_t heard = 0;
    auto const to = mail.channel<std::int64_t>([&](std::int64_t) { ++heard; });
    if (rank() == 0)
        for (std::int64_t i = 0; i < 100'000; ++i) to.send(size() - 1, i);
    else
        while (rank() == size() - 1 && heard == 0) counts.insert("word");
    mail.drain();
    EXPECT_EQ(heard, rank() == size() - 1 ? 100'000 : 0);
}

} // namespace
} // namespace weft_test
