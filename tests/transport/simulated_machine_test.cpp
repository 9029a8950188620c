/// The times of a simulated machine by hand, and what MPI promises about messages and collectives.
/// In one file: all cases use the machine and the programs of its first lines.
#include <weft/extend/transport/simulated_machine.hpp>

#include <weft/core/error.hpp>
#include <weft/core/topology.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <vector>

using weft::census_value;
using weft::machine_model;
using weft::progress;
using weft::request;
using weft::send_mode;
using weft::simulated_machine;
using weft::transport;

namespace {

constexpr double us = 1e-6;

/// L 10, o 2, g 3, G 0.01 between nodes; L 1, o 0.5, g 0.25, G 0.001 inside; all in microseconds.
machine_model some_machine() {
    machine_model machine = weft::built_in_machine();
    machine.between.parameters = {10 * us, 2 * us, 3 * us, 0.01 * us};
    machine.between.synchronous_penalty = 14 * us;
    machine.inside.parameters = {1 * us, 0.5 * us, 0.25 * us, 0.001 * us};
    machine.inside.synchronous_penalty = 0.75 * us;
    machine.simulation.eager_bytes = 1000;
    return machine;
}

/// A program of one rank: steps that return true when they are over, one after the other.
using program = std::vector<std::function<bool(transport&)>>;

/// Runs one program a rank; the clocks of the ranks at the end, in microseconds.
std::vector<double> run(machine_model const& machine, std::vector<program> const& programs) {
    simulated_machine simulated(machine, static_cast<int>(programs.size()));
    std::vector<std::size_t> at(programs.size());
    std::vector<double> ends(programs.size());
    simulated.run([&](int rank) {
        auto const place = static_cast<std::size_t>(rank);
        transport& via = simulated.at(rank);
        bool moved = false;
        while (at[place] < programs[place].size() && programs[place][at[place]](via)) {
            ++at[place];
            moved = true;
        }
        ends[place] = via.seconds() / us;
        if (at[place] == programs[place].size()) return progress::done;
        return moved ? progress::some : progress::none;
    });
    return ends;
}

std::vector<std::byte> some_bytes(std::size_t count) {
    std::vector<std::byte> made(count);
    for (std::size_t i = 0; i < count; ++i) made[i] = static_cast<std::byte>(7 * i + 1);
    return made;
}

/// Begins a send now, and is over when it is complete.
std::function<bool(transport&)> sends(
    int to, int tag, std::vector<std::byte> const& what, send_mode mode = send_mode::standard) {
    return [=, pending = request{}, begun = false](transport& via) mutable {
        if (!begun) pending = via.send(to, tag, what, mode);
        begun = true;
        return via.test(pending);
    };
}
/// Begins a receive now, and is over when it is complete and is what was expected.
std::function<bool(transport&)> receives(int from, int tag, std::vector<std::byte> const& expected) {
    return [=, room = std::vector<std::byte>(expected.size()), pending = request{}, begun = false](
               transport& via) mutable {
        if (!begun) pending = via.receive(from, tag, room);
        begun = true;
        if (!via.test(pending)) return false;
        EXPECT_EQ(room, expected);
        return true;
    };
}
std::function<bool(transport&)> receives_probed(int from, int tag, std::vector<std::byte> const& expected) {
    return [=, room = std::vector<std::byte>(expected.size()), pending = request{}, begun = false](
               transport& via) mutable {
        if (!begun) {
            auto const found = via.probe(from, tag);
            if (!found) return false;
            EXPECT_EQ(found->bytes, static_cast<std::int64_t>(expected.size()));
            pending = via.receive(*found, room);
            begun = true;
        }
        if (!via.test(pending)) return false;
        EXPECT_EQ(room, expected);
        return true;
    };
}

} // namespace

TEST(simulated_machine, a_message_takes_the_time_of_the_paper) {
    auto const ten = some_bytes(10);
    for (auto const& receive : {receives(0, 5, ten), receives_probed(0, 5, ten)}) {
        auto const ends = run(some_machine(), {{sends(1, 5, ten)}, {receive}});
        EXPECT_NEAR(ends[0], 2, 1e-9);
        EXPECT_NEAR(ends[1], 10 + 2 * 2 + 9 * 0.01, 1e-9) << "L + 2o + 9G, section 2.2";
    }
}

