/// In tests of all containers: what users of YGM's containers rely on, and what goes wrong there.
#include <weft/containers/array.hpp>
#include <weft/containers/bag.hpp>
#include <weft/containers/counting_set.hpp>
#include <weft/containers/disjoint_set.hpp>
#include <weft/containers/map.hpp>
#include <weft/containers/multimap.hpp>
#include <weft/containers/multiset.hpp>
#include <weft/containers/set.hpp>

#include "containers_rig.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <stdexcept>

namespace weft_test {
namespace {

/// A number that cannot be read where it is 13.
struct unlucky {
    int number = 0;

    static void wire(weft::wire_writer& archive, unlucky const& self) { archive(self.number); }
    static void wire(weft::wire_reader& archive, unlucky& self) {
        archive(self.number);
        if (self.number == 13) throw std::runtime_error("thirteen");
    }
    friend bool operator==(unlucky const&, unlucky const&) = default;
};

TEST(semantics, containers_of_fewer_items_than_ranks_answer_on_all_ranks) {
    for_some_ways([](weft::mailbox& mail) {
        weft::map<std::string, int> m(mail);
        weft::multimap<std::string, int> many(mail);
        weft::set<std::string> items(mail);
        weft::multiset<std::string> times(mail);
        weft::counting_set<std::string> counts(mail);
        weft::disjoint_set<std::string> sets(mail);
        weft::bag<std::string> loose(mail);
        weft::array<int> row(mail, 1, 5);
        for (int round = 0; round < 2; ++round) { // without items, and with one
            EXPECT_EQ(m.size() + many.size() + items.size() + times.size() + counts.size() + sets.size(),
                round == 0 ? 0 : 7);
            EXPECT_EQ(std::ssize(m.gather()), round);
            EXPECT_EQ(std::ssize(many.gather()), round);
            EXPECT_EQ(std::ssize(items.gather()), round);
            EXPECT_EQ(std::ssize(times.gather()), round * 2);
            EXPECT_EQ(std::ssize(counts.gather_top_k(5)), round);
            EXPECT_EQ(sets.num_sets(), round);
            EXPECT_EQ(std::ssize(sets.gather()), round);
            loose.rebalance();
            loose.sort();
            EXPECT_EQ(std::ssize(loose.gather()), round);
            row.sort();
            EXPECT_EQ(row.all_reduce(std::plus<int>()), 5);
            std::vector<std::string> const asked(rank() == size() - 1 ? 1 : 0, "");
            EXPECT_EQ(m.collect(asked).size(), asked.size());
            for (auto const& each : m.collect(asked)) EXPECT_EQ(each.has_value(), round == 1);
            for (auto const& each : many.collect(asked)) EXPECT_EQ(std::ssize(each), round);
            for (auto const each : times.collect(asked)) EXPECT_EQ(each, 2 * round);
            for (auto const& each : sets.all_find(asked)) EXPECT_EQ(each, "");
            if (rank() != 0) continue;
            m.insert("", 1); // a key of no bytes
            many.insert("", 1);
            items.insert("");
            times.insert("");
            times.insert("");
            counts.insert("");
            sets.union_sets("", "");
            loose.insert("");
        }
    });
}

TEST(semantics, keys_of_16_megabytes_are_keys) {
    weft::mailbox mail(world(), {.buffer_bytes = 1 << 14});
    std::string const key(std::size_t{1} << 24, 'k');
    weft::counting_set<std::string> counts(mail);
    weft::disjoint_set<std::string> sets(mail);
    weft::multimap<std::string, std::string> many(mail);
    counts.insert(key);
    if (rank() == 0) {
        sets.union_sets(key, "short");
        sets.union_sets("short", "other");
        many.insert(key, key);
    }
    EXPECT_EQ(counts.count(key), size());
    EXPECT_EQ(sets.num_sets(), 1);
    EXPECT_EQ(many.count(key), 1);
}

TEST(semantics, values_that_cannot_be_read_are_an_error_of_their_phase) {
    for_some_ways([](weft::mailbox& mail) {
        weft::map<int, unlucky> m(mail);
        weft::multimap<int, unlucky> many(mail);
        weft::bag<unlucky> loose(mail);
        auto const insert = [&](int number) {
            m.insert(number, {number});
            many.insert(number, {number});
            loose.insert_at((rank() + 1) % size(), {number});
        };
        insert(1);
        if (rank() == 0) m.insert(13, {13});
        EXPECT_THROW(mail.drain(), std::runtime_error);
        if (rank() == size() - 1) many.insert(13, {13});
        EXPECT_THROW((void)many.size(), std::runtime_error);
        if (rank() == 0) loose.insert_at(size() - 1, {13});
        EXPECT_THROW((void)loose.size(), std::runtime_error);
        insert(2);
        EXPECT_EQ(m.find(2), unlucky{2});
        EXPECT_EQ(many.count(2), size());
        EXPECT_GE(loose.size(), size());
    });
}

TEST(semantics, one_container_erases_from_another) {
    for_some_ways([](weft::mailbox& mail) {
        weft::map<std::int64_t, std::int64_t> m(mail);
        weft::multimap<std::int64_t, std::int64_t> many(mail);
        weft::set<std::int64_t> items(mail);
        weft::multiset<std::int64_t> times(mail);
        weft::set<std::int64_t> odd(mail);
        for (std::int64_t i = rank(); i < 1000; i += size()) {
            m.insert(i, i);
            many.insert(i, i);
            many.insert(i, -i);
            items.insert(i);
            times.insert(i);
            times.insert(i);
            if (i % 2 != 0) odd.insert(i);
        }
        mail.drain();
        odd.for_all([&](std::int64_t each) {
            m.erase(each);
            many.erase(each);
            items.erase(each);
            times.erase(each);
            items.erase(each + 2000); // is not there
        });
        EXPECT_EQ(m.size(), 500);
        EXPECT_EQ(many.size(), 1000);
        EXPECT_EQ(items.size(), 500);
        EXPECT_EQ(times.size(), 1000);
        EXPECT_EQ(odd.size(), 500);
        for (auto const& [key, value] : m.gather()) EXPECT_EQ(key % 2, 0);
    });
}

TEST(semantics, handlers_may_insert_into_a_container_that_is_walked_through) {
    for_some_ways([](weft::mailbox& mail) {
        weft::set<std::int64_t> items(mail);
        weft::multimap<std::int64_t, std::int64_t> many(mail);
        weft::disjoint_set<std::int64_t> sets(mail);
        for (std::int64_t i = rank(); i < 300; i += size()) {
            items.insert(i);
            many.insert(i, i);
            sets.insert(i);
        }
        auto const add = mail.channel<std::int64_t>([&](std::int64_t item) {
            items.insert(item + 1000);
            many.insert(item, item);
            sets.union_sets(item, 0);
        });
        auto const pass_on = [&](std::int64_t item) {
            add.send(static_cast<int>(item % size()), item);
            mail.poll(); // what is under way is handled while this one is walked through
        };
        items.for_all(pass_on);
        EXPECT_EQ(items.size(), 600);
        EXPECT_EQ(many.size(), 600);
        EXPECT_EQ(sets.num_sets(), 1);
        many.for_all([&](std::int64_t key, std::int64_t) { pass_on(key); });
        EXPECT_EQ(many.size(), 1200);
        std::int64_t walked = 0;
        sets.for_all([&](std::int64_t item, std::int64_t) {
            ++walked;
            pass_on(item);
        });
        EXPECT_EQ(weft::sum(world(), walked), 300);
        EXPECT_EQ(many.size(), 1500);
    });
}

TEST(semantics, reductions_find_sums_least_and_greatest_values) {
    for_some_ways([](weft::mailbox& mail) {
        weft::bag<std::int64_t> loose(mail);
        weft::set<std::int64_t> items(mail);
        weft::map<std::int64_t, std::int64_t> last(mail);
        auto const least = last.reducer([](std::int64_t a, std::int64_t b) { return std::min(a, b); });
        auto const own = [](std::int64_t each) { return each; };
        auto const lesser = [](std::int64_t a, std::int64_t b) { return std::min(a, b); };
        auto const greater = [](std::int64_t a, std::int64_t b) { return std::max(a, b); };
        EXPECT_EQ(loose.all_reduce(own, lesser), std::nullopt);
        for (std::int64_t i = 0; i < 100; ++i) {
            loose.insert_at(0, i * (rank() + 1));
            items.insert(i * (rank() + 1));
            least(i % 10, i + rank());
        }
        std::int64_t const ranks = size();
        EXPECT_EQ(loose.all_reduce(own, std::plus<std::int64_t>()), 4950 * ranks * (ranks + 1) / 2);
        EXPECT_EQ(loose.all_reduce(own, lesser), 0);
        EXPECT_EQ(loose.all_reduce(own, greater), 99 * ranks);
        EXPECT_EQ(items.all_reduce(own, greater), 99 * ranks);
        auto const found = last.gather();
        ASSERT_EQ(found.size(), 10U);
        for (auto const& [key, value] : found) EXPECT_EQ(value, key);
    });
}

} // namespace
} // namespace weft_test
