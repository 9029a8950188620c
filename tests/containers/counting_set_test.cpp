#include <weft/containers/counting_set.hpp>

#include "containers_rig.hpp"

#include <algorithm>
#include <map>

namespace weft_test {
namespace {

TEST(counting_set, counts_agree_with_a_serial_map) {
    for_some_ways([](weft::mailbox& mail) {
        weft::counting_set<std::string> counts(mail);
        auto chance = random(static_cast<std::uint64_t>(rank()));
        std::vector<std::string> mine;
        for (int i = 0; i < 20000 / (1 + rank()); ++i) {
            auto const number = chance() % 100'000;
            mine.push_back(nasty_text(number < 50'000 ? number % 10 : number));
        }
        counts.insert(mine);
        std::map<std::string, std::int64_t> expected;
        std::int64_t all = 0;
        for (std::string const& each : of_all_ranks(mine)) ++expected[each], ++all;
        auto const got = counts.gather();
        EXPECT_TRUE(std::ranges::equal(got, expected,
            [](auto const& a, auto const& b) { return a.first == b.first && a.second == b.second; }));
        EXPECT_EQ(counts.size(), std::ssize(expected));
        EXPECT_EQ(counts.total(), all);
        EXPECT_EQ(counts.count(nasty_text(3)), expected[nasty_text(3)]);
        EXPECT_EQ(counts.count("none of these"), 0);
        std::vector<std::pair<std::string, std::int64_t>> ranked(expected.begin(), expected.end());
        std::ranges::sort(ranked, [](auto const& a, auto const& b) {
            return a.second != b.second ? a.second > b.second : a.first < b.first;
        });
        ranked.resize(20);
        EXPECT_EQ(counts.gather_top_k(20), ranked);
    });
}

TEST(counting_set, a_key_that_all_insert_sends_few_messages) {
    weft::mailbox mail(world(), {.buffer_bytes = 1 << 16});
    weft::counting_set<std::int64_t> counts(mail);
    std::int64_t const before = mail.counters().sent;
    for (int i = 0; i < 100'000; ++i) counts.insert(7);
    EXPECT_EQ(counts.count(7), 100'000 * size());
    EXPECT_LE(mail.counters().sent - before, 5000);
}

TEST(counting_set, more_is_added_asked_for_and_forgotten) {
    weft::mailbox mail(world());
    weft::counting_set<std::string> counts(mail);
    counts.insert("a", 3);
    counts.insert("b");
    counts.insert("b", -1);
    EXPECT_EQ(counts.count("a"), 3 * size());
    EXPECT_TRUE(counts.contains("b"));
    EXPECT_EQ(counts.count("b"), 0);
    std::vector<std::string> const asked{"x", "a"};
    EXPECT_EQ(counts.collect(asked), (std::vector<std::int64_t>{0, 3 * size()}));
    auto const largest = counts.all_reduce([](std::string const&, std::int64_t count) { return count; },
        [](std::int64_t a, std::int64_t b) { return std::max(a, b); });
    EXPECT_EQ(largest, 3 * size());
    counts.erase("a");
    EXPECT_EQ(counts.size(), 1);
    std::int64_t items = 0;
    counts.for_all([&](std::string const& item, std::int64_t) { items += item == "b" ? 1 : 0; });
    EXPECT_EQ(weft::sum(world(), items), 1);
    weft::counting_set<std::string> copy = counts;
    counts.clear();
    swap(copy, counts);
    EXPECT_EQ(copy.size(), 0);
    counts.insert("c");
    EXPECT_EQ(counts.size(), 2);
    std::int64_t local = 0;
    counts.for_each_local(
        [&](std::string const& item, std::int64_t) { local += counts.owner(item) == rank(); });
    EXPECT_EQ(local, counts.local_size());
}

} // namespace
} // namespace weft_test
