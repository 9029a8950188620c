#include <weft/extend/machine/known_machines.hpp>

#include <weft/core/error.hpp>

#include <gtest/gtest.h>

#include <map>
#include <string_view>

TEST(known_machines, have_the_parameters_of_the_paper) {
    constexpr double us = 1e-6;
    std::map<std::string_view, weft::loggp> const table{
        {"intrepid", {4.29 * us, 2.87 * us, 2.04 * us, 0.00267 * us}},
        {"jaguar", {9.90 * us, 1.75 * us, 3.40 * us, 0.00058 * us}},
        {"bigred", {7.08 * us, 11.78 * us, 4.19 * us, 0.00414 * us}},
    };
    for (auto const& [name, parameters] : table) {
        weft::machine_model const machine = weft::known_machine(name);
        EXPECT_EQ(machine.between.parameters, parameters) << name;
        EXPECT_EQ(machine.inside, machine.between) << name;
        EXPECT_EQ(machine.simulation.ranks_per_node, 4) << name;
    }
    EXPECT_NEAR(weft::known_machine("jaguar").between.synchronous_penalty, 15.5 * us, 1e-12);
}

TEST(known_machines, of_many_cores_have_two_levels_and_a_port) {
    std::map<std::string_view, int> const cores{{"quartz", 36}, {"theta", 64}, {"cascadelake", 48}};
    for (auto const& [name, ranks_per_node] : cores) {
        weft::machine_model const machine = weft::known_machine(name);
        EXPECT_EQ(machine.simulation.ranks_per_node, ranks_per_node) << name;
        EXPECT_LT(machine.inside.parameters.latency, machine.between.parameters.latency) << name;
        EXPECT_EQ(machine.simulation.node_gap_per_byte, machine.between.parameters.gap_per_byte) << name;
        EXPECT_FALSE(machine.origin.empty()) << name;
    }
    EXPECT_EQ(weft::known_machines().size(), 3 + cores.size());
}

TEST(known_machines, are_found_by_their_names) {
    EXPECT_EQ(weft::known_machine("bigred").measured_on, "bigred, PPoPP 2010");
    EXPECT_THROW((void)weft::known_machine("earth"), weft::usage_error);
}
