#include <weft/containers/alias_table.hpp>
#include <weft/detail/containers/alias_draws.hpp>

#include "containers_rig.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace weft_test {
namespace {

using weighted = std::vector<std::pair<std::string, double>>;

TEST(alias_table, items_are_drawn_with_the_chance_of_their_weights) {
    for_some_ways([](weft::mailbox& mail) {
        weighted mine; // item i of rank r weighs i (r + 1); rank 1 has none
        for (int i = 0; rank() != 1 && i < 5; ++i)
            mine.emplace_back(std::to_string(rank()) + ":" + std::to_string(i), i * (rank() + 1));
        weft::alias_table<std::string> const table(mail, mine, 5);
        constexpr std::int64_t draws = 20'000;
        std::map<std::string, std::int64_t> counts;
        for (std::string const& each : of_all_ranks(table.sample(draws))) ++counts[each];
        double const all = static_cast<double>(draws * size());
        double chi = 0;
        int items = 0;
        double total = 0;
        for (int r = 0; r < size(); ++r)
            if (r != 1) total += 10 * (r + 1);
        EXPECT_DOUBLE_EQ(table.weight(), total);
        for (int r = 0; r < size(); ++r)
            for (int i = 0; r != 1 && i < 5; ++i) {
                std::int64_t const count = counts[std::to_string(r) + ":" + std::to_string(i)];
                double const expected = all * i * (r + 1) / total;
                if (i == 0) {
                    EXPECT_EQ(count, 0);
                    continue;
                }
                chi += (static_cast<double>(count) - expected) * (static_cast<double>(count) - expected) /
                       expected;
                ++items;
            }
        EXPECT_LT(chi, items + 6 * std::sqrt(2.0 * items)); // beyond it once in 10^6 tables
    });
}

TEST(alias_table, samplers_call_handlers_where_the_items_are) {
    for_some_ways([](weft::mailbox& mail) {
        weighted const mine{{std::to_string(rank()), rank() + 1.0}};
        weft::alias_table<std::string> table(mail, mine);
        std::int64_t calls = 0;
        std::int64_t sum = 0;
        auto const draw =
            table.sampler<int, std::string>([&](std::string const& item, int number, std::string_view text) {
                EXPECT_EQ(item, std::to_string(rank()));
                EXPECT_EQ(text, "text");
                ++calls;
                sum += number;
            });
        auto const touch = table.sampler([&](std::string const&) { ++calls; });
        for (int i = 0; i < 100; ++i) draw(i, "text");
        touch();
        mail.drain();
        EXPECT_EQ(weft::sum(world(), calls), 101 * size());
        EXPECT_EQ(weft::sum(world(), sum), 4950 * size());
    });
}

TEST(alias_table, a_seed_draws_the_same_again) {
    weft::mailbox mail(world());
    std::vector<std::pair<int, double>> mine;
    for (int i = 0; i < 50; ++i) mine.emplace_back(rank() * 50 + i, 1.0 / (i + 1));
    weft::alias_table<int> const a(mail, mine, 7);
    weft::alias_table<int> const b(mail, mine, 7);
    weft::alias_table<int> const c(mail, mine, 8);
    auto const drawn = a.sample(100);
    EXPECT_EQ(b.sample(100), drawn);
    EXPECT_NE(c.sample(100), drawn);
    EXPECT_EQ(std::ssize(a.sample(rank())), rank());
    EXPECT_EQ(a.local_size(), 50);
    EXPECT_THROW((void)a.sample(rank() == 0 ? -1 : 3), weft::usage_error);
    EXPECT_EQ(std::ssize(a.sample(2)), 2);
}

TEST(alias_table, weights_that_cannot_be_are_errors_on_all_ranks) {
    weft::mailbox mail(world());
    for (double const wrong :
        {-1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        weighted mine{{"a", 1}};
        if (rank() == size() - 1) mine.emplace_back("b", wrong);
        EXPECT_THROW(weft::alias_table<std::string>(mail, mine), weft::usage_error);
    }
    EXPECT_THROW(weft::alias_table<std::string>(mail, weighted{}), weft::usage_error);
    EXPECT_THROW(weft::alias_table<std::string>(mail, weighted{{"a", 0}}), weft::usage_error);
}

TEST(alias_draws, each_place_has_its_share_of_all_random_bits) {
    for (std::size_t n : {1, 2, 3, 10, 1000}) {
        auto chance = random(n);
        std::vector<double> weights(n);
        double total = 0;
        for (double& each : weights) total += each = static_cast<double>(chance() % 5);
        if (total == 0) total = weights[0] = 1;
        weft::detail::alias_draws const draws(weights);
        std::vector<double> share(n);
        constexpr std::uint64_t steps = 1 << 20; // evenly spaced bits
        for (std::uint64_t i = 0; i < steps; ++i) share[draws.place(i << 44 | 1U << 20)] += 1.0 / steps;
        for (std::size_t i = 0; i < n; ++i)
            EXPECT_NEAR(share[i], weights[i] / total, 2.0 * static_cast<double>(n) / steps);
    }
}

} // namespace
} // namespace weft_test
