/// Ranks block in MPI only where all have arrived: what is open goes on meanwhile.
#include <core/communicator_state.hpp>

#include <weft/exchange/exchange.hpp>
#include <weft/mailbox/mailbox.hpp>
#include <weft/protocol/collectives.hpp>

#include <harness/mpi_test.hpp>

#include <chrono>
#include <numeric>
#include <thread>

namespace {

using weft_test::rank;
using weft_test::size;
using weft_test::world;

/// What every test does while messages are under way.
struct blocking_call {
    char const* name;
    void (*call)();
};

weft::outbox<int> to_the_next(int value) {
    weft::outbox<int> out{world()};
    out[(rank() + 1) % size()].push_back(value);
    return out;
}

int from_the_last(weft::inbox<int> const& in) {
    for (auto [source, items] : in)
        if (source == (rank() + size() - 1) % size() && items.size() == 1) return items[0];
    return -1;
}

constexpr blocking_call calls[] = {
    {"split", [] { EXPECT_EQ(world().split(rank() % 2).size(), (size() + 1 - rank() % 2) / 2); }},
    {"with", [] { EXPECT_EQ(world().with(world().settings()).size(), size()); }},
    {"rsx", [] { (void)weft::exchange(to_the_next(1), {.protocol = weft::protocol::rsx}); }},
    {"make_communicator",
        [] {
            MPI_Comm other = MPI_COMM_NULL;
            MPI_Comm_dup(weft::native_handle(world()), &other);
            EXPECT_EQ(weft::make_communicator(other).size(), size());
            MPI_Comm_free(&other);
        }},
    {"mailbox", [] { weft::mailbox another{world()}; }},
};

class door : public testing::TestWithParam<blocking_call> {};

} // namespace

TEST_P(door, a_sender_without_room_arrives_all_the_same) {
    if (std::string(GetParam().name) == "make_communicator")
        return; // the MPI_Comm_dup of the test itself blocks
    std::int64_t sum = 0;
    weft::mailbox mail{world(), {.buffer_bytes = 1 << 17}};
    auto add = mail.channel<std::int64_t>([&](std::int64_t value) { sum += value; });
    std::int64_t const items = 300'000;
    if (rank() == 0)
        for (std::int64_t i = 0; i < items; ++i) add.send(size() - 1, i);
    GetParam().call();
    mail.drain();
    EXPECT_EQ(sum, rank() == size() - 1 ? items * (items - 1) / 2 : 0);
}

TEST_P(door, handlers_that_send_do_not_keep_their_rank_away) {
    if (std::string(GetParam().name) == "make_communicator") return;
    std::int64_t handled = 0;
    weft::mailbox mail{world(), {.buffer_bytes = 1 << 16}};
    weft::channel<int>* hop = nullptr;
    auto pass_on = mail.channel<int>([&](int hops) {
        ++handled;
        if (hops > 0)
            for (int i = 0; i < 2; ++i) hop->send((rank() + 1 + i) % size(), hops - 1);
    });
    hop = &pass_on;
    for (int i = 0; i < 20; ++i) pass_on.send((rank() + 1) % size(), 9);
    if (rank() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(30));
    GetParam().call();
    mail.drain();
    EXPECT_EQ(weft::sum(world(), handled), 20 * size() * 1023);
}

TEST_P(door, handles_are_completed_before_on_some_ranks_and_after_on_others) {
    for (auto const how :
        {weft::protocol::nbx, weft::protocol::pex, weft::protocol::pcx, weft::protocol::store_and_forward}) {
        auto under_way = weft::start_exchange(to_the_next(rank() + 100), {.protocol = how});
        bool const late = rank() % 2 == 0;
        if (late && std::string(GetParam().name) != "make_communicator") GetParam().call();
        EXPECT_EQ(from_the_last(std::move(under_way).get()), (rank() + size() - 1) % size() + 100);
        if (!late && std::string(GetParam().name) != "make_communicator") GetParam().call();
    }
}

INSTANTIATE_TEST_SUITE_P(
    every, door, testing::ValuesIn(calls), [](auto const& info) { return std::string(info.param.name); });

TEST(door_of_a_new_root, is_passed_while_an_exchange_of_another_is_open) {
    MPI_Comm other = MPI_COMM_NULL;
    MPI_Comm_dup(weft::native_handle(world()), &other);
    auto under_way = weft::start_exchange(to_the_next(7), {.protocol = weft::protocol::nbx});
    if (rank() % 2 == 0) (void)weft::make_communicator(other);
    EXPECT_EQ(from_the_last(std::move(under_way).get()), 7);
    if (rank() % 2 != 0) (void)weft::make_communicator(other);
    MPI_Comm_free(&other);
}

TEST(operations, more_than_the_window_wait_for_the_oldest) {
    weft::settings chosen = world().settings();
    chosen.tag_window = 8;
    weft::communicator const comm = world().with(chosen);
    std::vector<weft::pending_exchange<int>> open;
    for (int i = 0; i < 50; ++i) {
        // Some ranks give theirs up, and some are slow: none may hear another verdict than the others.
        if (i % 7 == rank() % 7) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        weft::outbox<int> out{comm};
        out[(rank() + i) % size()].push_back(i);
        open.push_back(weft::start_exchange(std::move(out), {.protocol = weft::protocol::nbx}));
        if (i % 3 == rank() % 3) open.erase(open.begin());
    }
    for (auto& each : open) EXPECT_EQ(std::move(each).get().size(), 1U);
}

// The rank that sends enters the collective census of its exchange late. MPI wants one order of collectives.
TEST(operations, of_a_collective_census_end_before_ranks_block) {
    weft::settings chosen = world().settings();
    chosen.all_reduce = weft::all_reduce_method::collective;
    chosen.header_above = 1 << 30;
    for (int round = 0; round < 3; ++round) {
        weft::communicator const one_by_one = world().with(chosen);
        weft::outbox<int> out{one_by_one};
        if (rank() == 0) out[size() - 1].append(std::vector<int>(1 << 22, round));
        auto const open = weft::start_exchange(std::move(out), {.protocol = weft::protocol::nbx});
        EXPECT_EQ(one_by_one.split(0).size(), size());
    }
}

TEST(roots, whose_parent_is_freed_while_a_handle_lives_do_not_pile_up) {
    auto const roots = weft::process_roots::get();
    for (int i = 0; i < 300; ++i) {
        MPI_Comm parent = MPI_COMM_NULL;
        MPI_Comm_dup(weft::native_handle(world()), &parent);
        weft::communicator const held = weft::make_communicator(parent);
        MPI_Comm_free(&parent);
        EXPECT_EQ(weft::sum(held, 1), size());
        EXPECT_LT(roots->orphans(), 20U);
    }
}
