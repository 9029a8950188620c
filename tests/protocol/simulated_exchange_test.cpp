/// The engines of the sparse exchange on a simulated machine: what they deliver, and in what time.
#include "sparse_engines.hpp"

#include <weft/extend/machine/known_machines.hpp>
#include <weft/extend/transport/simulated_machine.hpp>

#include <optional>

using weft::progress;
using weft::simulated_machine;
using weft_test::sparse_engine;
using weft_test::traffic;

namespace {

class simulated_exchange : public testing::TestWithParam<sparse_engine> {};

struct simulated_run {
    double seconds = 0;
    std::int64_t messages = 0;
    bool operator==(simulated_run const&) const = default;
};

/// So many exchanges one after the other, each judged.
simulated_run run(weft::machine_model const& machine, int ranks, int rounds, std::uint64_t seed) {
    simulated_machine simulated(machine, ranks);
    auto const nodes = weft_test::drawn_nodes(ranks, seed);
    traffic const plan(ranks, seed);
    auto const size = static_cast<std::size_t>(ranks);
    std::vector<std::optional<weft::sparse_exchange>> engines(size);
    std::vector<int> round(size);
    simulated.run([&](int rank) {
        auto const place = static_cast<std::size_t>(rank);
        if (!engines[place]) {
            int const tag = 4 * (round[place] % 2);
            engines[place].emplace(simulated.at(rank),
                weft_test::setup_of(
                    simulated_exchange::GetParam(), {tag, tag + 1, tag + 2, tag + 3}, nodes[place]),
                plan.outgoing(round[place], rank));
        }
        progress const now = engines[place]->step();
        if (now != progress::done) return now;
        engines[place]->rethrow();
        EXPECT_EQ(plan.judge(round[place], rank, engines[place]->take()), "");
        engines[place].reset();
        return ++round[place] == rounds ? progress::done : progress::some;
    });
    return {simulated.seconds(), simulated.messages()};
}

} // namespace

INSTANTIATE_TEST_SUITE_P(engines, simulated_exchange, testing::ValuesIn(weft_test::sparse_engines),
    [](auto const& info) { return info.param.name; });

TEST_P(simulated_exchange, delivers_exactly_what_was_sent) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        weft::machine_model machine = seed % 2 == 0
                                          ? weft::built_in_machine()
                                          : weft::known_machine(weft::known_machines()[seed / 2 % 3]);
        machine.simulation.ranks_per_node = 1 + static_cast<int>(seed % 5);
        machine.simulation.eager_bytes = seed % 3 == 0 ? 0 : 500;
        (void)run(machine, 1 + static_cast<int>(seed % 13), 3, seed);
    }
}

TEST_P(simulated_exchange, runs_are_the_same_every_time) {
    simulated_run const first = run(weft::known_machine("jaguar"), 33, 4, 11);
    EXPECT_GT(first.seconds, 0);
    EXPECT_EQ(run(weft::known_machine("jaguar"), 33, 4, 11), first);
}
