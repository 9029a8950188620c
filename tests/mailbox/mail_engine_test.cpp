/// The engine of the mailbox under an adversary: whatever it delays and reorders, every message is handled
/// once, in its phase and in its order, and nobody leaves before.
#include <weft/extend/mailbox/mail_engine.hpp>

#include "mail_engine_rig.hpp"

#include <algorithm>
#include <array>

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

/// Two ranks with engines that can be used in wrong ways.
struct two_engines {
    struct counts_items {
        int* to;
        void operator()(std::int64_t) const { ++*to; }
    };
    class channel final : public weft::detail::item_receiver<std::int64_t, counts_items> {
    public:
        using item_receiver::item_receiver;
        void handle_long(int source, std::span<std::byte const> message) override {
            (void)handle(source, message.first(sizeof(std::int64_t)));
        }
    };

    struct side {
        side(memory_network& network, weft::topology const& nodes, int rank, bool shared)
            : mail(network.at(rank), setup(network, nodes, rank, shared)) {}
        void add_channel(std::uint64_t type_print = 1) {
            made.push_back(std::make_unique<channel>(counts_items{&handled}));
            made.back()->type_print = type_print;
            (void)mail.add(*made.back());
        }
        void send(int destination, int number) {
            weft::channel<std::int64_t>(mail, number).send(destination, 7);
        }
        /// Longer than a run: travels as it is.
        void send_long(int destination, int number) {
            mail.send_long(destination, number, std::vector<std::byte>(3 * mail.longest_item()));
        }
        static weft::mail_setup setup(
            memory_network& network, weft::topology const& nodes, int rank, bool shared) {
            weft::mail_sizes const sizes(nodes, weft::route::direct, 1, shared);
            weft::shared_memory memory;
            if (shared) memory = network.at(rank).share(nodes, sizes.shared_bytes());
            return {.nodes = &nodes,
                .sizes = sizes,
                .memory = std::move(memory),
                .tags = {4, 5, 6},
                .control_tag = 7,
                .long_tag = 8,
                .long_bytes = 1};
        }

        std::vector<std::unique_ptr<channel>> made;
        weft::mail_engine mail;
        int handled = 0;
    };

    explicit two_engines(chooser& choices) : random(choices.seed()), network(2, choices, {}) {
        bool const shared = random() % 3 == 0;
        std::vector<int> const node_of{0, random() % 3 == 0 ? 1 : 0};
        for (int rank = 0; rank < 2; ++rank) nodes.emplace_back(rank, node_of);
        for (int rank = 0; rank < 2; ++rank)
            sides.push_back(
                std::make_unique<side>(network, nodes[static_cast<std::size_t>(rank)], rank, shared));
    }
    [[nodiscard]] side& at(int rank) { return *sides[static_cast<std::size_t>(rank)]; }

    /// Drains; what `begin_next_phase` throws on each rank goes to `thrown`.
    template <class Thrown>
    void drain(chooser& choices, Thrown&& thrown) {
        weft_test::schedule(network, choices).run([&](int rank) {
            weft::mail_engine& mail = at(rank).mail;
            mail.set_drains(true);
            progress const now = mail.step();
            if (!mail.is_quiet()) return now;
            mail.set_drains(false);
            try {
                mail.begin_next_phase();
            } catch (std::exception const& what) { thrown(rank, what); }
            return progress::done;
        });
    }

    std::mt19937_64 random;
    memory_network network;
    std::vector<weft::topology> nodes;
    std::vector<std::unique_ptr<side>> sides;
};

} // namespace

TEST(mail_engine, ranks_beyond_the_cursors_share_them) {
    for (int const ranks : {1, 4, 5, 300}) {
        chooser choices(1);
        memory_network network(ranks, choices, {});
        weft::topology const nodes(0, std::vector<int>(static_cast<std::size_t>(ranks)));
        weft::mail_engine const mail(
            network.at(0), {.nodes = &nodes, .sizes = {nodes, weft::route::direct, 1, false}, .cursors = 4});
        EXPECT_EQ(mail.own_cursors(), ranks <= 4 ? static_cast<unsigned>(ranks) : 0U);
        if (ranks > 4) { EXPECT_EQ(&mail.cursor_at(0), &mail.cursor_at(4)); }
        EXPECT_LE(&mail.cursor_at(static_cast<std::size_t>(ranks) - 1) - mail.cursors(), 3);
    }
}

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

