#include <weft/containers/counting_set.hpp>
#include <weft/containers/map.hpp>
#include <weft/containers/multimap.hpp>
#include <weft/containers/multiset.hpp>
#include <weft/containers/set.hpp>
#include <weft/detail/containers/local_entries.hpp>

#include "containers_rig.hpp"

#include <algorithm>
#include <iterator>
#include <ranges>

namespace weft_test {
namespace {

TEST(local_entries, loops_see_each_entry_of_their_rank_once) {
    for_some_ways([](weft::mailbox& mail) {
        weft::map<std::int64_t, std::string> m(mail);
        weft::set<std::string> items(mail);
        weft::counting_set<int> counts(mail);
        weft::multiset<int> times(mail);
        weft::multimap<int, int> many(mail);
        for (int i = 0; i < 100; ++i) {
            m.insert(i, "v");
            items.insert(std::to_string(i));
            counts.insert(i, i);
            times.insert(i);
            many.insert(i, rank());
        }
        mail.drain();
        for (int i = 0; i < 100; i += 3) m.erase(i);
        mail.drain();
        std::int64_t keys = 0;
        for (auto [key, value] : m.local()) {
            EXPECT_EQ(m.owner(key), rank());
            value += "!";
            keys += key;
        }
        EXPECT_EQ(weft::sum(world(), keys), 4950 - 3 * 33 * 34 / 2);
        EXPECT_EQ(m.find(1), "v!");
        EXPECT_EQ(m.find(3), std::nullopt);
        std::int64_t found = 0;
        for (std::string const& each : items.local()) found += std::ssize(each);
        EXPECT_EQ(weft::sum(world(), found), 190);
        std::int64_t total = 0;
        for (auto [item, count] : counts.local()) total += count;
        EXPECT_EQ(weft::sum(world(), total), 4950 * size());
        EXPECT_EQ(weft::sum(world(), std::ranges::distance(times.local())), 100);
        std::int64_t values = 0;
        for (auto [key, group] : many.local()) values += std::ssize(group);
        EXPECT_EQ(weft::sum(world(), values), 100 * size());
        static_assert(std::input_iterator<decltype(m.local().begin())>);
        static_assert(std::input_iterator<decltype(many.local().begin())>);
        static_assert(std::ranges::random_access_range<decltype((*many.local().begin()).second)>);
        EXPECT_EQ(std::ssize(m.local()), m.local_size());
    });
}

TEST(local_entries, gathered_keys_are_those_that_are_there) {
    for_some_ways([](weft::mailbox& mail) {
        weft::map<std::string, int> m(mail);
        weft::counting_set<std::string> counts(mail);
        weft::multimap<std::string, int> many(mail);
        if (rank() == 0) {
            for (std::string const key : {"b", "a", "c"}) {
                m.insert(key, key[0] - 'a');
                counts.insert(key, 5);
                many.insert(key, 1);
                many.insert(key, 2);
            }
        }
        std::vector<std::string> const asked{"c", "none", "a", "c"};
        using pairs = std::vector<std::pair<std::string, int>>;
        EXPECT_EQ(m.gather_keys(asked), (pairs{{"a", 0}, {"c", 2}}));
        EXPECT_EQ(m.gather_keys({}), pairs());
        EXPECT_EQ(many.gather_keys(asked), (pairs{{"a", 1}, {"a", 2}, {"c", 1}, {"c", 2}}));
        EXPECT_EQ(counts.gather_keys(asked).back(), (std::pair<std::string, std::int64_t>("c", 5)));
    });
}

} // namespace
} // namespace weft_test
