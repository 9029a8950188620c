/// The engine of iexchange under an adversary: whatever it delays and reorders, every message is offered
/// once, in its phase and in its order, and nobody leaves before all are done.
#include <weft/blocks/iexchange_engine.hpp>

#include "iexchange_rig.hpp"

#include <algorithm>

using weft_test::adversary;
using weft_test::chooser;
using weft_test::drawn_iexchange;
using weft_test::for_seeds;
using weft_test::iexchange_plan;
using weft_test::run_iexchange;

namespace {

/// Draws a plan, lets `change(plan, random)` make it what is tested, and runs it.
template <class Change>
void run_drawn_iexchange(chooser& choices, Change&& change) {
    std::mt19937_64 random(choices.seed());
    iexchange_plan plan = drawn_iexchange(random);
    change(plan, random);
    run_iexchange(plan, choices, adversary::drawn(random));
}

} // namespace

TEST(iexchange_engine, offers_every_message_once_in_its_phase_and_order) {
    for_seeds(1000, [](chooser& choices) { run_drawn_iexchange(choices, [](auto&, auto&) {}); });
}

TEST(iexchange_engine, callbacks_at_once_have_it_too) {
    for_seeds(500, [](chooser& choices) {
        run_drawn_iexchange(choices, [](iexchange_plan& plan, auto&) { plan.at_once = 0; });
    });
}

TEST(iexchange_engine, who_waits_for_an_answer_gets_it) {
    for_seeds(500, [](chooser& choices) {
        run_drawn_iexchange(choices, [](iexchange_plan& plan, auto&) {
            plan.asks = true;
            plan.options.max_hold = 0; // the clock of the network stands still while it has nothing to do
        });
    });
}

TEST(iexchange_engine, errors_of_callbacks_are_agreed_and_the_next_phase_works) {
    for_seeds(500, [](chooser& choices) {
        run_drawn_iexchange(choices, [](iexchange_plan& plan, auto& random) {
            plan.throws = 1 + static_cast<int>(random() % 30);
            plan.phases = 4;
        });
    });
}

TEST(iexchange_engine, an_error_stops_blocks_that_are_never_done) {
    for_seeds(300, [](chooser& choices) {
        run_drawn_iexchange(choices, [](iexchange_plan& plan, auto&) {
            plan.stubborn = plan.blocks() > 0;
            plan.phases = 4;
        });
    });
}

TEST(iexchange_engine, who_waits_for_room_does_not_wait_for_ever) {
    for_seeds(60, [](chooser& choices) {
        run_drawn_iexchange(choices, [](iexchange_plan& plan, auto&) {
            plan.mail.blocks = true;
            // Two slots of a ring may be on the stack, under handlers that wait.
            plan.mail.sizes->ring_slots = std::max(plan.mail.sizes->ring_slots, 3);
        });
    });
}