TEST(simulated_machine, messages_of_one_sender_keep_their_gap) {
    auto const one = some_bytes(1);
    auto const ends =
        run(some_machine(), {{sends(1, 0, one), sends(2, 0, one), sends(3, 0, one)}, {receives(0, 0, one)},
                                {receives(0, 0, one)}, {receives(0, 0, one)}});
    EXPECT_NEAR(ends[0], 6, 1e-9) << "the processor is busy for three overheads";
    EXPECT_NEAR(ends[1], 14, 1e-9);
    EXPECT_NEAR(ends[2], 14 + 3, 1e-9) << "g is more than o";
    EXPECT_NEAR(ends[3], 14 + 6, 1e-9);
}

TEST(simulated_machine, messages_to_one_receiver_come_one_after_the_other) {
    auto const many = some_bytes(501);
    auto const ends = run(some_machine(),
        {{sends(2, 0, many)}, {sends(2, 0, many)}, {receives(0, 0, many), receives(1, 0, many)}});
    // The second comes in g + 500 G after the first; the processor is free by then.
    EXPECT_NEAR(ends[2], 2 + 5 + 10 + (3 + 5) + 2, 1e-9);
}

TEST(simulated_machine, a_synchronous_send_hears_that_its_message_was_matched) {
    auto const one = some_bytes(1);
    auto const ends =
        run(some_machine(), {{sends(1, 5, one, send_mode::synchronous)}, {receives_probed(0, 5, one)}});
    // Matched at L + 2o; the answer takes 4 of the processor and L.
    EXPECT_NEAR(ends[1], 14 + 4, 1e-9);
    EXPECT_NEAR(ends[0], 14 + 4 + 10, 1e-9);
}

TEST(simulated_machine, ways_to_receive_take_what_was_measured) {
    machine_model machine = some_machine();
    weft::measured_costs costs;
    costs.ranks = 2;
    costs.known.first = {14 * us, 20 * us, 20 * us, 20 * us, 20 * us, 20 * us, 20 * us, 20 * us};
    costs.probed.first = {17 * us, 23 * us, 23 * us, 23 * us, 23 * us, 23 * us, 23 * us, 23 * us};
    costs.synchronous.first = {31 * us, 33 * us, 33 * us, 33 * us, 33 * us, 33 * us, 33 * us, 33 * us};
    costs.known.more = {4 * us, 5 * us, 5 * us, 5 * us, 5 * us, 5 * us, 5 * us, 5 * us};
    machine.between.measured = {costs};
    auto const few = some_bytes(8);
    auto const more = some_bytes(64);
    auto const end_of = [&](auto const& what, auto&& receive, send_mode mode = send_mode::standard) {
        return run(machine, {{sends(1, 5, what, mode)}, {receive(0, 5, what)}});
    };
    EXPECT_NEAR(end_of(few, receives)[1], 14, 1e-9);
    EXPECT_NEAR(end_of(few, receives_probed)[1], 17, 1e-9);
    auto const waits = end_of(few, receives_probed, send_mode::synchronous);
    EXPECT_NEAR(waits[0], 31, 1e-9);
    EXPECT_NEAR(waits[1], 31 - 10, 1e-9) << "the answer travels for L of that";
    // The bytes take 2 us, as of synchronous sends; what the others take beyond that is the receiver's.
    EXPECT_NEAR(end_of(more, receives)[1], 20, 1e-9);
    EXPECT_NEAR(end_of(more, receives_probed)[1], 23, 1e-9);
    EXPECT_NEAR(end_of(more, receives_probed, send_mode::synchronous)[0], 33, 1e-9);
}

TEST(simulated_machine, measured_costs_of_some_sizes_alone_are_refused) {
    machine_model machine = some_machine();
    machine.between.measured.resize(1);
    EXPECT_THROW((void)run(machine, {{}, {}}), std::invalid_argument);
}

