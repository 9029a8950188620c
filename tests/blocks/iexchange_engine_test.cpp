/// The engine of iexchange under an adversary: whatever it delays and reorders, every message is offered
/// once, in its phase and in its order, and nobody leaves before all are done.
#include <blocks/iexchange_engine.hpp>

#include "iexchange_rig.hpp"

#include <weft/extend/transport/simulated_machine.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <random>
#include <utility>
#include <vector>

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

/// Two ranks that do not agree on where block 1 is, and how each phase ends.
class mistaken_pair final : public weft::block_executor {
public:
    explicit mistaken_pair(chooser& choices) : random_(choices.seed()), network_(2, choices, {}) {
        for (int rank = 0; rank < 2; ++rank) nodes_.emplace_back(rank, std::vector<int>{0, 0});
        for (int rank = 0; rank < 2; ++rank) {
            auto const at = static_cast<std::size_t>(rank);
            auto where = weft::assignment::by_table({0, rank == 1 ? 0 : 1}, 2);
            sides_.push_back(std::make_unique<side>(network_, nodes_[at], rank, std::move(where)));
            sides_[at]->turns_before = static_cast<int>(random_() % 2 * random_() % 50);
        }
    }
    /// Block 0 sends to block 1 and waits for an answer; how often the phase ended with an error.
    int run(chooser& choices) {
        int errors = 0;
        weft_test::schedule(network_, choices).run([&](int rank) {
            side& mine = *sides_[static_cast<std::size_t>(rank)];
            if (mine.turns_before-- > 0) return mine.mail.step();
            if (mine.turns_before == -1) mine.engine.begin(*this, {}, {});
            rank_ = rank;
            weft::progress const now = mine.engine.step();
            if (now != weft::progress::done) return now;
            try {
                mine.engine.end();
            } catch (weft::error const&) { ++errors; }
            return now;
        });
        return errors;
    }

    [[nodiscard]] bool accepts() const override { return !has_run_; }
    void begin(std::size_t place) override {
        weft::block_port<std::int64_t> port(sides_[static_cast<std::size_t>(rank_)]->local.at(place));
        if (!std::exchange(has_sent_, true)) port.send(weft::block_id{1}, 7);
        has_run_ = true;
        ran_ = place;
    }
    [[nodiscard]] bool next(weft::block_outcome& into) override {
        if (!std::exchange(has_run_, false)) return false;
        into = {.place = ran_, .over = true, .done = false};
        return true;
    }

private:
    struct side {
        side(
            weft_test::memory_network& network, weft::topology const& nodes, int rank, weft::assignment where)
            : mail(network.at(rank), {.nodes = &nodes,
                                         .sizes = weft::mail_sizes(nodes, weft::route::direct, 1, false),
                                         .memory = weft::shared_memory(),
                                         .tags = {4, 5, 6},
                                         .control_tag = 7}),
              local(where, rank,
                  std::vector<weft::link>(rank == 0 ? 1 : 0)), // the other is nowhere
              engine(network.at(rank), mail, local) {}

        weft::mail_engine mail;
        weft::detail::local_blocks local;
        weft::iexchange_engine engine;
        int turns_before = 0; ///< the phase
    };

    std::mt19937_64 random_;
    weft_test::memory_network network_;
    std::vector<weft::topology> nodes_;
    std::vector<std::unique_ptr<side>> sides_;
    int rank_ = 0;
    bool has_sent_ = false;
    bool has_run_ = false;
    std::size_t ran_ = 0;
};

/// One of two ranks of a simulated machine. Each of its blocks sends a number to the same block of the other
/// rank, which sends a smaller number back, until it is 0.
class opposite_blocks final : public weft::block_executor {
public:
    static constexpr int blocks = 64;

    opposite_blocks(weft::simulated_machine& machine, int rank, weft::short_wait wait)
        : machine_(machine),
          rank_(rank),
          nodes_(rank, std::vector<int>{0, 1}),
          mail_(machine.at(rank), {.nodes = &nodes_,
                                      .sizes = weft::mail_sizes(nodes_, weft::route::direct, 0, false),
                                      .memory = weft::shared_memory(),
                                      .tags = {0, 1, 2},
                                      .control_tag = 3}),
          local_(weft::assignment::contiguous(2 * blocks, 2), rank, std::vector<weft::link>(blocks)),
          engine_(machine.at(rank), mail_, local_, wait) {
        engine_.begin(*this, {}, {});
    }
    weft::progress step() {
        weft::progress const now = engine_.step();
        if (now == weft::progress::done) engine_.end();
        return now;
    }

    [[nodiscard]] bool accepts() const override { return !ran_; }
    void begin(std::size_t place) override {
        machine_.compute(rank_, rank_ == 0 ? 1e-6 : 1e-7); // at the slow rank messages meet
        weft::block_port<std::int64_t> port(local_.at(place));
        auto const opposite = static_cast<std::int64_t>(place) + (1 - rank_) * blocks;
        if (!std::exchange(begun_[place], true)) port.send(weft::block_id{opposite}, 20);
        for (weft::block_message<std::int64_t> got; port.take(got);)
            for (std::int64_t const item : got.items)
                if (item > 0) port.send(got.source, item - 1);
        ran_ = place;
    }
    [[nodiscard]] bool next(weft::block_outcome& into) override {
        if (!ran_) return false;
        into = {.place = *std::exchange(ran_, std::nullopt), .over = true};
        return true;
    }

private:
    weft::simulated_machine& machine_;
    int rank_;
    weft::topology nodes_;
    weft::mail_engine mail_;
    weft::detail::local_blocks local_;
    weft::iexchange_engine engine_;
    std::array<bool, blocks> begun_{};
    std::optional<std::size_t> ran_;
};

