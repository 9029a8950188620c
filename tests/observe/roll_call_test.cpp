#include <observe/roll_call.hpp>

#include <weft/observe/counters.hpp>
#include <weft/protocol/collectives.hpp>

#include <harness/mpi_test.hpp>

#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

using weft_test::rank;
using weft_test::size;
using weft_test::world;

namespace {

weft::called_rank called(int rank, int of, weft::rank_doing doing, std::string verb, double since,
    std::string place = "", std::string inner = "") {
    weft::called_rank made;
    made.state.rank = rank;
    made.state.size = of;
    made.state.doing = doing;
    made.state.verb = std::move(verb);
    made.state.inner = std::move(inner);
    made.state.since = since;
    made.place = std::move(place);
    return made;
}

constexpr auto waits = weft::rank_doing::waits;
constexpr auto computes = weft::rank_doing::computes;

} // namespace

TEST(roll_call, ranks_of_which_the_same_is_said_are_one_phrase) {
    EXPECT_EQ(weft::sentence_of({called(0, 4, waits, "mailbox drain", 11.6, "degree.cpp:41"),
                  called(1, 4, computes, "mailbox send", 12.4, "degree.cpp:38"),
                  called(2, 4, waits, "mailbox drain", 12.1, "degree.cpp:41"),
                  called(3, 4, waits, "mailbox drain", 0.26, "degree.cpp:41")}),
        "3 of 4 ranks wait in mailbox drain at degree.cpp:41 (for 12 s); rank 1 is in user code at "
        "degree.cpp:38, "
        "last Weft call mailbox send (12 s ago)");
}

TEST(roll_call, what_is_not_known_is_left_out) {
    EXPECT_EQ(weft::sentence_of({called(0, 1, computes, "", 3)}),
        "rank 0 of 1 is in user code, before its first Weft call");
    EXPECT_EQ(weft::sentence_of({called(1, 3, waits, "partition", 2, "", "combine_all")}),
        "rank 1 of 3 waits in partition (combine_all) (for 2 s); 2 ranks are on other hosts, or have ended");
    EXPECT_EQ(weft::sentence_of({}), "");
}

TEST(roll_call, a_stopped_rank_and_long_lists_are_told_shortly) {
    std::vector<weft::called_rank> ranks;
    for (int r = 0; r < 30; ++r) ranks.push_back(called(r, 30, r < 16 ? waits : computes, "exchange", 5));
    ranks[20].state.stopped = true;
    EXPECT_EQ(weft::sentence_of(ranks), "16 of 30 ranks wait in exchange (for 5 s); ranks 16 to 19 and 21 to "
                                        "29 are in user code, last Weft call "
                                        "exchange (5 s ago); rank 20 is stopped by a signal, in user code, "
                                        "last Weft call exchange (5 s ago)");
}

TEST(rank_pages, every_rank_finds_all_of_its_job) {
    (void)weft::sum(world(), 1);
    std::vector<weft::shared_page> pages = weft::pages_on_this_node();
    weft::shared_page const mine = weft::page_of(getpid());
    ASSERT_NE(mine, nullptr);
    std::erase_if(pages, [&](weft::shared_page const& each) { return each->job != mine->job; });
    ASSERT_EQ(pages.size(), static_cast<std::size_t>(size()));
    for (int r = 0; r < size(); ++r) EXPECT_EQ(pages[static_cast<std::size_t>(r)]->rank, r);
    (void)weft::sum(world(), 1); // none leaves before all have looked
}

TEST(rank_pages, tells_operations_and_what_was_sent) {
    weft::shared_page const mine = weft::page_of(getpid());
    ASSERT_NE(mine, nullptr);
    weft::rank_state const before = weft::read_state(*mine);
    (void)weft::sum(world(), 1);
    weft::rank_state after = weft::read_state(*mine);
    using namespace std::chrono_literals;
    for (auto waited = 0ms; after.verb != "combine_all" && waited < 10s;
         waited += 10ms) { // until a sample is taken
        std::this_thread::sleep_for(10ms);
        after = weft::read_state(*mine);
    }
    EXPECT_EQ(after.rank, rank());
    EXPECT_EQ(after.size, size());
    EXPECT_EQ(after.pid, getpid());
    EXPECT_EQ(after.verb, "combine_all");
    EXPECT_EQ(after.doing, weft::rank_doing::computes);
    EXPECT_FALSE(after.stopped);
    EXPECT_EQ(after.operations, before.operations + 1);
    // How long a tick is, is known a little better each time.
    EXPECT_GE(after.communicated + after.waited, 0.99 * (before.communicated + before.waited));
    EXPECT_LE(after.communicated + after.waited, after.age);
    auto const sent_on = [](weft::communicator const& comm, std::int64_t bytes) {
        weft::counters& count = weft::counters_of(comm);
        ++count.messages;
        count.bytes += bytes;
    };
    { // what a communicator has counted stays when it is gone
        weft::communicator const part = world().split(0);
        std::int64_t const bytes = weft::read_state(*mine).bytes;
        sent_on(part, 1000);
        EXPECT_EQ(weft::read_state(*mine).bytes, bytes + 1000);
    }
    EXPECT_GE(weft::read_state(*mine).bytes, after.bytes + 1000);
}

TEST(rank_pages, a_process_without_one_has_none) {
    EXPECT_EQ(weft::page_of(getppid()), nullptr);
    EXPECT_EQ(weft::page_of(0), nullptr);
}
