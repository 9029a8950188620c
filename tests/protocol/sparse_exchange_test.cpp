/// One sparse exchange under an adversary: who must be served is served, and errors are agreed.
#include <weft/extend/protocol/sparse_exchange.hpp>

#include <memory>

#include "sparse_engines.hpp"

#include <weft/core/error.hpp>
#include <weft/protocol/agreement.hpp>

#include <optional>

using weft::message;
using weft::message_list;
using weft::progress;
using weft::sparse_exchange_setup;
using weft_test::adversary;
using weft_test::chooser;
using weft_test::for_seeds;
using weft_test::memory_network;
using weft_test::schedule;
using weft_test::sparse_engine;
using weft_test::traffic;

namespace {

class any_sparse_exchange : public testing::TestWithParam<sparse_engine> {
protected:
    /// All ranks of one exchange, from the first call to the last.
    struct session {
        session(int ranks, chooser& choices)
            : random(choices.seed()),
              order(choices),
              network(ranks, choices, adversary::drawn(random)),
              nodes(weft_test::drawn_nodes(ranks, random())),
              engines(static_cast<std::size_t>(ranks)) {}

        /// `begin(rank)` makes the engine at the rank's first step.
        template <class Begin>
        void run(Begin&& begin) {
            int begun = 0;
            bool too_early = false;
            schedule(network, order).run([&](int rank) {
                auto& engine = engines[static_cast<std::size_t>(rank)];
                if (!engine) {
                    engine = begin(rank);
                    ++begun;
                }
                progress const now = order.happens("it glances", 0.5) ? engine->quick_step() : engine->step();
                too_early = too_early || (now == progress::done && begun < network.size());
                return now;
            });
            EXPECT_FALSE(too_early) << "a rank was done before all had begun";
            EXPECT_EQ(network.left_over(), "");
        }

        [[nodiscard]] sparse_exchange_setup setup(int rank) const {
            return weft_test::setup_of(GetParam(), {0, 1, 2, 3}, nodes[static_cast<std::size_t>(rank)]);
        }

        std::mt19937_64 random; // for what is exchanged
        chooser& order;
        memory_network network;
        std::vector<weft::topology> nodes;
        std::vector<std::unique_ptr<weft::sparse_exchange>> engines;
    };
};

struct outcome {
    std::string type = "nothing";
    std::string text = {};
    int rank = -1;
    bool operator==(outcome const&) const = default;
    friend std::ostream& operator<<(std::ostream& out, outcome const& it) {
        return out << it.type << " \"" << it.text << "\" of rank " << it.rank;
    }
};

outcome outcome_of(weft::sparse_exchange const& engine) {
    try {
        engine.rethrow();
    } catch (weft::usage_error const& caught) {
        return {"usage", caught.what()};
    } catch (weft::remote_error const& caught) {
        return {"remote", caught.what(), caught.rank()};
    } catch (std::exception const& caught) { return {"original", caught.what()}; }
    return {};
}

} // namespace

INSTANTIATE_TEST_SUITE_P(engines, any_sparse_exchange, testing::ValuesIn(weft_test::sparse_engines),
    [](auto const& info) { return info.param.name; });

TEST_P(any_sparse_exchange, delivers_exactly_what_was_sent) {
    for_seeds(2000, [](chooser& choices) {
        int const ranks = 1 + static_cast<int>(choices.seed() % 9);
        session run(ranks, choices);
        traffic const plan(ranks, choices.seed());
        run.run([&](int rank) {
            return std::make_unique<weft::sparse_exchange>(
                run.network.at(rank), run.setup(rank), plan.outgoing(0, rank));
        });
        for (int rank = 0; rank < ranks; ++rank) {
            auto& engine = *run.engines[static_cast<std::size_t>(rank)];
            EXPECT_EQ(outcome_of(engine), outcome{});
            EXPECT_EQ(plan.judge(0, rank, engine.take()), "");
        }
    });
}

TEST_P(any_sparse_exchange, serves_more_ranks_and_a_hot_one) {
    for_seeds(20, [](chooser& choices) {
        int const ranks = 33;
        session run(ranks, choices);
        run.run([&](int rank) {
            message_list out;
            out.push_back({ranks - 1, weft::buffer(static_cast<std::size_t>(rank) + 1)});
            std::ranges::fill(out.back().data.bytes(), static_cast<std::byte>(rank));
            return std::make_unique<weft::sparse_exchange>(
                run.network.at(rank), run.setup(rank), std::move(out));
        });
        for (int rank = 0; rank + 1 < ranks; ++rank)
            EXPECT_TRUE(run.engines[static_cast<std::size_t>(rank)]->take().empty());
        auto const received = run.engines.back()->take();
        ASSERT_EQ(received.size(), static_cast<std::size_t>(ranks));
        for (std::size_t from = 0; from < received.size(); ++from) {
            EXPECT_EQ(received[from].peer, static_cast<int>(from));
            EXPECT_EQ(received[from].data.size(), from + 1);
            EXPECT_EQ(received[from].data.data()[from], static_cast<std::byte>(from));
        }
    });
}