TEST(simulated_machine, a_message_behind_another_takes_what_was_measured_for_more) {
    machine_model machine = some_machine(); // L 10, o 2, g 3
    weft::measured_costs costs;
    costs.ranks = 2;
    for (weft::phase_costs* const each : {&costs.known, &costs.probed, &costs.synchronous}) {
        each->first.assign(std::size(weft::measured_bytes), 34 * us); // 20 for the bytes
        each->more.assign(std::size(weft::measured_bytes), 9 * us);   // 5 for them
        each->first.front() = 14 * us;
        each->more.front() = 4 * us;
    }
    machine.between.measured = {costs};
    auto const one = some_bytes(64);
    auto const other = some_bytes(64);
    auto const ends =
        run(machine, {{sends(1, 5, one), sends(1, 6, other)}, {receives(0, 5, one), receives(0, 6, other)}});
    EXPECT_NEAR(ends[1], 2 + 20 + 3 + 5 + 10 + 2, 1e-9) << "o, bytes, g, bytes, L, o";
}

TEST(simulated_machine, long_messages_wait_for_their_receiver) {
    auto const many = some_bytes(2001);
    for (send_mode const mode : {send_mode::standard, send_mode::synchronous})
        for (auto const& receive : {receives(0, 5, many), receives_probed(0, 5, many)}) {
            auto const ends = run(some_machine(), {{sends(1, 5, many, mode)}, {receive}});
            // request o + L, reply o + L, data o + 2000 G + L, and o to receive them
            EXPECT_NEAR(ends[0], 2 + 10 + 2 + 10 + 2 + 20, 1e-9) << "when the bytes have left";
            EXPECT_NEAR(ends[1], 2 + 10 + 2 + 10 + 2 + 20 + 10 + 2, 1e-9);
        }
}

TEST(simulated_machine, ranks_of_a_node_are_closer) {
    machine_model machine = some_machine();
    machine.simulation.ranks_per_node = 2;
    auto const ten = some_bytes(10);
    auto const ends = run(machine, {{sends(1, 0, ten)}, {receives(0, 0, ten)}, {sends(3, 0, ten)},
                                       {receives(2, 0, ten), sends(0, 1, ten)}});
    EXPECT_NEAR(ends[1], 1 + 2 * 0.5 + 9 * 0.001, 1e-9);
    EXPECT_EQ(simulated_machine(machine, 5).node_of(4), 2);
}

TEST(simulated_machine, what_leaves_a_node_has_a_limit) {
    machine_model machine = some_machine();
    machine.simulation.ranks_per_node = 3;
    machine.simulation.node_gap = 50 * us;
    auto const one = some_bytes(1);
    auto const ends = run(machine, {{sends(3, 0, one)}, {sends(4, 0, one)}, {sends(0, 0, one)},
                                       {receives(0, 0, one)}, {receives(1, 0, one)}, {}});
    EXPECT_NEAR(ends[3], 14, 1e-9);
    EXPECT_NEAR(ends[4], 14 + 50, 1e-9);
    EXPECT_NEAR(ends[2], 0.5, 1e-9) << "inside a node there is none";
}

TEST(simulated_machine, ranks_of_a_node_without_limits_do_not_wait_for_each_other) {
    machine_model machine = some_machine();
    machine.simulation.ranks_per_node = 2;
    auto const one = some_bytes(1);
    auto const some = some_bytes(901);
    auto const more = some_bytes(951);
    auto const out =
        run(machine, {{sends(2, 0, some), sends(2, 0, some)}, {sends(3, 0, one)}, {}, {receives(1, 0, one)}});
    EXPECT_NEAR(out[3], 14, 1e-9)
        << "though the other rank of the node has a message that waits for its turn";
    auto const in = run(machine, {{sends(4, 0, some)}, {}, {sends(4, 0, some)}, {sends(5, 0, more)},
                                     {receives(0, 0, some), receives(2, 0, some)}, {receives(3, 0, more)}});
    EXPECT_NEAR(in[4], 2 + 9 + 10 + 3 + 9 + 2, 1e-9);
    EXPECT_NEAR(in[5], 2 + 9.5 + 10 + 2, 1e-9) << "though another message waits to come in to its neighbour";
}

TEST(simulated_machine, computing_delays_what_a_rank_does) {
    simulated_machine simulated(some_machine(), 2);
    auto const one = some_bytes(1);
    std::vector<std::byte> room(1);
    request pending;
    bool begun = false;
    simulated.run([&](int rank) {
        if (rank == 0) {
            simulated.compute(0, 100 * us);
            (void)simulated.at(0).send(1, 0, one, send_mode::standard);
            return progress::done;
        }
        if (!begun) pending = simulated.at(1).receive(0, 0, room);
        begun = true;
        return simulated.at(1).test(pending) ? progress::done : progress::none;
    });
    EXPECT_NEAR(simulated.seconds() / us, 114, 1e-9);
    EXPECT_EQ(simulated.messages(), 1);
}