TEST(mail_engine, senders_that_block_do_not_wait_for_each_other_for_ever) {
    for_seeds(60, [](chooser& choices) {
        run_drawn(choices, [](mail_plan& plan, auto& random) {
            plan.blocks = true;
            // Two slots of a ring may be on the stack, under handlers that wait.
            plan.sizes->ring_slots = std::max(plan.sizes->ring_slots, 3);
            plan.most_sends = 40;
            plan.phases = 2;
            plan.hops = std::array{0, 2}[random() % 2];
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

TEST(mail_engine, a_channel_that_some_ranks_lack_is_an_error_everywhere) {
    for_seeds(300, [](chooser& choices) {
        two_engines both(choices);
        both.at(0).add_channel();
        both.at(1).add_channel();
        both.at(0).add_channel();
        int const long_one = static_cast<int>(both.random() % 6); // or none is
        for (int i = 0; i < 5; ++i)
            i == long_one ? both.at(0).send_long(1, i % 2) : both.at(0).send(1, i % 2);
        int errors = 0;
        both.drain(choices, [&](int, std::exception const& what) {
            errors += dynamic_cast<weft::usage_error const*>(&what) != nullptr;
        });
        EXPECT_EQ(errors, 2);
        // Once it is there, so is what came for it.
        both.at(1).add_channel();
        both.drain(choices, [](int, std::exception const& what) { ADD_FAILURE() << what.what(); });
        EXPECT_EQ(both.at(1).handled, 5);
    });
}

TEST(mail_engine, a_channel_of_another_type_is_an_error_everywhere_and_no_handler_sees_its_items) {
    for_seeds(300, [](chooser& choices) {
        two_engines both(choices);
        for (int rank = 0; rank < 2; ++rank) {
            both.at(rank).add_channel();
            both.at(rank).add_channel(rank == 0 ? 2 : 3);
        }
        for (int phase = 0; phase < 2; ++phase) {
            for (int i = 0; i < 5; ++i) i == 2 ? both.at(0).send_long(1, 1) : both.at(0).send(1, 1);
            for (int i = 0; i < 3; ++i) both.at(1).send(0, 1);
            int errors = 0;
            both.drain(choices, [&](int, std::exception const& what) {
                errors += std::string(what.what()).find("channel 1 is") != std::string::npos;
            });
            EXPECT_EQ(errors, 2);
            EXPECT_EQ(both.at(0).handled + both.at(1).handled, 0);
        }
    });
}

TEST(mail_engine, an_abandoned_one_is_done_when_nothing_is_read_or_written_for_it) {
    for_seeds(500, [](chooser& choices) {
        two_engines both(choices);
        std::vector<int> life;
        for (int rank = 0; rank < 2; ++rank) {
            both.at(rank).add_channel();
            for (auto left = both.random() % 3; left > 0; --left)
                both.random() % 2 == 0 ? both.at(rank).send(1 - rank, 0)
                                       : both.at(rank).send_long(1 - rank, 0);
            life.push_back(static_cast<int>(both.random() % 30));
        }
        weft_test::schedule(both.network, choices).run([&](int rank) {
            int& left = life[static_cast<std::size_t>(rank)];
            weft::mail_engine& mail = both.at(rank).mail;
            mail.set_drains(true);
            if (--left == 0) mail.abandon();
            if (left < -2000) return progress::done; // the other rank is no longer there for it
            progress const now = mail.step();
            if (now == progress::done && both.network.waits_for_something(rank))
                throw std::runtime_error("done while there are open requests");
            return now;
        });
    });
}