TEST_P(any_sparse_exchange, says_done_again_when_it_is_stepped_again) {
    chooser choices(1);
    session run(3, choices);
    traffic const plan(3, 2);
    run.run([&](int rank) {
        return std::make_unique<weft::sparse_exchange>(
            run.network.at(rank), run.setup(rank), plan.outgoing(0, rank));
    });
    for (auto const& engine : run.engines)
        for (int i = 0; i < 5; ++i) EXPECT_EQ(engine->step(), progress::done);
}

TEST_P(any_sparse_exchange, counts_what_was_sent) {
    chooser choices(7);
    session run(4, choices);
    run.run([&](int rank) {
        message_list out;
        for (int to = 0; to < 4; ++to) out.push_back({to, weft::buffer(static_cast<std::size_t>(10 * to))});
        return std::make_unique<weft::sparse_exchange>(run.network.at(rank), run.setup(rank), std::move(out));
    });
    for (int rank = 0; rank < 4; ++rank) {
        weft::counters counted;
        run.engines[static_cast<std::size_t>(rank)]->count(counted);
        EXPECT_EQ(counted.messages, 3);
        EXPECT_EQ(counted.bytes, 60 - 10 * rank);
        EXPECT_EQ(counted.self_messages, 1);
        EXPECT_EQ(counted.self_bytes, 10 * rank);
        EXPECT_EQ(counted.exchanges, 1);
    }
}

TEST_P(any_sparse_exchange, the_error_of_the_lowest_failing_rank_is_thrown_everywhere) {
    for_seeds(500, [](chooser& choices) {
        int const ranks = 1 + static_cast<int>(choices.seed() % 9);
        session run(ranks, choices);
        traffic const plan(ranks, choices.seed());
        std::vector<bool> fails(static_cast<std::size_t>(ranks));
        for (auto&& each : fails) each = run.random() % 3 == 0;
        bool const usage = run.random() % 2 == 0;
        auto const text = [](int rank) { return "reason of rank " + std::to_string(rank); };
        run.run([&](int rank) {
            sparse_exchange_setup chosen = run.setup(rank);
            if (fails[static_cast<std::size_t>(rank)])
                chosen.thrown = usage ? std::make_exception_ptr(weft::usage_error(text(rank)))
                                      : std::make_exception_ptr(std::runtime_error(text(rank)));
            return std::make_unique<weft::sparse_exchange>(
                run.network.at(rank), chosen, plan.outgoing(0, rank));
        });
        auto const lowest = static_cast<int>(std::ranges::find(fails, true) - fails.begin());
        for (int rank = 0; rank < ranks; ++rank) {
            outcome expected;
            if (lowest < ranks && usage) expected = {"usage", text(lowest)};
            if (lowest < ranks && !usage)
                expected =
                    fails[static_cast<std::size_t>(rank)]
                        ? outcome{"original", text(rank)}
                        : outcome{"remote", "rank " + std::to_string(lowest) + ": " + text(lowest), lowest};
            EXPECT_EQ(outcome_of(*run.engines[static_cast<std::size_t>(rank)]), expected) << "rank " << rank;
        }
    });
}

TEST_P(any_sparse_exchange, items_of_different_types_are_a_usage_error_that_names_both) {
    for_seeds(200, [](chooser& choices) {
        int const ranks = 2 + static_cast<int>(choices.seed() % 8);
        int const other = static_cast<int>((choices.seed() >> 8) % static_cast<std::uint64_t>(ranks));
        bool const of_one_size = (choices.seed() >> 16) % 2 == 0;
        weft::item_type const most = weft::print_of<std::int64_t>(8);
        weft::item_type const one = of_one_size ? weft::print_of<double>(8) : weft::print_of<double[3]>(24);
        session run(ranks, choices);
        run.run([&](int rank) {
            sparse_exchange_setup chosen = run.setup(rank);
            chosen.items = rank == other ? one : most;
            message_list out;
            out.push_back({(rank + 1) % ranks, weft::buffer(24)});
            return std::make_unique<weft::sparse_exchange>(run.network.at(rank), chosen, std::move(out));
        });
        outcome const first = outcome_of(*run.engines.front());
        EXPECT_EQ(first.type, "usage");
        EXPECT_NE(first.text.find(of_one_size ? "different types" : "8 and 24 bytes"), std::string::npos)
            << first.text;
        EXPECT_NE(first.text.find(to_string(one) + " on rank " + std::to_string(other)), std::string::npos)
            << first.text;
        EXPECT_NE(first.text.find(to_string(most) + " on rank " + std::to_string(other == 0 ? 1 : 0)),
            std::string::npos)
            << first.text;
        for (auto const& engine : run.engines) EXPECT_EQ(outcome_of(*engine), first);
    });
}

