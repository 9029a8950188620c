/// The engines that all others rest on, as models of which every state is looked at; and broken copies of the
/// models, which must be found out.
#include "census_model.hpp"
#include "epoch_model.hpp"
#include "model_checker.hpp"
#include "order_model.hpp"
#include "termination_model.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>

using weft_test::census_fault;
using weft_test::census_model;
using weft_test::check_all_states;
using weft_test::epoch_fault;
using weft_test::epoch_model;
using weft_test::order_fault;
using weft_test::order_model;
using weft_test::termination_fault;
using weft_test::termination_model;

namespace {

template <class Model>
void expect_right(Model const& model) {
    auto const found = check_all_states(model);
    EXPECT_EQ(found.wrong, "") << found.history;
    EXPECT_TRUE(found.is_complete);
    EXPECT_GE(found.ends, 1);
    std::printf("%lld states, %lld steps\n", static_cast<long long>(found.states),
        static_cast<long long>(found.steps));
}

template <class Model>
void expect_wrong(Model const& model, char const* complaint) {
    EXPECT_EQ(check_all_states(model).wrong, complaint);
}

/// A counter that is stuck, goes round, or is too large, if it can be.
struct toy_model {
    using state = std::uint8_t;

    int from = 0;
    int to = 0;
    int last = 9;

    [[nodiscard]] state initial() const { return 0; }
    template <class Emit>
    void each_next(state now, Emit&& emit) const {
        if (now < last) emit("up", static_cast<state>(now + 1));
        if (now == from && from != to) emit("aside", static_cast<state>(to));
        if (now == 20) emit("round", state{21});
        if (now == 21) emit("round", state{20});
    }
    [[nodiscard]] std::string complaint(state now) const { return now == 30 ? "30" : ""; }
    [[nodiscard]] bool is_over(state now) const { return now == last; }
    [[nodiscard]] state canonical(state of) const { return of; }
};

} // namespace

TEST(model_checker, finds_complaints_with_a_shortest_history_dead_ends_and_circles) {
    auto const right = check_all_states(toy_model{});
    EXPECT_EQ(right.wrong, "");
    EXPECT_EQ(right.states, 10);
    EXPECT_EQ(right.steps, 9);
    EXPECT_EQ(right.ends, 1);
    auto const wrong = check_all_states(toy_model{2, 30});
    EXPECT_EQ(wrong.wrong, "30");
    EXPECT_EQ(wrong.history, "up\nup\naside\n");
    expect_wrong(toy_model{3, 40}, "nothing can happen any more, and it is not over");
    expect_wrong(toy_model{3, 20}, "no end can be reached from here");
    EXPECT_FALSE(check_all_states(toy_model{}, 5).is_complete);
}

TEST(models, a_census_releases_no_rank_early_and_counts_each_once) {
    for (int ranks = 2; ranks <= 6; ++ranks)
        for (bool const synchronous : {false, true}) expect_right(census_model{ranks, synchronous});
}

TEST(models, broken_censuses_are_found) {
    for (int ranks = 2; ranks <= 4; ++ranks)
        expect_wrong(census_model{ranks, false, census_fault::leaves_a_round_early},
            "a rank leaves before all have entered");
    // With a power of two there is one window.
    for (int const ranks : {3, 5, 6, 7}) {
        expect_wrong(
            census_model{ranks, false, census_fault::drops_a_contribution}, "a rank is not counted once");
        expect_wrong(
            census_model{ranks, false, census_fault::keeps_one_window}, "a rank is not counted once");
    }
    // With 3 ranks a link never has two messages.
    for (int const ranks : {2, 4})
        expect_wrong(census_model{ranks, false, census_fault::takes_the_newest},
            "a message of another census is heard");
}

TEST(models, epochs_never_mix) {
    for (int ranks = 2; ranks <= 4; ++ranks) expect_right(epoch_model{ranks, 2, 4});
    for (int ranks = 2; ranks <= 3; ++ranks) expect_right(epoch_model{ranks, 4, 5});
}

TEST(models, broken_epochs_are_found) {
    for (int ranks = 2; ranks <= 3; ++ranks) {
        expect_wrong(epoch_model{ranks, 2, 3, epoch_fault::takes_the_whole_window},
            "a message is received in another epoch");
        expect_wrong(epoch_model{ranks, 2, 3, epoch_fault::completes_alone},
            "an exchange completes without a message");
        expect_wrong(
            epoch_model{ranks, 2, 3, epoch_fault::sends_standard}, "an exchange completes without a message");
    }
}

/// Messages of programs in the first and in the second phase.
TEST(models, a_phase_ends_when_all_is_handled) {
    expect_right(termination_model{2, {2, 1}});
    expect_right(termination_model{3, {1, 1}});
    expect_right(termination_model{4, {1, 0}});
    expect_right(termination_model{4, {0, 1}});
}

TEST(models, broken_terminations_are_found) {
    char const* const early = "a rank ends its phase before a message of it was handled";
    for (int ranks = 2; ranks <= 4; ++ranks) {
        expect_wrong(termination_model{ranks, {1, 0}, termination_fault::remembers_what_was_sent}, early);
        expect_wrong(termination_model{ranks, {1, 0}, termination_fault::forgets_what_handlers_send}, early);
    }
    for (int ranks = 2; ranks <= 3; ++ranks)
        expect_wrong(termination_model{ranks, {2, 0}, termination_fault::compares_one_wave}, early);
}

TEST(models, messages_of_a_pair_stay_in_order) {
    for (int ranks = 2; ranks <= 4; ++ranks)
        for (bool const hops : {false, true})
            for (int const limit : {0, 1, 2}) expect_right(order_model{ranks, hops, 3, limit});
}

TEST(models, broken_orders_are_found) {
    for (int ranks = 2; ranks <= 4; ++ranks) {
        expect_wrong(order_model{ranks, false, 3, 1, order_fault::overtakes_long_messages},
            "a message overtakes another of its pair");
        expect_wrong(order_model{ranks, false, 3, 0, order_fault::asks_within_the_limit_only},
            "nothing can happen any more, and it is not over");
    }
    for (int ranks = 3; ranks <= 4; ++ranks)
        expect_wrong(order_model{ranks, true, 3, 1, order_fault::passes_on_the_newest},
            "a message overtakes another of its pair");
}
