#include <weft/containers/bag.hpp>

#include "containers_rig.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <stdexcept>

namespace weft_test {
namespace {

TEST(bag, items_are_kept_as_often_as_they_are_inserted) {
    for_some_ways([](weft::mailbox& mail) {
        weft::bag<std::string> all(mail);
        std::vector<std::string> mine;
        for (int i = 0; i < 100 * rank(); ++i) mine.push_back(nasty_text(static_cast<std::uint64_t>(i)));
        all.insert(mine);
        all.insert("one more");
        all.insert_at((rank() + 1) % size(), "from a neighbour");
        auto expected = of_all_ranks(mine);
        for (int i = 0; i < size(); ++i) expected.insert(expected.end(), {"one more", "from a neighbour"});
        EXPECT_EQ(all.size(), std::ssize(expected));
        auto got = all.gather();
        std::ranges::sort(got);
        std::ranges::sort(expected);
        EXPECT_EQ(got, expected);
        all.rebalance();
        EXPECT_LE(std::abs(all.local_size() - std::ssize(expected) / size()), 1);
        got = all.gather();
        std::ranges::sort(got);
        EXPECT_EQ(got, expected);
        EXPECT_EQ(std::ssize(all.local()), all.local_size());
    });
}

TEST(bag, items_are_walked_through_while_others_come) {
    weft::mailbox mail(world());
    weft::bag<int> all(mail);
    weft::bag<int> others(mail);
    auto const reply = mail.channel<int>([&](int item) { all.insert(item + 1); });
    for (int i = 0; i < 20; ++i) all.insert(i);
    all.for_all([&](int& each) {
        others.insert_at(each % size(), each);
        reply.send((rank() + 1) % size(), each);
        each = -1;
    });
    EXPECT_EQ(all.size(), 40 * size());
    EXPECT_EQ(others.size(), 20 * size());
    EXPECT_EQ(all.all_reduce([](int each) { return each == -1 ? 1 : 0; }, std::plus<int>()), 20 * size());
    EXPECT_THROW(all.for_all([&](int) { all.insert(1); }), weft::usage_error);
    EXPECT_THROW(all.for_all([&](int) { all.insert_at(0, 1); }), weft::usage_error);
    EXPECT_THROW(all.for_all([&](int) { all.clear(); }), weft::usage_error);
    EXPECT_THROW(all.insert_at(size(), 1), weft::usage_error);
    weft::bag<int> copy = all;
    all.clear();
    EXPECT_EQ(all.size(), 0);
    swap(copy, all);
    EXPECT_EQ(all.size(), 40 * size());
}

TEST(bag, shuffled_items_are_sorted) {
    for_some_ways([](weft::mailbox& mail) {
        for (int const items : {0, 1, 2, 700}) {
            weft::bag<std::string> all(mail);
            std::vector<std::string> mine;
            auto chance = random(static_cast<std::uint64_t>(rank()));
            for (int i = 0; rank() != 1 && i < items; ++i) mine.push_back(nasty_text(chance() % 300));
            all.insert(mine);
            auto expected = of_all_ranks(mine);
            std::ranges::sort(expected);
            all.sort();
            EXPECT_EQ(all.gather(), expected);
            EXPECT_LE(std::abs(all.local_size() - std::ssize(expected) / size()), 1);
            all.sort(std::greater<>());
            std::ranges::reverse(expected);
            EXPECT_EQ(all.gather(), expected);
        }
    });
}

TEST(bag, the_first_items_are_gathered_as_often_as_they_are_there) {
    weft::mailbox mail(world());
    weft::bag<std::string> all(mail);
    for (int i = 0; i < 40; ++i) all.insert_at(i % size(), "item " + std::to_string(10 + i));
    std::vector<std::string> const greatest(static_cast<std::size_t>(size()), "item 49");
    EXPECT_EQ(all.gather_top_k(size()), greatest);
    EXPECT_EQ(all.gather_top_k(1, std::less<>()), std::vector<std::string>{"item 10"});
    EXPECT_EQ(std::ssize(all.gather_top_k(100'000)), 40 * size());
}

TEST(bag, equal_items_are_shared_out_and_stay_in_their_order) {
    weft::mailbox mail(world());
    weft::bag<std::pair<int, int>> all(mail);
    for (int i = 0; i < 2000; ++i) all.insert({i % 2, 2000 * rank() + i});
    auto expected = all.gather();
    std::ranges::stable_sort(expected, {}, &std::pair<int, int>::first);
    all.sort([](auto const& a, auto const& b) { return a.first < b.first; });
    EXPECT_EQ(all.gather(), expected);
    EXPECT_EQ(all.local_size(), 2000);
    int calls = 0;
    EXPECT_THROW(all.sort([&](auto const& a, auto const& b) {
        if (rank() == size() - 1 && ++calls == 100) throw std::runtime_error("no order");
        return b < a;
    }),
        std::runtime_error);
    EXPECT_EQ(all.gather(), expected);
}

} // namespace
} // namespace weft_test
