#include <weft/machine/machine_model.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

using weft::exchange_shape;
using weft::machine_model;
using weft::measured_costs;
using weft::predicted_seconds;
using weft::protocol;

namespace {

/// The machines of Hoefler, Siebert, Lumsdaine, PPoPP 2010, Table 1, with the overhead of equation 2: a
/// synchronous send takes L + o more.
machine_model paper_machine(double latency, double overhead, double gap, double gap_per_byte) {
    machine_model machine;
    machine.inside.parameters = {latency * 1e-6, overhead * 1e-6, gap * 1e-6, gap_per_byte * 1e-6};
    machine.inside.synchronous_penalty = (latency + overhead) * 1e-6;
    machine.between = machine.inside;
    return machine;
}

machine_model const intrepid = paper_machine(4.29, 2.87, 2.04, 0.00267);
machine_model const jaguar = paper_machine(9.90, 1.75, 3.40, 0.00058);
machine_model const big_red = paper_machine(7.08, 11.78, 4.19, 0.00414);

exchange_shape flat(int ranks, double messages, double bytes) {
    return {ranks, 1, ranks, messages, bytes};
}

/// A phase of messages that takes so many seconds a message, and as many a kilobyte.
weft::phase_costs phase(double seconds) {
    weft::phase_costs costs;
    for (double const bytes : weft::measured_bytes) {
        costs.first.push_back(2 * seconds + seconds * bytes / 1000);
        costs.more.push_back(seconds + seconds * bytes / 1000);
    }
    return costs;
}

measured_costs costs_on(int ranks, double census, double all_to_all) {
    return {ranks, census, all_to_all, all_to_all / 2, phase(1e-6), phase(2e-6), phase(3e-6)};
}

machine_model measured_machine(std::vector<measured_costs> rows) {
    machine_model machine = weft::built_in_machine();
    machine.inside.measured = std::move(rows);
    machine.between = machine.inside;
    return machine;
}

std::vector<machine_model> some_machines() {
    return {weft::built_in_machine(), intrepid, jaguar, big_red, measured_machine({costs_on(2, 1e-6, 2e-6)}),
        measured_machine({costs_on(2, 1e-6, 2e-6), costs_on(4, 2e-6, 4e-6), costs_on(8, 4e-5, 9e-5)})};
}

int crossing_of_nbx_and_pcx(machine_model const& machine, double messages) {
    for (int ranks = 2; ranks < 1 << 24; ranks += std::max(ranks / 1000, 1)) {
        exchange_shape const shape = flat(ranks, messages, 8 * messages);
        if (predicted_seconds(machine, protocol::nbx, shape) <
            predicted_seconds(machine, protocol::pcx, shape))
            return ranks;
    }
    return 1 << 24;
}

} // namespace

TEST(machine_model, one_rank_pays_nothing) {
    for (machine_model const& machine : some_machines())
        for (protocol const how : weft::all_protocols())
            EXPECT_EQ(predicted_seconds(machine, how, flat(1, 1, 1e6)), 0) << name_of(how);
}

TEST(machine_model, more_of_anything_takes_no_less_time) {
    for (machine_model const& machine : some_machines())
        for (protocol const how : weft::all_protocols())
            for (int const nodes : {1, 4})
                for (int ranks = 4; ranks <= 4096; ranks *= 2)
                    for (double messages = 1; messages <= 64; messages *= 4)
                        for (double bytes = 8 * messages; bytes < 1e8; bytes *= 10) {
                            exchange_shape const shape{ranks, nodes, ranks / nodes, messages, bytes};
                            exchange_shape larger = shape;
                            double const time = predicted_seconds(machine, how, shape);
                            EXPECT_GT(time, 0);
                            larger.bytes *= 2;
                            EXPECT_GE(predicted_seconds(machine, how, larger), time) << name_of(how);
                            larger.messages *= 2; // each of the same size
                            EXPECT_GE(predicted_seconds(machine, how, larger), time) << name_of(how);
                            larger = shape;
                            larger.ranks *= 2;
                            (nodes == 1 ? larger.largest_node : larger.nodes) *= 2;
                            EXPECT_GE(predicted_seconds(machine, how, larger), time * (1 - 1e-9))
                                << name_of(how) << " on " << ranks;
                        }
}

