#include <weft/containers/multimap.hpp>

#include "containers_rig.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <stdexcept>

namespace weft_test {
namespace {

using many_texts = weft::multimap<std::string, std::string>;

TEST(multimap, all_values_are_kept) {
    for_some_ways([](weft::mailbox& mail) {
        many_texts m(mail);
        auto chance = random(static_cast<std::uint64_t>(rank()));
        std::vector<std::pair<std::string, std::string>> mine;
        for (int i = 0; i < 2000 / (1 + rank()); ++i)
            mine.emplace_back(nasty_text(chance() % 100), nasty_text(chance() % 50));
        for (auto const& [key, value] : mine) m.insert(key, value);
        auto expected = of_all_ranks(mine);
        EXPECT_EQ(m.size(), std::ssize(expected));
        std::map<std::string, std::int64_t> keys;
        for (auto const& [key, value] : expected) ++keys[key];
        EXPECT_EQ(m.num_keys(), std::ssize(keys));
        auto got = m.gather();
        std::ranges::sort(got);
        std::ranges::sort(expected);
        EXPECT_EQ(got, expected);
        EXPECT_EQ(m.count(nasty_text(3)), keys[nasty_text(3)]);
        std::vector<std::string> const asked{"none", nasty_text(4), nasty_text(4)};
        auto const found = m.collect(asked);
        EXPECT_TRUE(found[0].empty());
        EXPECT_EQ(std::ssize(found[1]), keys[nasty_text(4)]);
        EXPECT_EQ(found[1], found[2]);
        EXPECT_TRUE(m.contains(nasty_text(4)));
        mail.drain();
        if (rank() == 0) m.erase(nasty_text(4));
        EXPECT_FALSE(m.contains(nasty_text(4)));
        EXPECT_EQ(m.size(), std::ssize(expected) - keys[nasty_text(4)]);
    });
}

TEST(multimap, values_of_a_rank_stay_in_their_order) {
    weft::mailbox mail(world());
    weft::multimap<int, int> m(mail);
    for (int i = 0; i < 1000; ++i) m.insert(7, 1000 * rank() + i);
    auto const got = m.find(7);
    ASSERT_EQ(std::ssize(got), 1000 * size());
    for (int of = 0; of < size(); ++of) {
        std::vector<int> mine;
        std::ranges::copy_if(got, std::back_inserter(mine), [&](int each) { return each / 1000 == of; });
        EXPECT_TRUE(std::ranges::is_sorted(mine));
        EXPECT_EQ(mine.size(), 1000U);
    }
}

TEST(multimap, visitors_see_each_value_and_may_insert_for_the_same_key) {
    for_some_ways([](weft::mailbox& mail) {
        many_texts m(mail);
        int seen = 0;
        auto const visit =
            m.visitor<std::string>([&](std::string const& key, std::string& value, std::string_view suffix) {
                std::string const before = value;
                // Enough to make this wait for room, while others insert and visit.
                for (int i = 0; i < 20; ++i) m.insert(key, "late" + std::string(200, 'x'));
                EXPECT_EQ(value, before);
                value += suffix;
                ++seen;
            });
        if (rank() == 0)
            for (int i = 0; i < 10; ++i) m.insert("k", std::to_string(i));
        mail.drain();
        if (rank() == size() - 1) {
            visit("k", std::string("!"));
            visit("nobody", std::string("!"));
        }
        EXPECT_EQ(m.size(), 10 + 200);
        auto got = m.find("k");
        EXPECT_EQ(std::ranges::count_if(got, [](auto const& each) { return each.ends_with('!'); }), 10);
        EXPECT_EQ(weft::sum(world(), seen), 10);
        EXPECT_EQ(m.num_keys(), 1);
    });
}

TEST(multimap, one_or_many_values_a_key_agree_with_a_serial_map) {
    for_some_ways([](weft::mailbox& mail) {
        // Each rank inserts k + 1 values for key k, in turns with other keys; each third key is erased.
        many_texts m(mail);
        constexpr std::size_t keys = 40;
        auto const text_of = [](int of, std::size_t key, std::size_t i) {
            return nasty_text(key) + std::to_string(of) + ' ' + std::to_string(i);
        };
        for (std::size_t i = 0; i < keys; ++i)
            for (std::size_t key = i; key < keys; ++key)
                m.insert(std::to_string(key), text_of(rank(), key, i));
        mail.drain();
        for (std::size_t key = 0; key < keys; key += 3) m.erase(std::to_string(key));
        mail.drain();
        std::int64_t local = 0;
        for (auto [name, values] : m.local()) {
            std::size_t const key = std::stoul(name);
            EXPECT_NE(key % 3, 0U);
            std::vector<std::vector<std::string>> expected(static_cast<std::size_t>(size()));
            for (int of = 0; of < size(); ++of)
                for (std::size_t i = 0; i <= key; ++i)
                    expected[static_cast<std::size_t>(of)].push_back(text_of(of, key, i));
            EXPECT_EQ(values.size(), (key + 1) * static_cast<std::size_t>(size()));
            for (auto const& of_rank : expected) {
                std::vector<std::string> found;
                std::ranges::copy_if(values, std::back_inserter(found),
                    [&](auto const& each) { return std::ranges::find(of_rank, each) != of_rank.end(); });
                EXPECT_EQ(found, of_rank);
            }
            std::ranges::sort(values, std::greater<>());
            local += std::ssize(values);
        }
        EXPECT_EQ(local, m.local_size());
        auto const found = m.find("38");
        EXPECT_EQ(std::ssize(found), 39 * size());
        EXPECT_TRUE(std::ranges::is_sorted(found, std::greater<>()));
        for (std::size_t key = 0; key < keys; ++key) m.erase(std::to_string(key));
        EXPECT_EQ(m.size(), 0);
        EXPECT_EQ(m.num_keys(), 0);
        EXPECT_EQ(std::ranges::distance(m.local()), 0);
    });
}

/// Throws when the number 7 is copied, and when 13 is moved.
struct touchy {
    int number = 0;

