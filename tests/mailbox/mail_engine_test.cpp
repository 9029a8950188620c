/// The engine of the mailbox under an adversary: whatever it delays and reorders, every message is handled
/// once, in its phase and in its order, and nobody leaves before.
#include <weft/mailbox/mail_engine.hpp>

#include "mail_engine_rig.hpp"

using weft::progress;
using weft_test::adversary;
using weft_test::chooser;
using weft_test::drawn_plan;
using weft_test::for_choices;
using weft_test::for_seeds;
using weft_test::mail_plan;
using weft_test::memory_network;
using weft_test::run_mail;

namespace {

/// Draws a plan, lets `change(plan, random)` make it what is tested, and runs it.
template <class Change>
void run_drawn(chooser& choices, Change&& change) {
    std::mt19937_64 random(choices.seed());
    int const ranks = 1 + static_cast<int>(random() % 7);
    mail_plan plan = drawn_plan(ranks, random);
    change(plan, random);
    run_mail(plan, choices, adversary::drawn(random));
}

/// All choices of the adversary for two ranks that send a message or two, and one more because of each.
void search_small_cases(std::vector<int> const& node_of, bool shared) {
    mail_plan plan;
    for (int rank = 0; rank < 2; ++rank) plan.nodes.emplace_back(rank, node_of);
    plan.shared = shared;
    plan.sizes.emplace(plan.nodes[0], plan.how, 1, shared);
    plan.sizes->ring_slots = 2;
    plan.most_sends = 2;
    plan.hops = 1;
    plan.phases = 2;
    for_choices({.depth = 10, .stretches = 8, .most = 1500},
        [&](chooser& choices) { run_mail(plan, choices, {.denial = 0.2, .eager = 0.5}); });
}

} // namespace

TEST(mail_engine, handles_every_message_once_in_its_phase_and_order) {
    for_seeds(1500, [](chooser& choices) {
        run_drawn(choices, [](mail_plan& plan, auto& random) { plan.polls = random() % 4 == 0; });
    });
}

TEST(mail_engine, trees_of_messages_end) {
    for_seeds(500, [](chooser& choices) {
        run_drawn(choices, [](mail_plan& plan, auto& random) {
            plan.hops = 4;
            plan.polls = random() % 2 == 0;
            plan.phases = 2;
        });
    });
}

TEST(mail_engine, queues_of_the_application_are_empty_at_the_end) {
    for_seeds(500, [](chooser& choices) {
        run_drawn(choices, [](mail_plan& plan, auto&) {
            plan.queues = true;
            plan.hops = 3;
        });
    });
}

TEST(mail_engine, errors_of_handlers_are_agreed_and_the_next_phase_works) {
    for_seeds(700, [](chooser& choices) {
        run_drawn(choices, [](mail_plan& plan, auto& random) {
            plan.throws = 1 + static_cast<int>(random() % 30);
            plan.phases = 4;
        });
    });
}

TEST(mail_engine, phases_without_messages_are_a_wave_each) {
    for_seeds(300, [](chooser& choices) {
        run_drawn(choices, [](mail_plan& plan, auto&) {
            plan.most_sends = 0;
            plan.phases = 6;
        });
    });
}

TEST(mail_engine, all_choices_of_two_ranks_of_a_node) {
    search_small_cases({0, 0}, true);
}

TEST(mail_engine, all_choices_of_two_ranks_without_shared_memory) {
    search_small_cases({0, 0}, false);
}

TEST(mail_engine, all_choices_of_two_nodes) {
    search_small_cases({0, 1}, true);
}