TEST(simulated_machine, messages_of_one_channel_keep_their_order_and_others_may_be_picked) {
    auto const a = some_bytes(900);
    auto const b = some_bytes(1);
    auto const c = some_bytes(3000);
    (void)run(some_machine(), {{sends(1, 0, a), sends(1, 7, b), sends(1, 0, c), sends(1, 0, b)},
                                  {receives(0, 7, b), receives_probed(transport::any_source, 0, a),
                                      receives(0, 0, c), receives_probed(0, 0, b)}});
}

TEST(simulated_machine, transfers_can_be_prepared) {
    auto const ten = some_bytes(10);
    std::vector<std::byte> room(10);
    int rounds[2] = {};
    request transfer[2];
    simulated_machine simulated(some_machine(), 2);
    simulated.run([&](int rank) {
        transport& via = simulated.at(rank);
        request& mine = transfer[rank];
        if (!mine)
            mine = rank == 0 ? via.prepare_send(1, 3, ten) : via.prepare_receive(0, 3, room);
        else if (!via.test(mine))
            return progress::none;
        else if (rank == 1) {
            EXPECT_EQ(room, ten);
            std::ranges::fill(room, std::byte{0});
        }
        if (++rounds[rank] == 4) {
            via.discard(mine);
            return progress::done;
        }
        via.start(mine);
        return progress::some;
    });
}

TEST(simulated_machine, counters_of_others_are_added_to) {
    simulated_machine simulated(some_machine(), 3);
    std::array<request, 3> pending;
    std::array<bool, 3> begun{};
    simulated.run([&](int rank) {
        auto const place = static_cast<std::size_t>(rank);
        if (!begun[place]) pending[place] = simulated.at(rank).add_remote(1, 4, 10 + rank);
        begun[place] = true;
        return simulated.at(rank).test(pending[place]) ? progress::done : progress::none;
    });
    EXPECT_EQ(simulated.at(1).take_counter(4), 33);
    EXPECT_EQ(simulated.at(1).take_counter(4), 0);
    EXPECT_EQ(simulated.at(0).take_counter(4), 0);
}

TEST(simulated_machine, a_rank_that_waits_for_ever_is_an_error) {
    auto const one = some_bytes(1);
    EXPECT_THROW((void)run(some_machine(), {{}, {receives(0, 0, one)}}), std::runtime_error);
    EXPECT_THROW(simulated_machine(some_machine(), 0), weft::usage_error);
}

TEST(simulated_machine, collectives_give_what_mpi_gives) {
    for (int ranks = 1; ranks <= 17; ++ranks) {
        auto const size = static_cast<std::size_t>(ranks);
        simulated_machine simulated(some_machine(), ranks);
        std::vector<std::vector<std::int64_t>> mine(size, std::vector<std::int64_t>(size));
        std::vector<std::vector<std::int64_t>> theirs(size, std::vector<std::int64_t>(size));
        std::vector<std::int64_t> sums(size);
        std::vector<census_value> values(size, census_value::identity());
        std::vector<census_value> combined(size);
        std::vector<int> stage(size);
        std::vector<request> pending(size);
        for (std::size_t i = 0; i < size; ++i)
            for (std::size_t j = 0; j < size; ++j) mine[i][j] = static_cast<std::int64_t>(100 * i + j);
        simulated.run([&](int rank) {
            auto const place = static_cast<std::size_t>(rank);
            transport& via = simulated.at(rank);
            if (stage[place] > 0 && !via.test(pending[place])) return progress::none;
            switch (stage[place]++) {
            case 0:
                pending[place] = via.all_to_all(mine[place], theirs[place]);
                break;
            case 1:
                pending[place] = via.reduce_scatter(mine[place], sums[place]);
                break;
            case 2:
                values[place].sum[1] = rank;
                values[place].max[2] = -rank;
                pending[place] = via.all_reduce(values[place], combined[place]);
                break;
            default:
                return progress::done;
            }
            return progress::some;
        });
        for (std::size_t i = 0; i < size; ++i) {
            for (std::size_t j = 0; j < size; ++j) EXPECT_EQ(theirs[i][j], mine[j][i]);
            EXPECT_EQ(sums[i], static_cast<std::int64_t>(50 * size * (size - 1) + i * size));
            EXPECT_EQ(combined[i].sum[1], ranks * (ranks - 1) / 2);
            EXPECT_EQ(combined[i].max[2], 0);
        }
    }
}

