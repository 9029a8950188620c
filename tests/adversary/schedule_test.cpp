/// The order of ranks: everybody's turn comes, whatever happens before, and the same choices are the same
/// run.
#include "schedule.hpp"

#include <harness/mpi_test.hpp>

#include <set>
#include <string>

using weft::progress;
using weft::request;
using weft::send_mode;
using weft_test::adversary;
using weft_test::choice_tree;
using weft_test::chooser;
using weft_test::memory_network;
using weft_test::run_trace;
using weft_test::schedule;

namespace {

/// Every rank sends one byte to the next and is done when it has that of the one before.
class ring {
public:
    ring(int ranks, chooser& choices, adversary manners) : network_(ranks, choices, manners) {
        places_.resize(static_cast<std::size_t>(ranks));
    }

    /// In which order the ranks are done.
    std::string run(chooser& choices) {
        schedule(network_, choices).run([&](int rank) { return step(rank); });
        EXPECT_EQ(network_.left_over(), "");
        return done_;
    }

private:
    struct place {
        std::byte out{};
        std::byte in{};
        request sent = {};
        request received = {};
        bool begun = false;
    };

    progress step(int rank) {
        place& mine = places_[static_cast<std::size_t>(rank)];
        int const ranks = network_.size();
        weft::transport& via = network_.at(rank);
        if (!mine.begun) {
            mine.begun = true;
            mine.out = static_cast<std::byte>(rank);
            mine.sent = via.send((rank + 1) % ranks, 0, std::span(&mine.out, 1), send_mode::synchronous);
            mine.received = via.receive((rank + ranks - 1) % ranks, 0, std::span(&mine.in, 1));
            return progress::some;
        }
        if (!via.test(mine.sent) || !via.test(mine.received)) return progress::none;
        EXPECT_EQ(mine.in, static_cast<std::byte>((rank + ranks - 1) % ranks));
        done_ += static_cast<char>('a' + rank);
        return progress::done;
    }

    memory_network network_;
    std::vector<place> places_;
    std::string done_;
};

std::string trace_of(std::uint64_t seed) {
    run_trace trace;
    chooser choices(seed, nullptr, &trace);
    ring(5, choices, {}).run(choices);
    return trace.lines();
}

} // namespace

TEST(schedule, is_the_same_run_event_by_event_for_the_same_seed) {
    EXPECT_EQ(trace_of(1), trace_of(1));
    EXPECT_NE(trace_of(1), trace_of(2));
}

TEST(schedule, some_runs_have_lulls_and_bursts_and_ranks_that_stand_still) {
    int bursts = 0;
    int stills = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        std::string const told = trace_of(seed);
        bursts += told.find("a burst") != std::string::npos;
        stills += told.find("it stands still afterwards") != std::string::npos;
    }
    EXPECT_GT(bursts, 10);
    EXPECT_LT(bursts, 290);
    EXPECT_GT(stills, 10);
}

TEST(schedule, enumerated_reaches_every_order_of_ends) {
    choice_tree tree(10);
    std::set<std::string> orders;
    std::set<std::string> runs;
    int taken = 0;
    do {
        run_trace trace;
        chooser choices(1, &tree, &trace);
        orders.insert(ring(2, choices, {.denial = 0}).run(choices));
        runs.insert(trace.lines());
        ++taken;
    } while (tree.advance());
    EXPECT_EQ(orders, (std::set<std::string>{"ab", "ba"}));
    EXPECT_EQ(runs.size(), static_cast<std::size_t>(taken)) << "no run comes twice";
    EXPECT_GT(taken, 100);
}

TEST(schedule, finds_out_that_ranks_are_stuck) {
    for (bool const enumerated : {false, true}) {
        choice_tree tree(3);
        chooser choices(1, enumerated ? &tree : nullptr);
        memory_network network(3, choices, {});
        auto const step = [](int rank) { return rank == 1 ? progress::none : progress::done; };
        EXPECT_THROW(schedule(network, choices).run(step, 10'000), std::runtime_error);
    }
}
