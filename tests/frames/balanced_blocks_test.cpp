#include <weft/frames/balanced_blocks.hpp>

#include <weft/core/error.hpp>

#include <frames/id_weights.hpp>
#include <frames/splitters.hpp>

#include <harness/mpi_test.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

using weft::global_id;
using weft_test::rank;
using weft_test::size;
using weft_test::world;

namespace {

using weights_by_id = std::map<global_id, double>;

/// The heaviest of at most `blocks` contiguous blocks at best, by probes; weights are whole.
double best_load(weights_by_id const& weights, int blocks) {
    double low = 0;
    double high = 0;
    for (auto const& [id, weight] : weights) {
        low = std::max(low, weight);
        high += weight;
    }
    low = std::max(low, std::ceil(high / blocks));
    while (low < high) {
        double const load = std::floor((low + high) / 2);
        int used = 1;
        double room = load;
        for (auto const& [id, weight] : weights) {
            if (weight > room) {
                ++used;
                room = load;
            }
            room -= weight;
        }
        (used <= blocks ? high : low) = used <= blocks ? load : load + 1;
    }
    return low;
}

double load_of(weft::block_distribution const& blocks, weights_by_id const& weights) {
    std::vector<double> loads(static_cast<std::size_t>(blocks.parts()));
    for (auto const& [id, weight] : weights) loads[static_cast<std::size_t>(blocks.owner(id))] += weight;
    return *std::ranges::max_element(loads);
}

/// Items of a kind, the same on all ranks whatever their number.
std::vector<std::pair<global_id, double>> items_of(std::string const& kind) {
    std::mt19937_64 random(17);
    std::vector<std::pair<global_id, double>> items;
    auto const whole = [](double weight) { return std::floor(weight); };
    for (int i = 0; i < 5000; ++i) {
        double const u = static_cast<double>(random() >> 11) * 0x1p-53;
        if (kind == "uniform") items.emplace_back(i, 1);
        if (kind == "spike") items.emplace_back(i, i == 1234 ? 100'000 : 1);
        if (kind == "zipf") items.emplace_back(random() % 5000, whole(1e6 / (i + 1)) + 1);
        if (kind == "clusters")
            items.emplace_back((std::int64_t{1} << 60) / 7 * static_cast<std::int64_t>(random() % 7) +
                                   static_cast<std::int64_t>(std::pow(2, 40 * u)),
                whole(10 * u));
        if (kind == "few heavy") items.emplace_back(random() % 13 * 1'000'000'007, whole(1000 * u));
        if (kind == "drift") items.emplace_back(i * 3, i < 2500 ? 104 : 96);
        if (kind == "one id") items.emplace_back(77, 1);
    }
    return items;
}

/// Every rank has its share of the items, in two parts, the second backwards.
struct dealt_items {
    std::vector<std::vector<global_id>> ids{2};
    std::vector<std::vector<double>> weights{2};
    weights_by_id all;

    explicit dealt_items(std::vector<std::pair<global_id, double>> const& items) {
        for (std::size_t i = 0; i < items.size(); ++i) {
            all[items[i].first] += items[i].second;
            if (static_cast<int>(i * 7 % 11) % size() != rank()) continue;
            ids[i % 2].push_back(items[i].first);
            weights[i % 2].push_back(items[i].second);
        }
        std::ranges::reverse(ids[1]);
        std::ranges::reverse(weights[1]);
    }
};

} // namespace

class balance_kinds : public testing::TestWithParam<std::string> {};

TEST_P(balance_kinds, reach_the_tolerance_or_come_within_an_item_of_the_best) {
    dealt_items const mine(items_of(GetParam()));
    double total = 0;
    double heaviest = 0;
    for (auto const& [id, weight] : mine.all) {
        total += weight;
        heaviest = std::max(heaviest, weight);
    }
    double const average = total / size();
    for (double const tolerance : {0.1, 0.01}) {
        auto const found = weft::balance_blocks(world(), mine.ids, mine.weights, {.tolerance = tolerance});
        EXPECT_LE(found.reductions, 6);
        EXPECT_EQ(found.blocks.parts(), size());
        double const load = load_of(found.blocks, mine.all);
        EXPECT_NEAR(found.imbalance, load / average - 1, 1e-9);
        double const best = best_load(mine.all, size());
        double const allowed =
            best <= average * (1 + tolerance) ? average * (1 + tolerance) : best + heaviest;
        EXPECT_LE(load, allowed * (1 + 1e-9));
    }
}

INSTANTIATE_TEST_SUITE_P(all, balance_kinds,
    testing::Values("uniform", "spike", "zipf", "clusters", "few heavy", "drift", "one id"),
    [](auto const& kind) {
        std::string name = kind.param;
        std::ranges::replace(name, ' ', '_');
        return name;
    });

TEST(balanced_blocks, random_weights_against_the_oracle) {
    auto random = weft_test::random();
    for (int round = 0; round < 30; ++round) {
        std::vector<std::pair<global_id, double>> items;
        auto const range = std::uint64_t{1} << (random() % 50);
        auto const heavy = random() % 1000 + 1;
        for (auto count = random() % 60; count > 0; --count)
            items.emplace_back(random() % range, static_cast<double>(random() % heavy));
        dealt_items const mine(items);
        auto const found = weft::balance_blocks(world(), mine.ids, mine.weights, {.tolerance = 0.05});
        double total = 0;
        double heaviest = 0;
        for (auto const& [id, weight] : mine.all) {
            total += weight;
            heaviest = std::max(heaviest, weight);
        }
        if (total == 0) continue;
        double const best = best_load(mine.all, size());
        double const even = total / size() * 1.05;
        EXPECT_LE(load_of(found.blocks, mine.all), (best <= even ? even : best + heaviest) * (1 + 1e-9))
            << "round " << round;
    }
}

TEST(balanced_blocks, without_weights_each_item_counts_one) {
    dealt_items const mine(items_of("zipf"));
    weights_by_id counts;
    for (auto const& [id, weight] : items_of("zipf")) counts[id] += 1;
    auto const found = weft::balance_blocks(world(), mine.ids);
    EXPECT_LE(load_of(found.blocks, counts), 5000.0 / size() * 1.1);
}

TEST(balanced_blocks, the_same_bounds_for_any_dealing) {
    auto const items = items_of("clusters");
    dealt_items const mine(items);
    auto const dealt = weft::balance_blocks(world(), mine.ids, mine.weights);
    std::vector<global_id> ids; // all on the last rank
    std::vector<double> weights;
    if (rank() == size() - 1)
        for (auto const& [id, weight] : items) {
            ids.push_back(id);
            weights.push_back(weight);
        }
    auto const one = weft::balance_blocks(world(), ids, weights);
    EXPECT_EQ(dealt.blocks, one.blocks);
    EXPECT_EQ(dealt.imbalance, one.imbalance);
}

TEST(balanced_blocks, nothing_weighs_nothing) {
    auto const empty = weft::balance_blocks(world(), weft::parts_view<global_id>());
    EXPECT_EQ(empty.blocks.total(), 0);
    EXPECT_EQ(empty.blocks.parts(), size());
    std::vector<global_id> const ids{3, 9};
    auto const weightless = weft::balance_blocks(world(), ids, std::vector<double>{0, 0});
    EXPECT_EQ(weightless.blocks.total(), 10);
    EXPECT_EQ(weightless.imbalance, 0);
    EXPECT_EQ(weft::balance_blocks(world(), ids, {.total = 1000}).blocks.total(), 1000);
}

TEST(balanced_blocks, a_rank_may_have_a_share_of_its_own) {
    dealt_items const mine(items_of("uniform"));
    bool const odd = rank() % 2 == 1;
    auto const found = weft::balance_blocks(
        world(), mine.ids, mine.weights, {.tolerance = 0.02, .share = odd ? 0.0 : 1.0 + rank()});
    EXPECT_LE(found.imbalance, 0.02);
    for (int each = 1; each < size(); each += 2) EXPECT_EQ(found.blocks.size(each), 0);
}

TEST(balanced_blocks, what_is_wrong_on_one_rank_is_an_error_on_all) {
    bool const last = rank() == size() - 1;
    std::vector<global_id> const ids{1, 2, last ? -4 : 3};
    std::vector<double> const weights{1, last ? -1.0 : 2.0, 1};
    std::vector<global_id> const good{1, 2, 3};
    std::string const at = "of part 0 on rank " + std::to_string(size() - 1);
    auto const text_of = [](auto&& call) -> std::string {
        try {
            call();
        } catch (weft::usage_error const& error) { return error.what(); }
        return "nothing was thrown";
    };
    EXPECT_NE(text_of([&] { (void)weft::balance_blocks(world(), ids); }).find("position 2 " + at),
        std::string::npos);
    EXPECT_NE(text_of([&] { (void)weft::balance_blocks(world(), good, weights); }).find("position 1 " + at),
        std::string::npos);
    EXPECT_THROW(
        (void)weft::balance_blocks(world(), good, std::vector<double>(last ? 2 : 3, 1.0)), weft::usage_error);
    EXPECT_THROW((void)weft::balance_blocks(world(), good, {.total = last ? 3 : 4}), weft::usage_error);
    EXPECT_THROW((void)weft::balance_blocks(world(), good, {.share = 0}), weft::usage_error);
    EXPECT_EQ(weft::balance_blocks(world(), good).blocks.total(), 4);
}

TEST(balanced_blocks, splitters_of_4800_ranks) {
    if (rank() != 0) return;
    std::mt19937_64 random(3);
    constexpr int ranks = 4800;
    constexpr int count = 1'000'000;
    for (std::string const kind : {"uniform", "spike", "zipf", "clusters"}) {
        std::vector<global_id> ids(count);
        std::vector<double> weights(count, 1);
        for (std::size_t i = 0; i < count; ++i) {
            ids[i] = kind == "clusters" ? static_cast<global_id>(random() % 9 << 36) +
                                              static_cast<global_id>(random() % 300'000)
                                        : static_cast<global_id>(i * 2880);
            if (kind == "spike" && i == 4321) weights[i] = 2 * count;
            if (kind == "zipf") weights[i] = std::floor(2e6 / static_cast<double>(1 + i * 7919 % count)) + 1;
        }
        weft::parts_view<double> const weight_view(weights);
        weft::id_weights const all(ids, &weight_view, 0);
        weft::splitter_search search(0, std::int64_t{10} << 36, all.total(), std::vector<double>(ranks, 1));
        int rounds = 0;
        std::size_t words = 0;
        for (; rounds < 6; ++rounds) {
            auto const points = search.open_points(32, 0.1, 6 - rounds);
            if (points.empty()) break;
            std::vector<std::int64_t> below(points.size());
            all.below(points, below);
            search.add(points, below);
            words = std::max(words, points.size());
        }
        EXPECT_LE(words, 2'000'000U);
        double const average = static_cast<double>(all.total()) / ranks;
        double heaviest = 0;
        for (double const weight : weights) heaviest = std::max(heaviest, weight);
        double const imbalance = search.best(0.1).imbalance;
        EXPECT_LE(imbalance, std::max(0.1, heaviest / average)) << kind;
        EXPECT_LE(imbalance, kind == "uniform" || kind == "clusters" ? 0.1 : INFINITY) << kind;
    }
}

TEST(balanced_blocks, shares_whose_sum_is_no_double) {
    std::vector<weft::global_id> ids(40);
    std::iota(ids.begin(), ids.end(), 40 * rank());
    for (double const share : {1.5e308, 1.0, 5e-324}) {
        auto const found = weft::balance_blocks(world(), ids, {.share = share});
        for (int each = 0; each < size(); ++each) EXPECT_NEAR(found.blocks.size(each), 40, 5) << share;
        EXPECT_EQ(weft::block_distribution::by_shares(world(), 40 * size(), share).size(rank()), 40) << share;
    }
}

TEST(balanced_blocks, options_that_differ_are_an_error_on_all_ranks) {
    if (size() == 1) return;
    std::vector<weft::global_id> const ids{1, 2, 3};
    bool const last = rank() == size() - 1;
    std::vector<weft::balance_options> wrong(4);
    if (last) {
        wrong[0].tolerance = 0.2;
        wrong[1].buckets = 16;
        wrong[2].reductions = 2;
        wrong[3].total = 10;
    }
    for (weft::balance_options const& options : wrong)
        EXPECT_THROW((void)weft::balance_blocks(world(), ids, options), weft::usage_error);
    EXPECT_EQ(weft::balance_blocks(world(), ids, {.share = last ? 2.0 : 1.0}).blocks.total(), 4);
}
