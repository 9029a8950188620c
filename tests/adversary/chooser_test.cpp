/// Choices: random ones by seed, and all of them in turn.
#include "runs.hpp"

#include <set>
#include <vector>

using weft_test::choice_tree;
using weft_test::chooser;
using weft_test::for_choices;

namespace {

/// What follows depends on what was chosen: 0 ends the run, 1 goes on to two choices of two, 2 to one of
/// three.
std::vector<std::size_t> toy_run(chooser& choices) {
    std::vector<std::size_t> taken{choices.pick("way", 3)};
    if (taken[0] == 1) {
        taken.push_back(choices.pick("left", 2));
        taken.push_back(choices.happens("right", 0.1) ? 1 : 0);
    }
    if (taken[0] == 2) taken.push_back(choices.pick("colour", 3));
    (void)choices.pick("nothing to choose", 1);
    return taken;
}

} // namespace

TEST(chooser, enumerates_every_sequence_of_choices_exactly_once) {
    choice_tree tree(100);
    std::vector<std::vector<std::size_t>> seen;
    do {
        chooser choices(1, &tree);
        seen.push_back(toy_run(choices));
    } while (tree.advance());
    std::vector<std::vector<std::size_t>> const all{
        {0}, {1, 0, 0}, {1, 0, 1}, {1, 1, 0}, {1, 1, 1}, {2, 0}, {2, 1}, {2, 2}};
    EXPECT_EQ(seen, all);
}

TEST(chooser, enumerates_a_stretch_and_leaves_the_rest_to_chance) {
    choice_tree tree(2, 3); // the points 3 and 4
    std::vector<std::pair<std::size_t, std::size_t>> inside;
    std::set<std::vector<std::size_t>> before;
    std::set<std::vector<std::size_t>> after;
    do {
        chooser choices(7, &tree);
        std::vector<std::size_t> taken;
        for (int i = 0; i < 9; ++i) taken.push_back(choices.pick("any", 4));
        before.insert({taken.begin(), taken.begin() + 3});
        inside.emplace_back(taken[3], taken[4]);
        after.insert({taken.begin() + 5, taken.end()});
    } while (tree.advance());
    EXPECT_EQ(inside.size(), 16u);
    EXPECT_EQ(std::set(inside.begin(), inside.end()).size(), 16u);
    EXPECT_EQ(before.size(), 1u);
    EXPECT_EQ(after.size(), 1u);
}

TEST(chooser, complains_of_a_run_that_differs_for_the_same_choices) {
    choice_tree tree(10);
    chooser first(1, &tree);
    (void)first.pick("a", 2);
    (void)first.pick("b", 2);
    ASSERT_TRUE(tree.advance());
    chooser second(1, &tree);
    EXPECT_THROW((void)second.pick("a", 3), std::logic_error);
}

TEST(chooser, random_choices_follow_the_seed_and_their_chance) {
    auto const drawn = [](std::uint64_t seed) {
        chooser choices(seed);
        std::vector<std::size_t> all;
        for (int i = 0; i < 50; ++i) all.push_back(choices.pick("any", 10));
        return all;
    };
    EXPECT_EQ(drawn(3), drawn(3));
    EXPECT_NE(drawn(3), drawn(4));
    chooser choices(5);
    std::vector<int> count(10, 0);
    int yes = 0;
    for (int i = 0; i < 10'000; ++i) {
        ++count[choices.pick("any", 10)];
        yes += choices.happens("rare", 0.1) ? 1 : 0;
    }
    for (int const each : count) EXPECT_NEAR(each, 1000, 150);
    EXPECT_NEAR(yes, 1000, 150);
    EXPECT_FALSE(choices.happens("never", 0));
}

TEST(chooser, neighbouring_seeds_have_nothing_in_common) {
    // The seeds of neighbouring runs differ by the step of the generator.
    constexpr std::uint64_t step = 0x9E3779B97F4A7C15ull;
    chooser one(42);
    chooser next(42 + step);
    (void)one.pick("any", 1'000'000);
    EXPECT_NE(one.pick("any", 1'000'000), next.pick("any", 1'000'000));
}

TEST(chooser, tells_the_trace_what_is_chosen) {
    weft_test::run_trace trace;
    chooser choices(1, nullptr, &trace);
    (void)choices.pick("which rank steps", 1000);
    choices.tell([] { return "rank 7 steps"; });
    EXPECT_EQ(trace.count(), 2);
    EXPECT_EQ(trace.lines().find("1: choice: which rank steps: "), 0u) << trace.lines();
    EXPECT_NE(trace.lines().find("\n2: rank 7 steps\n"), std::string::npos) << trace.lines();
}

TEST(runs, a_search_takes_every_sequence_of_every_stretch_or_as_many_as_it_may) {
    auto const body = [](chooser& choices) {
        for (int i = 0; i < 8; ++i) (void)choices.pick("any", 2);
    };
    if (weft_test::rank() == 0) {
        EXPECT_EQ(for_choices({.depth = 8}, body), 256);
        EXPECT_EQ(for_choices({.depth = 8, .most = 100}, body), 100);
    }
    if (weft_test::size() == 1) { EXPECT_EQ(for_choices({.depth = 4, .stretches = 3}, body), 16 + 16 + 1); }
}

TEST(runs, seeds_are_dealt_out_over_the_ranks) {
    std::set<std::uint64_t> seen;
    weft_test::for_seeds(10, [&](chooser& choices) { seen.insert(choices.seed()); });
    EXPECT_LE(seen.size(), std::size_t(10));
}
