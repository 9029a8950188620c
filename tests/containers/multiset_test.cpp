#include <weft/containers/multiset.hpp>

#include "containers_rig.hpp"

#include <algorithm>

namespace weft_test {
namespace {

TEST(multiset, items_are_there_as_often_as_they_were_inserted) {
    for_some_ways([](weft::mailbox& mail) {
        weft::multiset<std::string> all(mail);
        std::vector<std::string> mine;
        auto chance = random(static_cast<std::uint64_t>(rank()));
        for (int i = 0; i < 3000 / (1 + rank()); ++i) mine.push_back(nasty_text(chance() % 200));
        all.insert(mine);
        auto expected = of_all_ranks(mine);
        std::ranges::sort(expected);
        EXPECT_EQ(all.gather(), expected);
        EXPECT_EQ(all.size(), std::ssize(expected));
        EXPECT_EQ(all.count(nasty_text(5)), std::ranges::count(expected, nasty_text(5)));
        std::vector<std::string> const asked{"none", nasty_text(6)};
        EXPECT_EQ(
            all.collect(asked), (std::vector<std::int64_t>{0, std::ranges::count(expected, nasty_text(6))}));
        mail.drain();
        all.erase(nasty_text(5));
        EXPECT_FALSE(all.contains(nasty_text(5)));
        auto const distinct = std::distance(expected.begin(), std::unique(expected.begin(), expected.end()));
        EXPECT_EQ(all.num_distinct(), distinct - 1);
    });
}

TEST(multiset, walks_copies_and_the_most_frequent) {
    weft::mailbox mail(world());
    weft::multiset<int> all(mail);
    for (int i = 0; i < 6; ++i)
        for (int times = 0; times <= i; ++times) all.insert(i);
    EXPECT_EQ(
        all.gather_top_k(2), (std::vector<std::pair<int, std::int64_t>>{{5, 6 * size()}, {4, 5 * size()}}));
    std::int64_t items = 0;
    all.for_all([&](int, std::int64_t times) { items += times; });
    EXPECT_EQ(weft::sum(world(), items), 21 * size());
    auto const most = [](std::int64_t a, std::int64_t b) { return std::max(a, b); };
    EXPECT_EQ(all.all_reduce([](int item, std::int64_t times) { return item * times; }, most), 30 * size());
    EXPECT_THROW(all.for_all([&](int, std::int64_t) { all.insert(9); }), weft::usage_error);
    weft::multiset<int> copy = all;
    all.clear();
    EXPECT_EQ(all.size(), 0);
    EXPECT_EQ(all.all_reduce([](int, std::int64_t times) { return times; }, most), std::nullopt);
    swap(all, copy);
    all.insert(9);
    EXPECT_EQ(all.size(), 22 * size());
    std::int64_t here = 0;
    all.for_each_local([&](int item, std::int64_t times) { here += all.owner(item) == rank() ? times : 0; });
    EXPECT_EQ(weft::sum(world(), here), 22 * size());
    copy = std::move(all);
    copy.erase(std::vector<int>{9, 5});
    EXPECT_EQ(copy.num_distinct(), 5);
}

} // namespace
} // namespace weft_test