TEST(simulated_machine, ranks_that_waited_for_cores_when_measured_do_so_while_others_work) {
    machine_model machine = some_machine();
    machine.copy_per_byte = us;
    weft::measured_costs costs;
    for (double const first : {14.0, 50.0}) {
        costs.ranks = costs.ranks == 0 ? 2 : 4;
        for (weft::phase_costs* const each : {&costs.known, &costs.probed, &costs.synchronous}) {
            each->first.assign(std::size(weft::measured_bytes), first * us);
            each->more.assign(std::size(weft::measured_bytes), (costs.ranks == 2 ? 3 : 8) * us);
        }
        machine.between.measured.push_back(costs);
    }
    auto const few = some_bytes(8);
    auto const works = [](transport& via) {
        via.account_copy(1000);
        return true;
    };
    auto const ends_of = [&](std::size_t ranks, std::size_t working) {
        std::vector<program> programs(ranks);
        programs[0] = {sends(1, 5, few)};
        programs[1] = {receives(0, 5, few)};
        for (std::size_t each = ranks - working; each < ranks; ++each) programs[each] = {works};
        return run(machine, programs);
    };
    EXPECT_NEAR(ends_of(2, 0)[1], 14, 1e-9);
    EXPECT_NEAR(ends_of(3, 1)[1], 14, 1e-9);
    EXPECT_NEAR(ends_of(4, 0)[1], 14, 1e-9) << "ranks that wait leave their cores";
    EXPECT_NEAR(ends_of(4, 1)[1], 14, 1e-9) << "as on 3 ranks";
    std::vector<double> const ends =
        run(machine, {{works}, {works}, {sends(3, 5, few)}, {receives(2, 5, few)}});
    EXPECT_NEAR(ends[2], 2 + 5, 1e-9) << "a further message took 5 longer, of the time of the sender";
    EXPECT_NEAR(ends[3], 50, 1e-9);
    EXPECT_NEAR(ends_of(5, 3)[1], 14, 1e-9) << "a machine of more ranks has more cores";
}

TEST(simulated_machine, an_all_to_all_takes_what_was_measured) {
    auto const time_of = [](machine_model const& machine, int ranks) {
        std::vector<std::int64_t> const mine(static_cast<std::size_t>(ranks), 1);
        std::vector<std::vector<std::int64_t>> theirs(mine.size(), mine);
        std::vector<program> programs;
        for (std::vector<std::int64_t>& each : theirs)
            programs.push_back({[&mine, &each, pending = request{}, begun = false](transport& via) mutable {
                if (!begun) pending = via.all_to_all(mine, each);
                begun = true;
                return via.test(pending);
            }});
        std::vector<double> const ends = run(machine, programs);
        return *std::ranges::max_element(ends);
    };
    machine_model machine = some_machine();
    EXPECT_NEAR(time_of(machine, 2), 14 + 7 * 0.01, 1e-9) << "a round of a word";
    weft::measured_costs costs;
    for (weft::phase_costs* const each : {&costs.known, &costs.probed, &costs.synchronous}) {
        each->first.assign(std::size(weft::measured_bytes), 14 * us);
        each->more.assign(std::size(weft::measured_bytes), 3 * us);
    }
    costs.ranks = 2;
    costs.all_to_all = 20 * us;
    machine.between.measured = {costs};
    EXPECT_NEAR(time_of(machine, 2), 20, 1e-9);
    EXPECT_NEAR(time_of(machine, 5), 6 + 3 * 14, 1e-9) << "what is beyond its messages is once for all ranks";
    costs.ranks = 4;
    costs.all_to_all = 50 * us;
    machine.between.measured.push_back(costs);
    EXPECT_NEAR(time_of(machine, 3), 6 + 2 * 14, 1e-9);
    EXPECT_NEAR(time_of(machine, 4), 50, 1e-9);
    EXPECT_NEAR(time_of(machine, 5), 6 + 3 * 14, 1e-9) << "a larger machine has more cores";
    machine.between.measured.back().all_to_all = 1 * us;
    EXPECT_NEAR(time_of(machine, 4), 2 * 14, 1e-9) << "its messages take their time";
}

