#include "mailbox_rig.hpp"

#include <weft/exchange/exchange.hpp>
#include <weft/mpi.hpp>

#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weft_test {
namespace {

TEST(mailbox, an_empty_drain_is_one_wave) {
    for_all_ways([](weft::mailbox& mail) {
        auto const to = mail.channel<int>([](int) {});
        mail.drain();
        EXPECT_EQ(mail.counters().waves, 1);
        to.send(0, 1);
        mail.drain();
        std::int64_t const before = mail.counters().waves;
        EXPECT_GE(before, 2);
        for (int i = 0; i < 10; ++i) mail.drain();
        EXPECT_EQ(mail.counters().waves, before + 10);
    });
}

TEST(mailbox, several_are_alive_at_once_with_phases_of_their_own) {
    for_all_ways([](weft::mailbox& mail) {
        weft::mailbox other(mail.comm(), {.route = mail.route()});
        int heard = 0;
        int heard_by_other = 0;
        auto const to = mail.channel<int>([&](int item) { heard += item; });
        auto const by_other = other.channel<int>([&](int item) { heard_by_other += item; });
        for (int round = 1; round <= 20; ++round) {
            for (int r = 0; r < size(); ++r) {
                by_other.send(r, 2);
                to.send(r, 1);
            }
            mail.drain();
            EXPECT_EQ(heard, round * size());
            if (round % 2 != 0) continue;
            other.drain();
            EXPECT_EQ(heard_by_other, 2 * round * size());
        }
    });
}

TEST(mailbox, one_rank_may_wait_in_an_exchange_while_others_send_to_it) {
    for_all_ways(
        [](weft::mailbox& mail) {
            std::int64_t heard = 0;
            auto const to = mail.channel<std::int64_t>([&](std::int64_t) { ++heard; });
            std::int64_t const many = 50000; // beyond what buffers hold: somebody must handle them
            if (rank() != 0)
                for (std::int64_t i = 0; i < many; ++i) to.send(0, i);
            weft::outbox<int> out(mail.comm());
            out[0].push_back(rank());
            auto const in = weft::exchange(std::move(out));
            mail.drain();
            EXPECT_EQ(heard, rank() == 0 ? many * (size() - 1) : 0);
        },
        {.buffer_bytes = 65536});
}

TEST(mailbox, handlers_may_send_on_another_mailbox) {
    weft::mailbox first(world(), {.buffer_bytes = 65536});
    weft::mailbox second(world(), {.buffer_bytes = 65536});
    std::int64_t heard = 0;
    auto const end = second.channel<int>([&](int) { ++heard; });
    auto const begin = first.channel<int>([&](int item) {
        for (int r = 0; r < size(); ++r) end.send(r, item);
    });
    for (int i = 0; i < 3000; ++i) begin.send((rank() + i) % size(), i);
    first.drain();
    second.drain();
    EXPECT_EQ(heard, 3000 * size());
}

TEST(mailbox, dropping_one_that_was_not_drained_is_local) {
    for (int round = 0; round < 20; ++round) {
        weft::mailbox mail(world());
        auto const to = mail.channel<int>([](int) {});
        for (int i = 0; i < 100 * rank(); ++i) to.send(i % size(), i);
        if (round % 3 == 0) (void)mail.poll();
    }
    weft::mailbox mail(world());
    int heard = 0;
    auto const to = mail.channel<int>([&](int) { ++heard; });
    to.send(0, 1);
    mail.drain();
    EXPECT_EQ(heard, rank() == 0 ? size() : 0);
}

TEST(mailbox, many_one_after_the_other_leave_nothing) {
    for (int round = 0; round < 200; ++round) {
        weft::mailbox mail(world(), {.buffer_bytes = 65536});
        int heard = 0;
        auto const to = mail.channel<int>([&](int) { ++heard; });
        to.send((rank() + 1) % size(), round);
        mail.drain();
        EXPECT_EQ(heard, 1);
    }
}

TEST(mailbox, misuse_is_refused) {
    weft::mailbox mail(world());
    auto const drains = mail.channel<int>([&](int) { mail.drain(); });
    if (rank() == 0) drains.send(0, 1);
    EXPECT_THROW(mail.drain(), weft::usage_error);
    auto const tests = mail.channel<int>([&](int) { (void)mail.test_empty(); });
    if (rank() == 0) tests.send(0, 1);
    EXPECT_THROW(mail.drain(), weft::usage_error);
    mail.drain();
}

/// Drains, which must throw a `usage_error` of this text on all ranks.
void expect_refused(weft::mailbox& mail, std::string const& expected) {
    for (int round = 0; round < 2; ++round) { // it stays wrong
        try {
            mail.drain();
            ADD_FAILURE() << "no error on rank " << rank();
        } catch (weft::usage_error const& thrown) { EXPECT_EQ(std::string(thrown.what()), expected); }
    }
}

TEST(mailbox, unequal_channels_are_an_error_and_no_hang) {
    if (size() == 1) GTEST_SKIP() << "for two ranks and more";
    weft::mailbox mail(world());
    std::optional<weft::channel<int>> second;
    if (rank() == 0) second = mail.channel<int>([](int) {});
    if (second) second->send(1, 1);
    expect_refused(mail,
        "mailbox: channel 1 is a channel of 'int' of 4 bytes on rank 0 and missing on rank 1; all "
        "ranks must make the same, in one order");
}

/// Makes a channel of T on all ranks but the last, and there one of U, sends a lot, and drains.
template <class T, class U>
void expect_types_refused(std::string const& expected) {
    for_all_ways(
        [&](weft::mailbox& mail) {
            (void)mail.channel<int>([](int) {});
            auto const use = [&](auto item) {
                using type = decltype(item);
                auto const to =
                    mail.channel<type>([](type const&) { ADD_FAILURE() << "a handler was called"; });
                bool const is_last = rank() == size() - 1;
                for (int i = 0; i < 5000; ++i) to.send(is_last ? i % (size() - 1) : size() - 1, item);
            };
            if (rank() == size() - 1)
                use(U{});
            else
                use(T{});
            expect_refused(mail, expected);
        },
        {.buffer_bytes = 65536});
}

TEST(mailbox, channels_of_other_types_are_refused_before_a_handler_sees_them) {
    if (size() == 1) GTEST_SKIP() << "for two ranks and more";
    std::string const end =
        " on rank " + std::to_string(size() - 1) + "; all ranks must make the same, in one order";
    expect_types_refused<int, double>("mailbox: channel 2 is a channel of 'int' of 4 bytes on rank 0 and a "
                                      "channel of 'double' of 8 bytes" +
                                      end);
    expect_types_refused<int, float>(
        "mailbox: channel 2 is a channel of 'int' of 4 bytes on rank 0 and a channel "
        "of 'float' of 4 bytes" +
        end);
}

TEST(mailbox, combining_channels_and_services_of_other_types_are_refused) {
    if (size() == 1) GTEST_SKIP() << "for two ranks and more";
    bool const is_last = rank() == size() - 1;
    std::string const end =
        " on rank " + std::to_string(size() - 1) + "; all ranks must make the same, in one order";
    for_all_ways([&](weft::mailbox& mail) {
        if (is_last)
            (void)mail.channel<int>([](int) {});
        else
            (void)mail.channel<int>([](int) {},
                weft::combine_by{.key = [](int item) { return item; }, .merge = [](int&, int) {}});
        expect_refused(mail, "mailbox: channel 1 is a combining channel of 'int' of 4 bytes on rank 0 and a "
                             "channel of 'int' of 4 bytes" +
                                 end);
    });
    for_all_ways([&](weft::mailbox& mail) {
        if (is_last)
            (void)mail.service<int, int>([](int) { return 0; });
        else
            (void)mail.service<int, float>([](int) { return 0.0F; });
        expect_refused(
            mail, "mailbox: channel 1 is the answers of a service, 'float' of 4 bytes on rank 0 and "
                  "the answers of a service, 'int' of 4 bytes" +
                      end);
    });
}

/// Whether ranks run on several hosts: then those of a pretend node may have no memory in common.
bool on_several_hosts() {
    MPI_Comm host = MPI_COMM_NULL;
    MPI_Comm_split_type(weft::native_handle(world()), MPI_COMM_TYPE_SHARED, rank(), MPI_INFO_NULL, &host);
    int here = 0;
    MPI_Comm_size(host, &here);
    MPI_Comm_free(&host);
    return here < size();
}

TEST(mailbox, says_whether_memory_is_shared_and_why_not) {
    bool const may_lack_memory = on_several_hosts();
    for (way const& each : all_ways()) {
        weft::communicator const comm = each.comm();
        weft::mailbox const mail(comm, {.route = each.route});
        if (mail.why_not_shared().starts_with("/dev/shm")) continue; // too little of it here
        if (may_lack_memory && mail.why_not_shared().find("cannot map") != std::string::npos) continue;
        bool const expected = each.shared && comm.topology().largest_node() > 1;
        EXPECT_EQ(mail.shares_memory(), expected) << each.name() << ": " << mail.why_not_shared();
        EXPECT_EQ(mail.why_not_shared().empty(), expected);
        EXPECT_NE(mail.route(), weft::route::automatic);
    }
}

TEST(mailbox, counters_tell_how_messages_travelled) {
    if (size() < 4) GTEST_SKIP() << "for four ranks and more";
    auto const between = [](weft::route how, int items) {
        way const two_nodes{"2", how, true};
        weft::mailbox mail(two_nodes.comm(), {.route = how});
        auto const to = mail.channel<std::int64_t>([](std::int64_t) {});
        for (int i = 0; i < items; ++i)
            for (int r = 0; r < size(); ++r) to.send(r, i);
        mail.drain();
        return weft::sum(mail.comm(), mail.counters().between_buffers);
    };
    for (int const items : {1, 200})
        EXPECT_LE(3 * between(weft::route::node_remote, items), 2 * between(weft::route::direct, items))
            << items << " items";
}

/// Kibibytes beside the buffers; the address sanitizer keeps blocks for a while that were freed.
#ifdef __SANITIZE_ADDRESS__
constexpr std::int64_t other_memory = 8192;
#else
constexpr std::int64_t other_memory = 2048;
#endif

/// Kibibytes of resident memory.
std::int64_t resident() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmRSS:")) return std::stoll(line.substr(6));
    return 0;
}