std::int64_t messages_of_opposite_blocks(weft::short_wait wait) {
    weft::simulated_machine machine(weft::built_in_machine(), 2);
    opposite_blocks first(machine, 0, wait);
    opposite_blocks second(machine, 1, wait);
    machine.run([&](int rank) { return (rank == 0 ? first : second).step(); });
    return machine.messages();
}

} // namespace

TEST(iexchange_engine, offers_every_message_once_in_its_phase_and_order) {
    for_seeds(300, [](chooser& choices) { run_drawn_iexchange(choices, [](auto&, auto&) {}); });
}

TEST(iexchange_engine, messages_that_wait_for_room_stay_in_their_order) {
    for_seeds(100, [](chooser& choices) {
        run_drawn_iexchange(choices, [](iexchange_plan& plan, auto&) {
            weft::mail_sizes& sizes = *plan.mail.sizes;
            sizes.wire_slot = 256;
            sizes.wire_bound = 256;
            sizes.pool_bytes = 0;
            sizes.spill_bound = 0;
            plan.options.queue_bytes = 64;
            plan.most_sends = 60;
        });
    });
}

TEST(iexchange_engine, callbacks_at_once_have_it_too) {
    for_seeds(200, [](chooser& choices) {
        run_drawn_iexchange(choices, [](iexchange_plan& plan, auto&) { plan.at_once = 0; });
    });
}

TEST(iexchange_engine, who_waits_for_an_answer_gets_it) {
    for_seeds(120, [](chooser& choices) {
        run_drawn_iexchange(choices, [](iexchange_plan& plan, auto&) {
            plan.asks = true;
            plan.options.max_hold = 0; // the clock of the network stands still while it has nothing to do
        });
    });
}

TEST(iexchange_engine, errors_of_callbacks_are_agreed_and_the_next_phase_works) {
    for_seeds(200, [](chooser& choices) {
        run_drawn_iexchange(choices, [](iexchange_plan& plan, auto& random) {
            plan.throws = 1 + static_cast<int>(random() % 30);
            plan.phases = 4;
        });
    });
}

TEST(iexchange_engine, an_error_stops_blocks_that_are_never_done) {
    for_seeds(150, [](chooser& choices) {
        run_drawn_iexchange(choices, [](iexchange_plan& plan, auto&) {
            plan.stubborn = plan.blocks() > 0;
            plan.phases = 4;
        });
    });
}

TEST(iexchange_engine, who_waits_for_room_does_not_wait_for_ever) {
    for_seeds(4, [](chooser& choices) {
        run_drawn_iexchange(choices, [](iexchange_plan& plan, auto&) {
            plan.mail.blocks = true;
            // Two slots of a ring may be on the stack, under handlers that wait.
            plan.mail.sizes->ring_slots = std::max(plan.mail.sizes->ring_slots, 3);
        });
    });
}

TEST(iexchange_engine, who_has_more_input_than_it_should_receives_no_more) {
    for_seeds(100, [](chooser& choices) {
        std::mt19937_64 random(choices.seed());
        iexchange_plan plan = drawn_iexchange(random);
        plan.mail.nodes.clear();
        int const node = static_cast<int>(random() % 2);
        for (int rank = 0; rank < 2; ++rank) plan.mail.nodes.emplace_back(rank, std::vector<int>{0, node});
        plan.where = weft::assignment::by_table({0, 1, 1, 1}, 2);
        plan.floods = true;
        plan.most_sends = 400;
        plan.phases = 1;
        plan.at_once = random() % 2; // rank 1 is slow, or flushes
        plan.options.queue_bytes = 1000;
        weft::mail_sizes& sizes = *plan.mail.sizes;
        sizes.ring_slots = std::min(sizes.ring_slots, 4);
        sizes.ring_slot = sizes.wire_slot = 512;
        // And what comes at once: the buffers that are there when this rank looks.
        run_iexchange(plan, choices, adversary::drawn(random), 1000 + 3 * 512);
    });
}

TEST(iexchange_engine, mail_for_a_block_that_is_not_there_is_an_error_and_not_a_wait) {
    for_seeds(300, [](chooser& choices) {
        mistaken_pair both(choices);
        EXPECT_EQ(both.run(choices), 2);
    });
}

TEST(iexchange_engine, buffers_wait_for_callbacks_that_have_input) {
    for_seeds(1, [](chooser&) {
        std::int64_t const each = messages_of_opposite_blocks({});
        EXPECT_GE(each, 2 * 21); // some callbacks find the input of several messages
        EXPECT_LT(2 * messages_of_opposite_blocks({1000, 1e-4}), each);
    });
}

TEST(iexchange_engine, full_and_late_buffers_do_not_wait) {
    std::int64_t const each = messages_of_opposite_blocks({});
    EXPECT_EQ(messages_of_opposite_blocks({1, 1e-5}), each);
    EXPECT_EQ(messages_of_opposite_blocks({1000, 1e-8}), each); // less than a callback takes
}
