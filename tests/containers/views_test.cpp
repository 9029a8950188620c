#include <weft/containers/array.hpp>
#include <weft/containers/bag.hpp>
#include <weft/containers/counting_set.hpp>
#include <weft/containers/map.hpp>
#include <weft/containers/multimap.hpp>
#include <weft/containers/multiset.hpp>
#include <weft/containers/set.hpp>
#include <weft/containers/tagged_bag.hpp>
#include <weft/containers/views.hpp>

#include "containers_rig.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>

namespace weft_test {
namespace {

std::vector<std::string> words_of(std::string const& line) {
    std::istringstream in(line);
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    return words;
}

TEST(views, words_are_counted_in_one_pass) {
    for_some_ways([](weft::mailbox& mail) {
        weft::bag<std::string> lines(mail);
        std::vector<std::string> mine;
        auto chance = random(static_cast<std::uint64_t>(rank()));
        for (int i = 0; i < 200; ++i) {
            std::string line;
            for (std::uint64_t n = chance() % 6; n > 0; --n)
                line += "w" + std::to_string(chance() % 40) + " ";
            mine.push_back(line);
            lines.insert(line);
        }
        int calls = 0;
        auto const words = lines | weft::transform([&](std::string const& line) {
            ++calls;
            return words_of(line);
        }) | weft::flatten() |
                           weft::filter([](std::string const& word) { return word != "w7"; });
        EXPECT_EQ(calls, 0); // nothing is computed yet
        auto const counts = words | weft::transform([](std::string const& word) {
            return std::pair(word, std::int64_t{1});
        }) | weft::reduce_by_key(std::plus<>());
        EXPECT_EQ(calls, 200); // once for each line
        std::map<std::string, std::int64_t> expected;
        std::int64_t all = 0;
        for (std::string const& line : of_all_ranks(mine))
            for (std::string const& word : words_of(line))
                if (word != "w7") {
                    ++expected[word];
                    ++all;
                }
        auto const found = counts.gather();
        EXPECT_EQ((std::map<std::string, std::int64_t>(found.begin(), found.end())), expected);
        EXPECT_EQ(words.size(), all);
        EXPECT_EQ(std::ssize(words.gather()), all);
        EXPECT_EQ(lines.size(), 200 * size()); // a view leaves the container as it is
    });
}

TEST(views, all_containers_have_them) {
    for_some_ways([](weft::mailbox& mail) {
        weft::map<std::int64_t, std::string> m(mail);
        weft::multimap<std::int64_t, std::int64_t> many(mail);
        weft::set<std::int64_t> items(mail);
        weft::multiset<std::int64_t> times(mail);
        weft::counting_set<std::int64_t> counts(mail);
        weft::array<std::int64_t> row(mail, 100);
        weft::tagged_bag<std::int64_t> tagged(mail);
        for (std::int64_t i = rank(); i < 100; i += size()) {
            m.insert(i, std::to_string(i));
            many.insert(i % 10, i);
            items.insert(i);
            times.insert(i);
            times.insert(i);
            counts.insert(i, 3);
            row.assign(i, i * i);
            (void)tagged.insert(i);
        }
        auto const plus = std::plus<std::int64_t>();
        auto const is_even = [](std::int64_t i, auto const&) { return i % 2 == 0; };
        auto const second = [](auto const&, std::int64_t i) { return i; };
        EXPECT_EQ((m | weft::filter(is_even)).size(), 50);
        EXPECT_EQ((m | weft::filter(is_even) | weft::transform([](std::int64_t i, std::string const&) {
            return i;
        })).all_reduce(plus),
            2450);
        EXPECT_EQ((many | weft::transform(second)).all_reduce(plus), 4950);
        auto const sums = many | weft::filter(is_even) | weft::reduce_by_key(plus);
        EXPECT_EQ(sums.size(), 5);
        EXPECT_EQ(sums.find(4), 490);
        EXPECT_EQ((items | weft::filter([](std::int64_t i) { return i > 89; })).size(), 10);
        EXPECT_EQ((times | weft::transform(second)).all_reduce(plus), 200);
        EXPECT_EQ((counts | weft::transform(second)).all_reduce(plus), 300);
        EXPECT_EQ((row | weft::filter(is_even) | weft::transform(second)).all_reduce(plus), 161700);
        EXPECT_EQ((tagged | weft::transform(second)).all_reduce(plus), 4950);
        EXPECT_EQ(
            (items | weft::filter([](std::int64_t i) { return i > 1000; })).all_reduce(plus), std::nullopt);
        weft::bag<std::int64_t> into(mail);
        (items | weft::transform([](std::int64_t i) { return -i; })).for_all([&](std::int64_t i) {
            into.insert(i);
        });
        EXPECT_EQ(into.all_reduce([](std::int64_t i) { return i; }, plus), -4950);
        (row | weft::filter(is_even)).for_all([](std::int64_t, std::int64_t& item) { item = 0; });
        EXPECT_EQ(row.all_reduce(plus), 328350 - 161700);
    });
}

TEST(views, errors_of_their_functions_are_agreed) {
    weft::mailbox mail(world());
    weft::bag<int> all(mail);
    all.insert(rank());
    auto const view = all | weft::transform([](int item) {
        if (item == size() - 1) throw std::runtime_error("the last one");
        return std::pair(item, 1);
    });
    EXPECT_THROW((void)view.size(), std::runtime_error);
    EXPECT_THROW((void)view.gather(), std::runtime_error);
    EXPECT_THROW((void)(view | weft::reduce_by_key(std::plus<>())), std::runtime_error);
    auto const into_itself = all | weft::filter([](int) { return true; });
    EXPECT_THROW(into_itself.for_all([&](int item) { all.insert(item); }), weft::usage_error);
    EXPECT_EQ(into_itself.size(), size());
}

} // namespace
} // namespace weft_test