TEST_P(any_sparse_exchange, of_many_types_two_are_named_and_the_next_exchange_works) {
    for_seeds(100, [](chooser& choices) {
        int const ranks = 3 + static_cast<int>(choices.seed() % 5);
        session run(ranks, choices);
        traffic const plan(ranks, choices.seed());
        run.run([&](int rank) {
            sparse_exchange_setup chosen = run.setup(rank);
            auto const number = static_cast<std::uint32_t>(rank % 3 + 1);
            chosen.items = {number, number, "a type"};
            return std::make_unique<weft::sparse_exchange>(
                run.network.at(rank), chosen, plan.outgoing(0, rank));
        });
        outcome const first = outcome_of(*run.engines.front());
        EXPECT_NE(first.text.find("(1 and 3 bytes)"), std::string::npos) << first.text;
        for (auto const& engine : run.engines) EXPECT_EQ(outcome_of(*engine), first);
    });
}

TEST_P(any_sparse_exchange, what_the_ranks_carry_is_combined) {
    for_seeds(200, [](chooser& choices) {
        int const ranks = 1 + static_cast<int>(choices.seed() % 9);
        session run(ranks, choices);
        traffic const plan(ranks, choices.seed());
        run.run([&](int rank) {
            sparse_exchange_setup chosen = run.setup(rank);
            chosen.carries = true;
            chosen.carried.sum[0] = 100 + rank;
            chosen.carried.max[weft::census_slot::first_free] = 7 * rank - 3;
            return std::make_unique<weft::sparse_exchange>(
                run.network.at(rank), chosen, plan.outgoing(0, rank));
        });
        for (int rank = 0; rank < ranks; ++rank) {
            auto& engine = *run.engines[static_cast<std::size_t>(rank)];
            EXPECT_EQ(engine.carried_result().sum[0], 100 * ranks + ranks * (ranks - 1) / 2);
            EXPECT_EQ(engine.carried_result().max[weft::census_slot::first_free], 7 * (ranks - 1) - 3);
            EXPECT_EQ(plan.judge(0, rank, engine.take()), "");
        }
    });
}

TEST_P(any_sparse_exchange, errors_are_agreed_also_when_data_are_carried) {
    for_seeds(200, [](chooser& choices) {
        int const ranks = 1 + static_cast<int>(choices.seed() % 9);
        int const failing = static_cast<int>((choices.seed() >> 8) % static_cast<std::uint64_t>(ranks));
        session run(ranks, choices);
        traffic const plan(ranks, choices.seed());
        run.run([&](int rank) {
            sparse_exchange_setup chosen = run.setup(rank);
            chosen.carries = true;
            if (rank == failing) chosen.thrown = std::make_exception_ptr(weft::usage_error("the reason"));
            return std::make_unique<weft::sparse_exchange>(
                run.network.at(rank), chosen, plan.outgoing(0, rank));
        });
        for (auto const& engine : run.engines)
            EXPECT_EQ(outcome_of(*engine), (outcome{"usage", "the reason"}));
    });
}

TEST_P(any_sparse_exchange, hands_messages_out_one_by_one) {
    for_seeds(200, [](chooser& choices) {
        int const ranks = 1 + static_cast<int>(choices.seed() % 9);
        session run(ranks, choices);
        traffic const plan(ranks, choices.seed());
        run.run([&](int rank) {
            sparse_exchange_setup chosen = run.setup(rank);
            chosen.in_order_of_arrival = true;
            return std::make_unique<weft::sparse_exchange>(
                run.network.at(rank), chosen, plan.outgoing(0, rank));
        });
        for (int rank = 0; rank < ranks; ++rank) {
            message_list received;
            message one;
            while (run.engines[static_cast<std::size_t>(rank)]->next(one)) received.push_back(std::move(one));
            std::ranges::sort(received, {}, &message::peer);
            EXPECT_EQ(plan.judge(0, rank, received), "");
        }
    });
}

TEST_P(any_sparse_exchange, every_rank_learns_the_load_of_the_busiest) {
    for_seeds(200, [](chooser& choices) {
        int const ranks = 1 + static_cast<int>(choices.seed() % 9);
        session run(ranks, choices);
        traffic const plan(ranks, choices.seed());
        weft::exchange_load busiest;
        for (int rank = 0; rank < ranks; ++rank) {
            std::int64_t messages = 0;
            std::int64_t bytes = 0;
            for (message const& each : plan.outgoing(0, rank)) {
                if (each.peer == rank) continue;
                ++messages;
                bytes += static_cast<std::int64_t>(each.data.size());
            }
            busiest = max(busiest, weft::exchange_load::of(messages, bytes));
        }
        run.run([&](int rank) {
            return std::make_unique<weft::sparse_exchange>(
                run.network.at(rank), run.setup(rank), plan.outgoing(0, rank));
        });
        bool const told = GetParam().how != weft::protocol::pcx ||
                          GetParam().census == weft::all_reduce_method::dissemination;
        for (auto const& engine : run.engines) {
            weft::exchange_load learnt;
            EXPECT_EQ(engine->busiest(learnt), told);
            if (told) { EXPECT_EQ(learnt, busiest); }
        }
    });
}
