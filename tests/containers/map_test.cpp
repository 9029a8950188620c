#include <weft/containers/map.hpp>
#include <weft/containers/visitor.hpp>
#include <weft/detail/containers/container_mail.hpp>
#include <weft/detail/containers/hashed_container.hpp>
#include <weft/detail/containers/hashed_part.hpp>
#include <weft/detail/containers/keyed_channel.hpp>
#include <weft/detail/containers/keys.hpp>
#include <weft/detail/containers/reducing_channel.hpp>

#include "containers_rig.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <tuple>

namespace weft_test {
namespace {

using texts = weft::map<std::string, std::int64_t>;

TEST(map, insert_keeps_the_first_value) {
    for_some_ways([](weft::mailbox& mail) {
        texts m(mail);
        if (rank() == 0) {
            m.insert("a", 1);
            m.insert("a", 2);
            m.insert("", 3);
        }
        mail.drain();
        m.insert("a", 10 + rank());
        EXPECT_EQ(m.size(), 2);
        EXPECT_EQ(m.find("a"), 1);
        EXPECT_EQ(m.find(""), 3);
        EXPECT_EQ(m.find("b"), std::nullopt);
        EXPECT_TRUE(m.contains(""));
        EXPECT_FALSE(m.contains("b"));
    });
}

TEST(map, assignments_replace_and_erasures_remove) {
    for_some_ways([](weft::mailbox& mail) {
        weft::map<int, std::string> m(mail);
        for (int i = rank(); i < 500; i += size()) m.insert(i, std::to_string(i));
        mail.drain();
        for (int i = rank(); i < 500; i += size())
            if (i % 2 == 0)
                m.insert_or_assign(i, "even");
            else
                m.erase(i);
        m.erase(12345);
        EXPECT_EQ(m.size(), 250);
        EXPECT_EQ(m.find(4), "even");
        EXPECT_FALSE(m.contains(5));
        m.clear();
        EXPECT_EQ(m.size(), 0);
        m.insert(5, "again");
        EXPECT_EQ(m.find(5), "again");
    });
}

TEST(map, a_visit_makes_an_entry_unless_it_is_told_not_to) {
    for_some_ways([](weft::mailbox& mail) {
        texts m(mail);
        int seen = 0;
        auto const add =
            m.visitor<std::int64_t>([&](std::string const& key, std::int64_t& value, std::int64_t by) {
                value += by;
                seen += key == "x" ? 1 : 0;
            });
        auto const add_if =
            m.visitor_if_contains<std::int64_t>([](std::int64_t& value, std::int64_t by) { value += by; });
        add_if("x", 1000);
        mail.drain();
        add("x", 5);
        mail.drain();
        add_if("x", 100);
        add_if("y", 100);
        EXPECT_EQ(m.find("x"), 105 * size());
        EXPECT_EQ(m.size(), 1);
        EXPECT_EQ(weft::sum(world(), seen), size());
    });
}

TEST(map, handlers_may_send_insert_and_erase_the_entry_they_look_at) {
    for_some_ways([](weft::mailbox& mail) {
        weft::map<std::int64_t, std::string> m(mail);
        weft::visitor<std::int64_t, std::string, int> const* again = nullptr;
        auto const step = m.visitor<int>([&](std::int64_t const& key, std::string& value, int left) {
            value = std::string(100, 'x'); // the entry stays, whatever comes below
            for (int i = 0; i < 40; ++i) m.insert(1'000'000 + key * 40 + i, "new");
            if (left > 0) (*again)(key + 1, left - 1);
            m.erase(key);
            EXPECT_EQ(value, std::string(100, 'x'));
        });
        again = &step;
        if (rank() == 0) step(0, 200);
        mail.drain();
        EXPECT_EQ(m.size(), 201 * 40);
        EXPECT_FALSE(m.contains(7));
        EXPECT_TRUE(m.contains(1'000'000 + 7 * 40));
    });
}

TEST(map, arguments_of_visitors_are_any_wire_types) {
    weft::mailbox mail(world());
    weft::map<std::tuple<int, std::string>, std::vector<std::string>> m(mail);
    auto const append = m.visitor<std::string, std::vector<int>, std::optional<double>>(
        [](std::vector<std::string>& list, std::string_view text, std::vector<int> const& numbers,
            std::optional<double> half) {
            list.push_back(std::string(text) + std::to_string(numbers.size()) + (half ? "!" : "?"));
        });
    append({rank(), "key"}, std::string("text"), {1, 2, 3}, 0.5);
    append({rank(), "key"}, std::string(), {}, std::nullopt);
    EXPECT_EQ(m.size(), size());
    EXPECT_EQ(m.find({0, "key"}), (std::vector<std::string>{"text3!", "0?"}));
}

TEST(map, reducers_agree_with_a_serial_map) {
    for_some_ways([](weft::mailbox& mail) {
        texts sums(mail);
        texts least(mail);
        texts most(mail);
        auto const add = sums.reducer(std::plus<>());
        auto const lower = least.reducer([](std::int64_t a, std::int64_t b) { return std::min(a, b); });
        auto const raise = most.reducer([](std::int64_t a, std::int64_t b) { return std::max(a, b); });
        auto chance = random(static_cast<std::uint64_t>(rank()));
        std::vector<std::pair<std::string, std::int64_t>> mine;
        // Rank 1 has none; keys are skewed, and then hardly any is met twice.
        for (int i = 0; rank() != 1 && i < 6000; ++i)
            mine.emplace_back(
                nasty_text(i < 3000 ? chance() % 50 : chance()), static_cast<int>(chance() % 1000) - 500);
        for (auto const& [key, value] : mine) {
            add(key, value);
            lower(key, value);
            raise(key, value);
        }
        auto const got_sums = sums.gather();
        auto const got_least = least.gather();
        auto const got_most = most.gather();
        std::map<std::string, std::array<std::int64_t, 3>> expected;
        for (auto const& [key, value] : of_all_ranks(mine)) {
            auto const [at, made] = expected.try_emplace(key, std::array{std::int64_t{0}, value, value});
            at->second = {
                at->second[0] + value, std::min(at->second[1], value), std::max(at->second[2], value)};
        }
        ASSERT_EQ(got_sums.size(), expected.size());
        std::size_t i = 0;
        for (auto const& [key, values] : expected) {
            EXPECT_EQ(got_sums[i], std::pair(key, values[0]));
            EXPECT_EQ(got_least[i], std::pair(key, values[1]));
            EXPECT_EQ(got_most[i], std::pair(key, values[2]));
            ++i;
        }
    });
}

TEST(map, reducers_of_many_keys_agree_with_single_calls) {
    for_some_ways([](weft::mailbox& mail) {
        texts at_once(mail);
        texts one_by_one(mail);
        auto const add_all = at_once.reducer(std::plus<>());
        auto const add = one_by_one.reducer(std::plus<>());
        auto chance = random(static_cast<std::uint64_t>(rank()));
        // Short and long keys in any order, and spans that end anywhere in a batch.
        for (std::size_t length = 0; length < 120; ++length) {
            std::vector<std::string> keys(length);
            std::vector<std::int64_t> values(length);
            for (std::size_t i = 0; i < length; ++i) {
                keys[i] = nasty_text(chance() % 100);
                values[i] = static_cast<std::int64_t>(chance() % 1000);
                add(keys[i], values[i] + 3);
            }
            add_all(keys, values);
            add_all(keys, 3);
        }
        EXPECT_EQ(at_once.gather(), one_by_one.gather());
    });
}

TEST(map, random_calls_agree_with_a_serial_map) {
    for_some_ways([](weft::mailbox& mail) {
        texts m(mail);
        std::map<std::string, std::int64_t> expected;
        auto chance = random(); // the same on all ranks; each does its keys
        for (int round = 0; round < 9; ++round) {
            // One kind of call a round, and one rank a key: then their order is known.
            for (int i = 0; i < 1000; ++i) {
                auto const number = chance();
                std::string const key = nasty_text(number % 997);
                auto const value = static_cast<std::int64_t>(number % 10007);
                bool const is_mine = m.owner(key) == (rank() + 1) % size();
                if (round % 3 == 0) {
                    expected.emplace(key, value);
                    if (is_mine) m.insert(key, value);
                } else if (round % 3 == 1) {
                    expected[key] = value;
                    if (is_mine) m.insert_or_assign(key, value);
                } else if (number / 997 % 2 == 0) {
                    expected.erase(key);
                    if (is_mine) m.erase(key);
                }
            }
            EXPECT_EQ(m.gather(),
                (std::vector<std::pair<std::string, std::int64_t>>(expected.begin(), expected.end())));
        }
        for (auto const& [key, value] : expected) EXPECT_EQ(m.find(key), value);
    });
}

TEST(map, each_rank_collects_what_it_asks_for) {
    for_some_ways([](weft::mailbox& mail) {
        weft::map<std::int64_t, double> m(mail);
        for (std::int64_t i = rank(); i < 1000; i += size()) m.insert(i, 0.5 * static_cast<double>(i));
        std::vector<std::int64_t> asked;
        for (std::int64_t i = 0; rank() != 0 && i < 3000; i += 1 + rank()) asked.push_back(i);
        auto const got = m.collect(asked);
        ASSERT_EQ(got.size(), asked.size());
        for (std::size_t i = 0; i < asked.size(); ++i)
            EXPECT_EQ(
                got[i], asked[i] < 1000 ? std::optional(0.5 * static_cast<double>(asked[i])) : std::nullopt);
    });
}

TEST(map, all_entries_are_walked_through_and_combined) {
    weft::mailbox mail(world());
    weft::map<std::int64_t, std::int64_t> m(mail);
    texts other(mail);
    EXPECT_EQ(m.all_reduce([](auto, auto value) { return value; }, std::plus<std::int64_t>()), std::nullopt);
    for (std::int64_t i = rank(); i < 100; i += size()) m.insert(i, i);
    m.for_all([&](std::int64_t key, std::int64_t& value) {
        value *= 2;
        other.insert(std::to_string(key), value);
    });
    EXPECT_EQ(other.size(), 100);
    EXPECT_EQ(m.all_reduce([](auto, auto value) { return value; }, std::plus<std::int64_t>()), 9900);
    auto const top = m.gather_top_k(3, [](auto const& a, auto const& b) { return a.second > b.second; });
    EXPECT_EQ(top, (std::vector<std::pair<std::int64_t, std::int64_t>>{{99, 198}, {98, 196}, {97, 194}}));
    std::int64_t here = 0;
    m.for_each_local([&](std::int64_t key, std::int64_t) { here += m.owner(key) == rank() ? 1 : 0; });
    EXPECT_EQ(here, m.local_size());
    EXPECT_EQ(weft::sum(world(), here), 100);
    EXPECT_EQ(m.gather_top_k(0, [](auto const&, auto const&) { return false; }).size(), 0U);
    EXPECT_THROW((void)m.gather_top_k(-1, [](auto const&, auto const&) { return false; }), weft::usage_error);
}

TEST(map, changing_what_is_walked_through_is_an_error_of_all_ranks) {
    weft::mailbox mail(world());
    texts m(mail);
    auto const make = m.visitor([](std::int64_t&) {});
    auto const add = m.reducer(std::plus<>());
    m.insert("a", 1);
    mail.drain();
    EXPECT_THROW(m.for_all([&](auto const&, auto&) { m.insert("b", 2); }), weft::usage_error);
    EXPECT_THROW(m.for_all([&](auto const&, auto&) { m.insert_or_assign("b", 2); }), weft::usage_error);
    EXPECT_THROW(m.for_all([&](auto const&, auto&) { m.erase("a"); }), weft::usage_error);
    EXPECT_THROW(m.for_all([&](auto const&, auto&) { m.clear(); }), weft::usage_error);
    EXPECT_THROW(m.for_all([&](auto const&, auto&) { make("b"); }), weft::usage_error);
    EXPECT_THROW(m.for_all([&](auto const&, auto&) { add("b", 1); }), weft::usage_error);
    m.insert("c", 3);
    EXPECT_EQ(m.size(), 2);
}

TEST(map, errors_of_handlers_are_of_all_ranks_and_the_map_goes_on) {
    for_some_ways([](weft::mailbox& mail) {
        texts m(mail);
        auto const fail = m.visitor([](std::string const& key, std::int64_t&) {
            if (key == "bad") throw std::runtime_error("bad key");
        });
        auto const refuse =
            m.reducer([](std::int64_t, std::int64_t) -> std::int64_t { throw std::runtime_error("no sum"); });
        if (rank() == size() - 1) fail("bad");
        for (int i = 0; i < 100; ++i) fail(std::to_string(i));
        EXPECT_THROW(mail.drain(), std::runtime_error);
        EXPECT_THROW(
            m.for_all([](auto const&, auto&) { throw std::runtime_error("all"); }), std::runtime_error);
        m.insert("sum", 1);
        mail.drain();
        if (rank() == 0) refuse("sum", 1);
        EXPECT_THROW(mail.drain(), std::runtime_error);
        m.insert("good", 7);
        EXPECT_EQ(m.find("good"), 7);
    });
}

TEST(map, copies_are_apart_and_moves_and_swaps_keep_what_is_under_way) {
    weft::mailbox mail(world());
    texts a(mail);
    texts b(mail);
    a.insert("a", 1);
    swap(a, b);
    a.insert("b", 2);
    EXPECT_EQ(b.find("a"), 1);
    EXPECT_EQ(a.find("b"), 2);
    texts c = b;
    c.insert("c", 3);
    EXPECT_EQ(c.size(), 2);
    EXPECT_EQ(b.size(), 1);
    a = std::move(c);
    a.insert("d", 4);
    EXPECT_EQ(a.size(), 3);
    b = a;
    EXPECT_EQ(b.gather(), a.gather());
}

TEST(map, keys_and_values_of_a_megabyte_travel) {
    weft::mailbox mail(world(), {.buffer_bytes = 1 << 14});
    weft::map<std::string, std::string> m(mail);
    auto const join = m.reducer([](std::string a, std::string const& b) { return std::move(a) + b; });
    std::string const key(1 << 20, 'k');
    join(key, std::string(1 << 20, 'v'));
    auto const got = m.find(key);
    ASSERT_TRUE(got.has_value());
    EXPECT_EQ(got->size(), static_cast<std::size_t>(size()) << 20);
}

TEST(map, spans_are_inserted_and_unequal_ones_refused) {
    weft::mailbox mail(world());
    weft::map<int, int> m(mail);
    auto const add = m.reducer(std::plus<>());
    auto const set = m.visitor<int>([](int& value, int to) { value = to; });
    std::vector<int> const keys{1, 2, 3, 4};
    std::vector<int> const values{5, 6, 7, 8};
    m.insert(keys, values);
    mail.drain();
    add(keys, values);
    mail.drain();
    EXPECT_EQ(m.find(4), 8 + 8 * size());
    m.insert_or_assign(keys, values);
    mail.drain();
    set(std::span(keys).first(1), std::span(values).last(1));
    EXPECT_EQ(m.find(1), 8);
    EXPECT_EQ(m.find(2), 6);
    m.erase(std::span(keys).first(2));
    EXPECT_EQ(m.size(), 2);
    EXPECT_THROW(m.insert(keys, std::span(values).first(2)), weft::usage_error);
    EXPECT_THROW(add(keys, std::span(values).first(2)), weft::usage_error);
    EXPECT_THROW(set(keys, std::span(values).first(2)), weft::usage_error);
    mail.drain();
}

TEST(map, unequal_keys_of_a_question_are_refused) {
    weft::mailbox mail(world());
    texts const m(mail);
    if (size() == 1) return;
    EXPECT_THROW((void)m.find(std::to_string(rank())), weft::usage_error);
    EXPECT_THROW((void)m.contains(std::to_string(rank())), weft::usage_error);
}

} // namespace
} // namespace weft_test
