/// The counters of rsx: that they work where they must, and that those of different communicators are
/// different.
#include "exchange_rig.hpp"

#include <weft/mpi.hpp>
#include <weft/observe/counters.hpp>

#include <algorithm>
#include <optional>

using weft::communicator;
using weft::exchange_options;
using weft::outbox;
using weft_test::all_of;
using weft_test::mail_from;
using weft_test::world;

namespace {

constexpr exchange_options by_rsx{.protocol = weft::protocol::rsx};

/// Whether all ranks share memory, whatever nodes they pretend to have. Collective.
bool on_one_node() {
    MPI_Comm node = MPI_COMM_NULL;
    MPI_Comm_split_type(weft::native_handle(world()), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    int ranks = 0;
    MPI_Comm_size(node, &ranks);
    MPI_Comm_free(&node);
    return weft::min(world(), ranks) == world().size();
}

/// Rounds in which rank r sends round, sender and `mark` to about half of the ranks; how many were wrong
/// here.
int wrong_rounds(communicator const& comm, int rounds, int mark) {
    auto const sends = [](int from, int to, int round) { return (from * 7 + to * 3 + round) % 5 < 3; };
    int wrong = 0;
    for (int round = 0; round < rounds; ++round) {
        outbox<int> out(comm);
        for (int to = 0; to < comm.size(); ++to)
            if (sends(comm.rank(), to, round)) out[to].append(std::vector<int>{round, comm.rank(), mark});
        mail_from<int> expected;
        for (int from = 0; from < comm.size(); ++from)
            if (sends(from, comm.rank(), round)) expected.push_back({from, {round, from, mark}});
        wrong += all_of(weft::exchange(std::move(out), by_rsx)) != expected;
    }
    return wrong;
}

/// rsx, or pcx in its place on all ranks or none.
void expect_fallbacks(communicator const& comm, int exchanges, bool none) {
    std::int64_t const here = weft::counters_of(comm).rsx_fallbacks;
    EXPECT_TRUE(here == 0 || here == exchanges) << here;
    EXPECT_EQ(weft::max(comm, here), weft::min(comm, here));
    if (none) { EXPECT_EQ(here, 0); }
    EXPECT_EQ(weft::counters_of(comm).exchanges, exchanges);
}

} // namespace

TEST(exchange_rsx, is_what_runs_where_memory_is_shared) {
    bool const shared = on_one_node();
    communicator const comm = world().split(0);
    EXPECT_EQ(wrong_rounds(comm, 200, 1), 0);
    expect_fallbacks(comm, 200, shared);
}

TEST(exchange_rsx, of_all_ranks_in_another_order_works_too) {
    bool const shared = on_one_node();
    communicator const comm = world().split(0, -world().rank());
    EXPECT_EQ(wrong_rounds(comm, 200, 2), 0);
    expect_fallbacks(comm, 200, shared);
}

// With Open MPI 4.1 the windows of two communicators that share no rank may be given the same memory.
TEST(exchange_rsx, parts_that_share_no_rank_do_not_meet) {
    bool const shared = on_one_node();
    int const rank = world().rank();
    int const size = world().size();
    for (int const color : {rank % 2, rank < size / 2 ? 0 : 1, rank}) {
        communicator const part = world().split(color, rank);
        EXPECT_EQ(wrong_rounds(part, 300, color), 0);
        expect_fallbacks(part, 300, shared);
    }
}

TEST(exchange_rsx, parts_and_the_whole_have_counters_of_their_own) {
    int const rank = world().rank();
    communicator const whole = world().split(0);
    communicator const odd_and_even = world().split(rank % 2, rank);
    communicator const reversed_part = world().split(rank % 3, -rank);
    for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(wrong_rounds(odd_and_even, 3 + rank % 2 * 2, 1 + rank % 2), 0);
        EXPECT_EQ(wrong_rounds(whole, 2, 5), 0);
        EXPECT_EQ(wrong_rounds(reversed_part, 1 + rank % 3, 7 + rank % 3), 0);
    }
}

TEST(exchange_rsx, counters_come_and_go_with_their_communicators) {
    for (int i = 0; i < 30; ++i) {
        communicator const part = world().split(world().rank() % 2, i % 2 == 0 ? 0 : -world().rank());
        EXPECT_EQ(wrong_rounds(part, 5, i), 0);
        communicator const narrow =
            part.with({.ranks_per_node = world().settings().ranks_per_node, .tag_window = 2});
        EXPECT_EQ(wrong_rounds(narrow, 5, i), 0);
    }
}

// Windows are freed together or not at all: a rank that waited here for one that does not come would hang.
TEST(exchange_rsx, one_rank_may_keep_what_the_others_drop_with_the_parent) {
    for (int keeper = 0; keeper < std::min(world().size(), 3); ++keeper) {
        std::optional<communicator> kept;
        MPI_Comm own = MPI_COMM_NULL;
        MPI_Comm_dup(weft::native_handle(world()), &own);
        {
            communicator const part = weft::make_communicator(own).split(0);
            EXPECT_EQ(wrong_rounds(part, 3, 1), 0);
            if (world().rank() == keeper) kept = part;
        }
        MPI_Comm_free(&own);
    }
}

TEST(exchange_rsx, counts_of_open_exchanges_are_kept_apart) {
    communicator const comm = world().split(0);
    int const size = comm.size();
    for (int round = 0; round < 10; ++round) {
        std::vector<weft::pending_exchange<int>> open;
        for (int i = 0; i < 8; ++i) {
            outbox<int> out(comm);
            for (int k = 0; k <= i % size; ++k) out[(comm.rank() + k) % size].push_back(100 * i + k);
            open.push_back(weft::start_exchange(std::move(out), by_rsx));
        }
        for (int i = 8; i-- > 0;) {
            auto const box = std::move(open[static_cast<std::size_t>(i)]).get();
            EXPECT_EQ(box.size(), static_cast<std::size_t>(i % size + 1));
            for (auto const& [source, items] : box)
                EXPECT_EQ(items.front(), 100 * i + (comm.rank() - source + size) % size);
        }
    }
}
