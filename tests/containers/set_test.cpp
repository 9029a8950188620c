#include <weft/containers/set.hpp>
#include <weft/detail/containers/first_items.hpp>

#include "containers_rig.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <set>

namespace weft_test {
namespace {

TEST(set, items_are_there_once) {
    for_some_ways([](weft::mailbox& mail) {
        weft::set<std::string> all(mail);
        std::vector<std::string> mine;
        auto chance = random(static_cast<std::uint64_t>(rank()));
        for (int i = 0; i < 3000; ++i) mine.push_back(nasty_text(chance() % 2000));
        all.insert(mine);
        std::vector<std::string> const everywhere = of_all_ranks(mine);
        std::set<std::string> const expected(everywhere.begin(), everywhere.end());
        EXPECT_EQ(all.gather(), std::vector<std::string>(expected.begin(), expected.end()));
        EXPECT_EQ(all.size(), std::ssize(expected));
        std::vector<std::string> const asked{*expected.begin(), "none of these"};
        EXPECT_EQ(all.collect(asked), (std::vector<bool>{true, false}));
        all.erase(std::span(mine).first(1));
        mail.drain();
        EXPECT_FALSE(all.collect(std::span(mine).first(1)).front());
    });
}

TEST(set, numbers_are_compared_by_their_bytes) {
    weft::mailbox mail(world());
    weft::set<double> all(mail);
    all.insert(std::numeric_limits<double>::quiet_NaN());
    all.insert(0.0);
    all.insert(-0.0);
    all.insert(1.5);
    EXPECT_EQ(all.size(), 4);
    EXPECT_TRUE(all.contains(std::numeric_limits<double>::quiet_NaN()));
    EXPECT_EQ(all.all_reduce([](double each) { return std::isnan(each) ? 1 : 0; }, std::plus<int>()), 1);
}

TEST(set, the_first_items_are_gathered) {
    for_some_ways([](weft::mailbox& mail) {
        weft::set<std::int64_t> all(mail);
        for (std::int64_t i = rank(); i < 5000; i += size()) all.insert(i * 7919 % 5000);
        EXPECT_EQ(all.gather_top_k(3), (std::vector<std::int64_t>{4999, 4998, 4997}));
        EXPECT_EQ(all.gather_top_k(2, std::less<>()), (std::vector<std::int64_t>{0, 1}));
        EXPECT_EQ(all.gather_top_k(6000).size(), 5000U);
        EXPECT_EQ(all.gather_top_k(0).size(), 0U);
        EXPECT_THROW((void)all.gather_top_k(-1), weft::usage_error);
    });
}

TEST(set, changing_what_is_walked_through_is_an_error_and_others_are_free) {
    weft::mailbox mail(world());
    weft::set<int> all(mail);
    weft::set<int> others(mail);
    for (int i = 0; i < 50; ++i) all.insert(i);
    mail.drain();
    EXPECT_THROW(all.for_all([&](int each) { all.insert(each + 100); }), weft::usage_error);
    all.for_all([&](int each) { others.insert(each / 2); });
    EXPECT_EQ(others.size(), 25);
    weft::set<int> copy = others;
    swap(copy, all);
    EXPECT_EQ(all.size(), 25);
    copy.clear();
    EXPECT_EQ(copy.size(), 0);
    all.erase(3);
    EXPECT_FALSE(all.contains(3));
    int local = 0;
    all.for_each_local([&](int each) { local += all.owner(each) == rank() ? 1 : 0; });
    EXPECT_EQ(local, all.local_size());
}

} // namespace
} // namespace weft_test