TEST(machine_model, the_formulas_are_those_of_the_paper) {
    // By hand, in us, on 1024 ranks: L + 2o = 10.03 and ten rounds; a word takes 0.02136.
    double const round = 10.03;
    double const word = 8 * 0.00267;
    double const data = round + 5 * 2.87 + 0.00267 * 48;
    double const census = 10 * round;
    double const personalised = word * 1023 + (round - word) * 10;
    auto const time = [](protocol how) { return 1e6 * predicted_seconds(intrepid, how, flat(1024, 6, 48)); };
    EXPECT_NEAR(time(protocol::pex), personalised + data, 1e-6);
    EXPECT_NEAR(time(protocol::pcx), personalised + data, 1e-6);
    EXPECT_NEAR(time(protocol::nbx), census + data + 4.29 + 6 * 2.87, 1e-6);
    EXPECT_NEAR(time(protocol::rsx), census + data + data, 1e-6); // sums of 8 bytes, as the messages
}

TEST(machine_model, nbx_beats_pcx_while_k_is_below_the_bound_of_the_paper) {
    // Section 4.2: k <= (T_RS - T_BC - L) / o.
    double const round = 10.03;
    double const word = 8 * 0.00267;
    for (int ranks : {1024, 4096, 16384}) {
        double const rounds = std::log2(ranks);
        double const bound = (word * (ranks - 1) + (round - word) * rounds - round * rounds - 4.29) / 2.87;
        for (double const off : {-0.5, 0.5}) {
            exchange_shape const shape = flat(ranks, bound + off, 8 * (bound + off));
            double const nbx = predicted_seconds(intrepid, protocol::nbx, shape);
            double const pcx = predicted_seconds(intrepid, protocol::pcx, shape);
            EXPECT_EQ(nbx < pcx, off < 0) << ranks << " ranks, k " << shape.messages;
        }
    }
}