    touchy() = default;
    explicit touchy(int of) : number(of) {}
    touchy(touchy const& other) : number(other.number) {
        if (number == 7) throw std::runtime_error("seven");
    }
    touchy(touchy&& other) : number(other.number) { // NOLINT: it may throw
        if (number == 13) throw std::runtime_error("thirteen");
    }
    touchy& operator=(touchy const&) = default;
    ~touchy() = default;
    static void wire(auto& archive, auto& self) { archive(self.number); }
};

TEST(multimap, values_that_throw_are_an_error_of_their_call) {
    for_some_ways([](weft::mailbox& mail) {
        weft::multimap<int, touchy> m(mail);
        for (int i = 0; i < 5; ++i) m.insert(i % 2, touchy(i));
        EXPECT_EQ(m.size(), 5 * size());
        if (rank() == 0) {
            m.insert(0, touchy(13));
            m.insert(2, touchy(13)); // leaves no key without values
        }
        EXPECT_THROW(mail.drain(), std::runtime_error);
        EXPECT_EQ(m.size(), 5 * size());
        EXPECT_EQ(m.num_keys(), 2);
        if (rank() == size() - 1) m.insert(1, touchy(7));
        mail.drain();
        EXPECT_THROW((void)m.find(1), std::runtime_error);
        EXPECT_THROW((weft::multimap<int, touchy>(m)), std::runtime_error);
        EXPECT_EQ(m.size(), 5 * size() + 1);
        m.erase(1);
        EXPECT_EQ(m.count(0), 3 * size());
    });
}

TEST(multimap, walks_reductions_copies_and_errors_are_as_those_of_a_map) {
    weft::mailbox mail(world());
    weft::multimap<std::int64_t, std::int64_t> m(mail);
    EXPECT_EQ(m.all_reduce([](auto, auto value) { return value; }, std::plus<std::int64_t>()), std::nullopt);
    for (std::int64_t i = 0; i < 10; ++i) m.insert(i % 3, i);
    m.for_all([](std::int64_t, std::int64_t& value) { value *= 2; });
    EXPECT_EQ(m.all_reduce([](auto, auto value) { return value; }, std::plus<std::int64_t>()), 90 * size());
    EXPECT_THROW(m.for_all([&](auto, auto&) { m.insert(1, 1); }), weft::usage_error);
    EXPECT_THROW(m.for_all([&](auto, auto&) { m.erase(1); }), weft::usage_error);
    EXPECT_THROW(m.insert(std::vector<std::int64_t>{1}, std::vector<std::int64_t>{}), weft::usage_error);
    auto const top = m.gather_top_k(1, [](auto const& a, auto const& b) { return a.second > b.second; });
    EXPECT_EQ(top, (std::vector<std::pair<std::int64_t, std::int64_t>>{{0, 18}}));
    weft::multimap<std::int64_t, std::int64_t> copy = m;
    m.clear();
    EXPECT_EQ(m.size(), 0);
    EXPECT_EQ(copy.size(), 10 * size());
    swap(copy, m);
    EXPECT_EQ(m.num_keys(), 3);
    std::int64_t local = 0;
    m.for_each_local([&](std::int64_t key, std::int64_t) { local += m.owner(key) == rank(); });
    EXPECT_EQ(local, m.local_size());
    copy = std::move(m);
    copy.erase(std::vector<std::int64_t>{0, 1});
    EXPECT_EQ(copy.num_keys(), 1);
}

} // namespace
} // namespace weft_test
