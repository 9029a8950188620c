/// Mailboxes on a simulated machine whose ranks share memory inside of nodes.
#include "simulated_scatter.hpp"

#include <string>
#include <utility>

namespace {

using weft::route;
using weft_test::outcome;
using weft_test::scatter;

constexpr route all_routes[] = {route::direct, route::node_local, route::node_remote, route::nlnr};
constexpr std::int64_t mebibyte = 1 << 20;

} // namespace

TEST(simulated_nodes, hand_over_in_memory_what_would_be_messages) {
    weft::machine_model const quartz = weft::known_machine("quartz");
    double by_messages = 0;
    double by_memory = 0;
    for (route const how : all_routes)
        for (auto const& [ranks, cores] :
            {std::pair{7, 7}, std::pair{32, 8}, std::pair{30, 8}, std::pair{24, 12}}) {
            SCOPED_TRACE(std::string(name_of(how)) + ", " + std::to_string(ranks) + " ranks");
            outcome const messages = scatter(ranks, cores, how, mebibyte, 2000, quartz);
            outcome const memory = scatter(ranks, cores, how, mebibyte, 2000, quartz, true);
            EXPECT_GT(messages.inside, 0);
            EXPECT_EQ(memory.inside, 0);
            EXPECT_GT(memory.rings, messages.rings); // a rank has a ring to itself in both
            EXPECT_LT(memory.seconds, 1.1 * messages.seconds);
            by_messages += messages.seconds;
            by_memory += memory.seconds;
        }
    EXPECT_LT(by_memory, 0.8 * by_messages);
}

TEST(simulated_nodes, take_the_same_time_in_each_run) {
    outcome const one = scatter(24, 6, route::node_remote, mebibyte, 500, weft::known_machine("theta"), true);
    outcome const other =
        scatter(24, 6, route::node_remote, mebibyte, 500, weft::known_machine("theta"), true);
    EXPECT_EQ(one.seconds, other.seconds);
    EXPECT_EQ(one.messages, other.messages);
}

TEST(simulated_nodes, send_the_same_by_buffers_that_grow) {
    weft::machine_model const quartz = weft::known_machine("quartz");
    for (route const how : all_routes)
        for (bool const shares : {false, true})
            for (std::int64_t const bytes : {16 * mebibyte, mebibyte, mebibyte / 16}) {
                SCOPED_TRACE(std::string(name_of(how)) + ", " + std::to_string(bytes) + " bytes");
                outcome const whole = scatter(30, 8, how, bytes, 2000, quartz, shares);
                outcome const growing = scatter(30, 8, how, bytes, 2000, quartz, shares, true);
                EXPECT_EQ(growing.seconds, whole.seconds);
                EXPECT_EQ(growing.messages, whole.messages);
                EXPECT_EQ(growing.rings, whole.rings);
            }
}

TEST(simulated_nodes, stand_little_memory) {
    weft::machine_model const quartz = weft::known_machine("quartz");
    outcome const few = scatter(16, 4, route::node_remote, 65536, 3000, quartz, true);
    EXPECT_EQ(few.inside, 0); // no hop may wait for a message that nobody sends
}