TEST(machine_model, nbx_wins_from_some_number_of_ranks_on_and_later_for_more_messages) {
    for (machine_model const& machine : {intrepid, jaguar, big_red}) {
        int const six = crossing_of_nbx_and_pcx(machine, 6);
        int const fifty = crossing_of_nbx_and_pcx(machine, 50);
        EXPECT_GT(six, 100);
        EXPECT_LT(six, 10'000);
        EXPECT_GT(fifty, six);
    }
    EXPECT_GT(crossing_of_nbx_and_pcx(jaguar, 6), crossing_of_nbx_and_pcx(intrepid, 6));
}

TEST(machine_model, what_was_measured_is_predicted) {
    machine_model const machine = measured_machine({costs_on(2, 1e-6, 2e-6), costs_on(8, 4e-5, 9e-5)});
    // first + 2 more at 512 bytes
    EXPECT_NEAR(predicted_seconds(machine, protocol::pex, flat(8, 3, 3 * 512)),
        9e-5 + 2e-6 + 2 * 1e-6 + 3 * 0.512e-6, 1e-12);
    EXPECT_NEAR(
        predicted_seconds(machine, protocol::nbx, flat(8, 1, 512)), 4e-5 + 6e-6 + 3 * 0.512e-6, 1e-12);
    // 4 ranks lie half way between 2 and 8
    double const at_2 = predicted_seconds(machine, protocol::nbx, flat(2, 1, 512));
    double const at_8 = predicted_seconds(machine, protocol::nbx, flat(8, 1, 512));
    EXPECT_NEAR(predicted_seconds(machine, protocol::nbx, flat(4, 1, 512)), (at_2 + at_8) / 2, 1e-12);
    // between two sizes, and beyond the last
    for (double const bytes : {300.0, 5e4, 1e7})
        EXPECT_NEAR(
            predicted_seconds(machine, protocol::pex, flat(8, 1, bytes)), 9e-5 + 2e-6 + bytes * 1e-9, 1e-9);
}

TEST(machine_model, beyond_what_was_measured_costs_grow_as_they_did) {
    auto const census_on = [](machine_model const& machine, int ranks) {
        return predicted_seconds(machine, protocol::nbx, flat(ranks, 0, 0));
    };
    machine_model const logarithmic =
        measured_machine({costs_on(2, 1e-6, 1e-6), costs_on(4, 2e-6, 2e-6), costs_on(8, 3e-6, 3e-6)});
    EXPECT_NEAR(census_on(logarithmic, 1024), 10e-6, 1e-9);
    machine_model const crowded =
        measured_machine({costs_on(2, 1e-6, 1e-6), costs_on(4, 30e-6, 1e-6), costs_on(8, 70e-6, 3e-6)});
    EXPECT_NEAR(census_on(crowded, 16), 140e-6, 1e-9)
        << "ranks outnumber cores: twice as many, twice as long";
}

TEST(machine_model, mixed_costs_hold_where_several_nodes_have_several_ranks) {
    machine_model machine = measured_machine({costs_on(2, 1e-6, 1e-6)});
    machine.between.measured = {costs_on(2, 5e-6, 1e-6)};
    machine.mixed = {costs_on(4, 9e-6, 1e-6)};
    auto const census = [&](int ranks, int nodes) {
        return predicted_seconds(machine, protocol::nbx, {ranks, nodes, ranks / nodes, 0, 0});
    };
    EXPECT_NEAR(census(2, 1), 1e-6, 1e-12);
    EXPECT_NEAR(census(2, 2), 5e-6, 1e-12);
    EXPECT_NEAR(census(4, 2), 9e-6, 1e-12);
}

TEST(machine_model, two_levels_pay_where_many_messages_go_to_few_nodes) {
    machine_model const machine = weft::built_in_machine();
    exchange_shape const many{1024, 32, 32, 900, 900 * 8};
    EXPECT_LT(predicted_seconds(machine, protocol::nbx_two_level, many),
        predicted_seconds(machine, protocol::nbx, many));
    exchange_shape const few{1024, 32, 32, 2, 16};
    EXPECT_GT(predicted_seconds(machine, protocol::nbx_two_level, few),
        predicted_seconds(machine, protocol::nbx, few));
    EXPECT_EQ(predicted_seconds(machine, protocol::pcx_two_level, flat(8, 3, 24)),
        predicted_seconds(machine, protocol::pcx, flat(8, 3, 24)))
        << "one node has one level";
}

TEST(machine_model, store_and_forward_is_for_small_messages) {
    protocol const flat_ones[] = {
        protocol::nbx, protocol::pex, protocol::pcx, protocol::rsx, protocol::store_and_forward};
    for (int const ranks : {16, 64, 256, 1024}) // the field notes' cases
        EXPECT_EQ(weft::fastest(intrepid, flat(ranks, 6, 6 * 64), flat_ones), protocol::store_and_forward);
    EXPECT_NE(weft::fastest(intrepid, flat(256, 6, 6e6), flat_ones), protocol::store_and_forward);
}

TEST(machine_model, automatic_is_the_fastest) {
    for (machine_model const& machine : some_machines())
        for (double const bytes : {8.0, 1e4, 1e7}) {
            exchange_shape const shape{64, 4, 16, 6, bytes};
            double least = 1e9;
            for (protocol const how : weft::all_protocols())
                least = std::min(least, predicted_seconds(machine, how, shape));
            EXPECT_EQ(predicted_seconds(machine, protocol::automatic, shape), least);
            protocol const chosen = weft::fastest(machine, shape, weft::all_protocols());
            EXPECT_EQ(predicted_seconds(machine, chosen, shape), least);
        }
}

TEST(machine_model, of_equally_fast_protocols_the_first_is_chosen) {
    protocol const nbx_first[] = {protocol::nbx, protocol::nbx_two_level};
    protocol const nbx_last[] = {protocol::nbx_two_level, protocol::nbx};
    EXPECT_EQ(weft::fastest(intrepid, flat(8, 1, 8), nbx_first), protocol::nbx);
    EXPECT_EQ(weft::fastest(intrepid, flat(8, 1, 8), nbx_last), protocol::nbx_two_level);
}