TEST(mailbox, an_idle_one_takes_little_memory) {
    (void)weft::sum(world(), 1);
    std::int64_t const before = resident();
    weft::mailbox mail(world());
    mail.drain();
    EXPECT_LT(resident() - before, 4096);
}

/// Messages that handlers generate, all at once and in chains.
TEST(mailbox, a_storm_of_handlers_stays_within_the_bound) {
    std::int64_t const bound = std::int64_t{1} << 20;
    std::int64_t const messages = std::getenv("WEFT_TEST_LARGE") != nullptr ? 20'000'000 : 400'000;
    for (weft::route const how : {weft::route::direct, weft::route::nlnr})
        for (bool const shared : {true, false}) {
            way const taken{"2", how, shared};
            SCOPED_TRACE(taken.name());
            weft::communicator const comm = taken.comm();
            watch(comm);
            weft::mailbox mail(comm, {.route = how, .buffer_bytes = bound});
            std::int64_t handled = 0;
            auto const leaf = mail.channel<std::int64_t>([&](std::int64_t) { ++handled; });
            weft::channel<int>* again = nullptr;
            auto chain = mail.channel<int>([&](int left) {
                ++handled;
                if (left > 0) again->send((rank() + left) % size(), left - 1);
            });
            again = &chain;
            auto const burst = mail.channel<std::int64_t>([&](std::int64_t number) {
                for (std::int64_t i = 0; i < number; ++i) leaf.send(static_cast<int>(i % size()), i);
            });
            (void)weft::sum(comm, 1);
            std::int64_t const before = resident();
            for (int r = 0; r < size(); ++r) burst.send(r, messages / size() / size());
            for (int i = 0; i < 100; ++i) chain.send(i % size(), 999);
            mail.drain();
            EXPECT_EQ(
                weft::sum(comm, handled), messages / size() / size() * size() * size() + 100'000 * size());
            EXPECT_LE(mail.counters().spilled_bytes, bound / 4 + 65536 * 4);
            EXPECT_LT(resident() - before, bound / 1024 + other_memory);
        }
}

} // namespace
} // namespace weft_test