namespace {

/// The time in which all ranks have done one collective, in microseconds.
double time_of_all_reduce(machine_model const& machine, int ranks) {
    simulated_machine simulated(machine, ranks);
    std::vector<census_value> mine(static_cast<std::size_t>(ranks));
    std::vector<census_value> combined(mine);
    std::vector<request> pending(mine.size());
    std::vector<bool> begun(mine.size());
    simulated.run([&](int rank) {
        auto const place = static_cast<std::size_t>(rank);
        if (!begun[place]) pending[place] = simulated.at(rank).all_reduce(mine[place], combined[place]);
        begun[place] = true;
        return simulated.at(rank).test(pending[place]) ? progress::done : progress::none;
    });
    return simulated.seconds() / us;
}

} // namespace

TEST(simulated_machine, collectives_take_their_rounds) {
    machine_model machine = some_machine();
    double const round = 10 + 2 * 2 + (sizeof(census_value) - 1) * 0.01;
    EXPECT_NEAR(time_of_all_reduce(machine, 64), 6 * round, 1e-6);
    EXPECT_NEAR(time_of_all_reduce(machine, 65), 7 * round, 1e-6)
        << "one more hands in first; it is told while the others are in their last round";
    machine.simulation.hardware_all_reduce = 5 * us;
    EXPECT_NEAR(time_of_all_reduce(machine, 64), 5, 1e-6);
}

TEST(simulated_machine, memory_of_a_node_is_shared_and_takes_its_time) {
    machine_model machine = some_machine();
    machine.simulation.ranks_per_node = 2;
    weft::topology const nodes(0, std::vector{0, 0, 1});
    std::vector<weft::shared_memory> memory(3);
    auto const share = [&](transport& via) {
        memory[static_cast<std::size_t>(via.rank())] = via.share(nodes.seen_by(via.rank()), 100);
        return true;
    };
    auto const reads = [&](transport&) { return memory[0].parts()[0][7] == std::byte{5}; };
    auto const writes = [&](transport& via) { // after rank 0 has looked in vain
        memory[1].parts()[0][7] = std::byte{5};
        via.account_write(0, 1000);
        return true;
    };
    auto const ends = run(machine, {{share, reads}, {share, writes}, {share}});
    EXPECT_EQ(memory[0].parts().size(), 2U);
    EXPECT_EQ(memory[0].parts()[0], memory[1].parts()[0]);
    EXPECT_EQ(memory[2].parts().size(), 1U); // alone on its node
    EXPECT_NE(memory[2].parts()[0], memory[0].parts()[0]);
    EXPECT_NEAR(ends[0], 1 + 1000 * 0.001, 1e-9);
    EXPECT_NEAR(ends[1], 0, 1e-9);
}

TEST(simulated_machine, a_writer_pays_for_lines_that_pass_to_another_rank) {
    machine_model machine = some_machine();
    machine.simulation.ranks_per_node = 2;
    machine.handover_per_byte = 0.01 * us;
    auto const writes = [](transport& via) {
        via.account_write(1, 64);
        via.account_write(1, 1);   // a whole line
        via.account_write(0, 640); // of its own memory
        return true;
    };
    auto const ends = run(machine, {{writes}, {}});
    EXPECT_NEAR(ends[0], 2 * 64 * 0.01, 1e-9);
}

TEST(simulated_machine, ranks_of_several_nodes_share_no_memory) {
    machine_model machine = some_machine();
    machine.simulation.ranks_per_node = 2;
    weft::topology const pretended(0, std::vector{0, 1, 1}); // ranks 1 and 2 are on different nodes
    int refused = 0;
    auto const share = [&](transport& via) {
        weft::shared_memory const memory = via.share(pretended.seen_by(via.rank()), 100);
        refused += !memory && !memory.why_not().empty() ? 1 : 0;
        return true;
    };
    (void)run(machine, {{share}, {share}, {share}});
    EXPECT_EQ(refused, 3);
}
