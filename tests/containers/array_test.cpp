#include <weft/containers/array.hpp>
#include <weft/detail/containers/visit_calls.hpp>

#include "containers_rig.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <stdexcept>

namespace weft_test {
namespace {

TEST(array, updates_agree_with_a_serial_array) {
    for_some_ways([](weft::mailbox& mail) {
        for (std::int64_t const items : {0, 1, 3, 1000}) {
            weft::array<std::int64_t> all(mail, items, 7);
            auto const add = all.reducer(std::plus<>());
            std::vector<std::int64_t> indices;
            std::vector<std::int64_t> values;
            auto chance = random(static_cast<std::uint64_t>(rank()));
            for (int i = 0; items > 0 && i < 5000; ++i) {
                indices.push_back(static_cast<std::int64_t>(chance() % static_cast<std::uint64_t>(items)));
                values.push_back(static_cast<std::int64_t>(chance() % 100));
            }
            add(indices, values);
            auto const got = all.gather();
            std::vector<std::int64_t> expected(static_cast<std::size_t>(items), 7);
            auto const all_indices = of_all_ranks(indices);
            auto const all_values = of_all_ranks(values);
            for (std::size_t i = 0; i < all_indices.size(); ++i)
                expected[static_cast<std::size_t>(all_indices[i])] += all_values[i];
            EXPECT_EQ(got, expected);
            EXPECT_EQ(all.size(), items);
            EXPECT_EQ(all.all_reduce(std::plus<std::int64_t>()).value_or(0),
                std::accumulate(expected.begin(), expected.end(), std::int64_t{0}));
        }
    });
}

TEST(array, items_are_assigned_visited_and_asked_for) {
    for_some_ways([](weft::mailbox& mail) {
        weft::array<std::string> all(mail, 100, "-");
        auto const append =
            all.visitor<std::string>([](std::int64_t index, std::string& item, std::string_view by) {
                item += std::to_string(index).append(by);
            });
        for (std::int64_t i = rank(); i < 100; i += size()) all.assign(i, "x");
        mail.drain();
        if (rank() == 0) append(42, std::string("!"));
        std::vector<std::int64_t> asked;
        if (rank() == size() - 1) asked = {42, 99, 42};
        auto const got = all.collect(asked);
        EXPECT_EQ(got, rank() == size() - 1 ? (std::vector<std::string>{"x42!", "x", "x42!"})
                                            : std::vector<std::string>{});
    });
}

TEST(array, indices_that_it_does_not_have_are_refused) {
    weft::mailbox mail(world());
    weft::array<int> all(mail, 10);
    EXPECT_THROW(all.assign(10, 1), weft::usage_error);
    EXPECT_THROW(all.assign(-1, 1), weft::usage_error);
    EXPECT_THROW(all.assign(std::vector<std::int64_t>{1, 2}, std::vector<int>{1}), weft::usage_error);
    EXPECT_ANY_THROW((void)all.collect(std::vector<std::int64_t>(rank() == 0 ? 1 : 0, 10)));
    EXPECT_THROW(weft::array<int>(mail, -1), weft::usage_error);
    if (size() > 1) { EXPECT_THROW(weft::array<int>(mail, rank()), weft::usage_error); }
    EXPECT_EQ(all.gather(), std::vector<int>(10, 0));
}

TEST(array, a_resize_keeps_what_is_there) {
    for_some_ways([](weft::mailbox& mail) {
        weft::array<std::int64_t> all(mail, 10);
        all.for_all([](std::int64_t index, std::int64_t& item) { item = index; });
        all.resize(25, -1);
        std::vector<std::int64_t> expected(25, -1);
        std::iota(expected.begin(), expected.begin() + 10, 0);
        EXPECT_EQ(all.gather(), expected);
        all.resize(3);
        EXPECT_EQ(all.gather(), (std::vector<std::int64_t>{0, 1, 2}));
        EXPECT_THROW(all.resize(-1), weft::usage_error);
        weft::array<std::int64_t> copy = all;
        copy.assign(0, 5);
        EXPECT_EQ(copy.gather(), (std::vector<std::int64_t>{5, 1, 2}));
        swap(copy, all);
        EXPECT_EQ(copy.gather(), (std::vector<std::int64_t>{0, 1, 2}));
        for (std::int64_t i = 0; i < 3; ++i)
            EXPECT_EQ(all.owner(i) == rank(), i >= all.first() && i < all.first() + std::ssize(all.local()));
    });
}

TEST(array, shuffled_items_are_sorted) {
    for_some_ways([](weft::mailbox& mail) {
        for (std::int64_t const items : {0, 1, 5, 3000}) {
            weft::array<std::int64_t> all(mail, items);
            all.for_all([](std::int64_t index, std::int64_t& item) { item = index * 7919 % 997; });
            auto expected = all.gather();
            std::ranges::sort(expected);
            all.sort();
            EXPECT_EQ(all.gather(), expected);
            if (items == 0) continue;
            all.assign(items - 1, -5); // its items are where they are looked for
            EXPECT_EQ(all.collect(std::vector<std::int64_t>{items - 1, 0}),
                (std::vector<std::int64_t>{-5, items == 1 ? -5 : expected.front()}));
        }
    });
}

TEST(array, the_first_items_are_gathered_with_their_indices) {
    weft::mailbox mail(world());
    weft::array<std::int64_t> all(mail, 3000);
    all.for_all([](std::int64_t index, std::int64_t& item) { item = index * 7 % 10; });
    using found = std::vector<std::pair<std::int64_t, std::int64_t>>;
    EXPECT_EQ(all.gather_top_k(3), (found{{7, 9}, {17, 9}, {27, 9}}));
    EXPECT_EQ(all.gather_top_k(2, std::less<>()), (found{{0, 0}, {10, 0}}));
    EXPECT_EQ(all.gather_top_k(4000).size(), 3000U);
    EXPECT_THROW((void)all.gather_top_k(-1), weft::usage_error);
}

TEST(array, errors_of_handlers_are_of_all_ranks) {
    weft::mailbox mail(world());
    weft::array<int> all(mail, 10);
    auto const fail = all.visitor([](int&) { throw std::runtime_error("no"); });
    if (rank() == 0) fail(9);
    EXPECT_THROW(mail.drain(), std::runtime_error);
    EXPECT_THROW(all.for_all([](std::int64_t index, int&) {
        if (index == 3) throw std::runtime_error("three");
    }),
        std::runtime_error);
    all.assign(1, 1);
    EXPECT_EQ(all.collect(std::vector<std::int64_t>{1}), std::vector<int>{1});
}

} // namespace
} // namespace weft_test
