/// Ranks that are known to rest are not asked, and what ranks read is loaded ahead: both change no result.
#include "simulated_scatter.hpp"

#include <harness/mpi_test.hpp>

#include <string>

using weft::route;
using weft_test::outcome;
using weft_test::scatter;

TEST(simulated_foresight, changes_no_result) {
    if (weft_test::rank() != 0) return; // the ranks are simulated
    weft::machine_model const machine = weft::built_in_machine();
    for (route const how : {route::direct, route::node_local, route::node_remote, route::nlnr})
        for (bool const shares : {false, true})
            for (bool const grows : {false, true})
                for (std::int64_t const bytes : {std::int64_t{65536}, std::int64_t{1} << 26}) {
                    SCOPED_TRACE(std::string(weft::name_of(how)) + ", " + std::to_string(bytes) + " bytes, " +
                                 (shares ? "shared, " : "") + (grows ? "grows" : ""));
                    outcome const usual = scatter(28, 4, how, bytes, 500, machine, shares, grows);
                    outcome const foreseen = scatter(28, 4, how, bytes, 500, machine, shares, grows, true);
                    EXPECT_EQ(foreseen.seconds, usual.seconds);
                    EXPECT_EQ(foreseen.messages, usual.messages);
                    EXPECT_EQ(foreseen.rings, usual.rings);
                    EXPECT_EQ(foreseen.rested > 0, !shares);
                }
}
