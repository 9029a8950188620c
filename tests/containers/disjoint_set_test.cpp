#include <weft/containers/disjoint_set.hpp>
#include <weft/detail/containers/union_forest.hpp>

#include "containers_rig.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>

namespace weft_test {
namespace {

/// Sets on one rank, of numbers.
class serial_sets {
public:
    explicit serial_sets(std::size_t items) : above_(items) {
        std::iota(above_.begin(), above_.end(), std::size_t{0});
    }
    std::size_t find(std::size_t item) const {
        while (above_[item] != item) item = above_[item];
        return item;
    }
    bool unite(std::size_t a, std::size_t b) {
        a = find(a);
        b = find(b);
        above_[std::min(a, b)] = std::max(a, b);
        return a != b;
    }

private:
    std::vector<std::size_t> above_;
};

struct edge {
    std::int64_t a;
    std::int64_t b;
};

std::vector<edge> random_edges(std::int64_t items, int count) {
    auto chance = random(static_cast<std::uint64_t>(rank()));
    auto const draw = [&] { return static_cast<std::int64_t>(chance() % static_cast<std::uint64_t>(items)); };
    std::vector<edge> edges;
    for (int i = 0; i < count; ++i) edges.push_back({draw(), i % 3 == 0 ? 0 : draw()});
    return edges;
}

TEST(disjoint_set, random_unions_agree_with_a_serial_forest) {
    for_some_ways([](weft::mailbox& mail) {
        for (std::int64_t const items : {1, 2, 50, 3000}) {
            weft::disjoint_set<std::int64_t> sets(mail);
            auto const mine = random_edges(items, static_cast<int>(items));
            for (edge const& each : mine) sets.union_sets(each.a, each.b);
            serial_sets expected(static_cast<std::size_t>(items));
            std::set<std::int64_t> named;
            std::int64_t count = 0;
            for (edge const& each : of_all_ranks(mine)) {
                named.insert({each.a, each.b});
                count -= expected.unite(static_cast<std::size_t>(each.a), static_cast<std::size_t>(each.b));
            }
            count += std::ssize(named);
            EXPECT_EQ(sets.num_sets(), count);
            EXPECT_EQ(sets.size(), std::ssize(named));
            auto const got = sets.gather();
            ASSERT_EQ(got.size(), named.size());
            std::map<std::size_t, std::int64_t> representatives;
            for (auto const& [item, representative] : got) {
                EXPECT_TRUE(named.contains(item));
                auto const at = expected.find(static_cast<std::size_t>(item));
                EXPECT_EQ(expected.find(static_cast<std::size_t>(representative)), at);
                EXPECT_EQ(representatives.try_emplace(at, representative).first->second, representative);
            }
            std::vector<std::int64_t> asked{items + 5};
            for (auto const& [item, representative] : got) asked.push_back(item);
            auto const found = sets.all_find(asked);
            EXPECT_EQ(found.front(), items + 5);
            for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(found[i + 1], got[i].second);
            EXPECT_EQ(sets.size(), std::ssize(named)) << "a question inserts nothing";
        }
    });
}

TEST(disjoint_set, handlers_run_once_for_each_set_that_is_joined) {
    for_some_ways([](weft::mailbox& mail) {
        std::int64_t const items = 500;
        weft::disjoint_set<std::string> sets(mail);
        std::vector<edge> joined;
        std::vector<std::string> notes;
        auto const unite = sets.union_and_execute<std::string>(
            [&](std::string_view a, std::string_view b, std::string_view note) {
                joined.push_back({std::stoll(std::string(a)), std::stoll(std::string(b))});
                notes.emplace_back(note);
            });
        auto const mine = random_edges(items, 2000);
        std::vector<std::string> ends[3];
        for (edge const& each : mine) {
            std::string const a = std::to_string(each.a);
            std::string const b = std::to_string(each.b);
            if (each.a % 2 == 0) {
                unite(a, b, a + "-" + b);
                continue;
            }
            ends[0].push_back(a);
            ends[1].push_back(b);
            ends[2].push_back(a + "-" + b);
        }
        unite(ends[0], ends[1], ends[2]);
        ends[2].emplace_back();
        EXPECT_THROW(unite(ends[0], ends[1], ends[2]), weft::usage_error);
        mail.drain();
        for (std::size_t i = 0; i < joined.size(); ++i)
            EXPECT_EQ(notes[i], std::to_string(joined[i].a) + "-" + std::to_string(joined[i].b));
        serial_sets expected(static_cast<std::size_t>(items));
        std::int64_t successes = 0;
        for (edge const& each : of_all_ranks(mine))
            successes += expected.unite(static_cast<std::size_t>(each.a), static_cast<std::size_t>(each.b));
        // The edges whose handlers ran are a forest with the same sets.
        serial_sets forest(static_cast<std::size_t>(items));
        std::int64_t edges = 0;
        for (edge const& each : of_all_ranks(joined)) {
            EXPECT_TRUE(forest.unite(static_cast<std::size_t>(each.a), static_cast<std::size_t>(each.b)));
            ++edges;
        }
        EXPECT_EQ(edges, successes);
        for (std::size_t i = 0; i < static_cast<std::size_t>(items); ++i)
            EXPECT_EQ(expected.find(i) == expected.find(0), forest.find(i) == forest.find(0));
    });
}

TEST(disjoint_set, handlers_may_unite_further) {
    for_some_ways([](weft::mailbox& mail) {
        weft::disjoint_set<std::int64_t> sets(mail);
        weft::union_visitor<std::int64_t> const* again = nullptr;
        auto const unite = sets.union_and_execute([&](std::int64_t a, std::int64_t b) {
            if (b < 300) (*again)(a + 1, b + 1);
        });
        again = &unite;
        if (rank() == size() - 1) unite(0, 1);
        EXPECT_EQ(sets.num_sets(), 1);
        EXPECT_EQ(sets.size(), 301);
    });
}

TEST(disjoint_set, representatives_do_not_depend_on_ranks_and_order) {
    std::vector<std::string> found;
    for_some_ways([&](weft::mailbox& mail) {
        weft::disjoint_set<std::string> sets(mail);
        for (int i = rank(); i < 100; i += size())
            sets.union_sets(nasty_text(static_cast<std::uint64_t>(i)), "end");
        std::string representative;
        sets.for_all([&](std::string const&, std::string const& each) {
            if (representative.empty()) representative = each;
            EXPECT_EQ(each, representative);
        });
        std::vector<std::string> const asked{"end"};
        found.push_back(sets.all_find(asked).front());
        EXPECT_EQ(found.front(), found.back());
    });
    // The greatest hash of all, with any number of ranks.
    std::string expected = "end";
    for (std::uint64_t i = 0; i < 100; ++i)
        if (weft::detail::hash_of_key<std::string>(nasty_text(i)) >
            weft::detail::hash_of_key<std::string>(expected))
            expected = nasty_text(i);
    EXPECT_EQ(found.front(), expected);
}

TEST(disjoint_set, structures_are_items_and_copies_are_apart) {
    weft::mailbox mail(world());
    using pair = std::pair<int, std::string>;
    weft::disjoint_set<pair> sets(mail);
    sets.insert({7, "alone"});
    sets.union_sets({1, "a"}, {1, "a"});
    sets.union_sets({1, "a"}, {2, "b"});
    weft::disjoint_set<pair> copy = sets;
    copy.union_sets({2, "b"}, {7, "alone"});
    EXPECT_EQ(sets.num_sets(), 2);
    EXPECT_EQ(copy.num_sets(), 1);
    swap(copy, sets);
    EXPECT_EQ(sets.num_sets(), 1);
    std::vector<pair> const a{{3, ""}, {4, ""}};
    std::vector<pair> const b{{5, ""}, {3, ""}};
    sets.union_sets(a, b);
    EXPECT_EQ(sets.size(), 6);
    EXPECT_EQ(sets.num_sets(), 2);
    EXPECT_THROW(sets.union_sets(a, std::span(b).first(1)), weft::usage_error);
    std::int64_t local = 0;
    sets.for_all([&](pair const& item, pair const&) { local += sets.owner(item) == rank(); });
    EXPECT_EQ(local, sets.local_size());
    sets.clear();
    EXPECT_EQ(sets.size(), 0);
    sets = std::move(copy);
    EXPECT_EQ(sets.num_sets(), 2);
}

TEST(disjoint_set, errors_are_of_all_ranks_and_the_sets_go_on) {
    weft::mailbox mail(world());
    weft::disjoint_set<int> sets(mail);
    auto const fail = sets.union_and_execute([](int, int) { throw std::runtime_error("no"); });
    auto const quiet = sets.union_and_execute([](int, int) {});
    if (rank() == 0) fail(1, 2);
    EXPECT_THROW(mail.drain(), std::runtime_error);
    EXPECT_EQ(sets.num_sets(), 1) << "the sets were joined before their handler ran";
    EXPECT_THROW(sets.for_all([&](int, int) { sets.union_sets(1, 3); }), weft::usage_error);
    EXPECT_THROW(sets.for_all([&](int, int) { sets.insert(3); }), weft::usage_error);
    EXPECT_THROW(sets.for_all([&](int, int) { quiet(3, 4); }), weft::usage_error);
    weft::disjoint_set<int> others(mail);
    sets.for_all([&](int item, int representative) { others.union_sets(item, representative); });
    EXPECT_EQ(others.num_sets(), 1);
    EXPECT_EQ(sets.size(), 2);
}

TEST(disjoint_set, an_order_of_equal_hashes_is_that_of_bytes) {
    EXPECT_TRUE((weft::detail::is_lower<std::string>(1, "b", 2, "a")));
    EXPECT_TRUE((weft::detail::is_lower<std::string>(1, "a", 1, "b")));
    EXPECT_FALSE((weft::detail::is_lower<std::string>(1, "a", 1, "a")));
    std::vector<int> const shorter{9};
    std::vector<int> const longer{1, 2};
    EXPECT_TRUE((weft::detail::is_lower<std::vector<int>>(1, shorter, 1, longer)));
    EXPECT_FALSE((weft::detail::is_lower<std::vector<int>>(1, longer, 1, shorter)));
    EXPECT_NE((weft::detail::is_lower<int>(1, 3, 1, 4)), (weft::detail::is_lower<int>(1, 4, 1, 3)));
}

} // namespace
} // namespace weft_test
