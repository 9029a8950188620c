#include <weft/observe/counters.hpp>

#include <weft/exchange/exchange.hpp>
#include <weft/mailbox/mailbox.hpp>
#include <weft/protocol/collectives.hpp>

#include <harness/mpi_test.hpp>

#include <bit>

using weft::communicator;
using weft::counters;
using weft::counters_of;
using weft::settings;
using weft_test::world;

namespace {

/// Rank r sends r + 1 ints to every rank, itself included.
void send_to_all(communicator const& comm, weft::protocol how) {
    weft::outbox<int> out(comm);
    for (int to = 0; to < comm.size(); ++to)
        for (int i = 0; i <= comm.rank(); ++i) out[to].push_back(i);
    (void)weft::exchange(std::move(out), {.protocol = how});
}

/// The messages that a census of P ranks takes: one a round.
int rounds(int size) {
    return std::bit_width(static_cast<unsigned>(size - 1));
}

} // namespace

TEST(counters, begin_at_zero_and_are_one_object_a_communicator) {
    communicator const own = world().split(0);
    EXPECT_EQ(counters_of(own), counters{});
    communicator const copy = own; // NOLINT: the copy is the point
    EXPECT_EQ(&counters_of(own), &counters_of(copy));
    EXPECT_NE(&counters_of(own), &counters_of(world()));
}

TEST(counters, an_exchange_counts_messages_bytes_and_what_stays_here) {
    for (weft::protocol const how : {weft::protocol::nbx, weft::protocol::pex}) {
        communicator const own = world().split(0);
        send_to_all(own, how);
        counters const now = counters_of(own);
        std::int64_t const bytes = (own.rank() + 1) * static_cast<std::int64_t>(sizeof(int));
        EXPECT_EQ(now.messages, own.size() - 1);
        EXPECT_EQ(now.bytes, (own.size() - 1) * bytes);
        EXPECT_EQ(now.self_messages, 1);
        EXPECT_EQ(now.self_bytes, bytes);
        EXPECT_EQ(now.exchanges, 1);
        weft::topology const& nodes = own.topology();
        EXPECT_EQ(now.between_messages, own.size() - static_cast<int>(nodes.ranks_of(nodes.node()).size()));
        EXPECT_EQ(now.between_bytes, now.between_messages * bytes);
    }
}

TEST(counters, a_mailbox_counts_its_buffers_when_a_phase_has_ended) {
    communicator const own = world().split(0);
    weft::mailbox mail(own);
    auto to = mail.channel<int>([](int) {});
    counters const before = counters_of(own);
    for (int rank = 0; rank < own.size(); ++rank) to.send(rank, 1);
    mail.drain();
    counters const phase = counters_of(own) - before;
    weft::mailbox_counters const all = mail.counters();
    EXPECT_EQ(phase.messages, all.wire_buffers);
    EXPECT_EQ(phase.bytes, all.wire_bytes);
    EXPECT_EQ(phase.between_messages, all.between_buffers);
    EXPECT_EQ(phase.shared_buffers, all.ring_buffers);
    EXPECT_EQ(phase.waves, all.waves);
    EXPECT_GT(phase.messages + phase.shared_buffers, 0);
    counters const again = counters_of(own);
    mail.drain();
    EXPECT_EQ((counters_of(own) - again).shared_buffers, 0);
}

TEST(counters, empty_messages_count_as_messages_without_bytes) {
    communicator const own = world().split(0);
    weft::outbox<int> out(own);
    (void)out[(own.rank() + 1) % own.size()];
    (void)weft::exchange(std::move(out));
    counters const now = counters_of(own);
    EXPECT_EQ(now.messages + now.self_messages, 1);
    EXPECT_EQ(now.self_messages, own.size() == 1 ? 1 : 0);
    EXPECT_EQ(now.bytes + now.self_bytes, 0);
}

TEST(counters, an_exchange_in_which_nobody_sends_is_a_census_with_nbx_and_sizes_with_pex) {
    communicator const own = world().with(settings{});
    (void)weft::exchange(weft::outbox<int>(own), {.protocol = weft::protocol::nbx});
    counters const after_nbx = counters_of(own);
    EXPECT_EQ(after_nbx.messages, 0);
    EXPECT_EQ(after_nbx.small_all_reduces, 1);
    EXPECT_EQ(after_nbx.control_messages, rounds(own.size()));

    (void)weft::exchange(weft::outbox<int>(own), {.protocol = weft::protocol::pex});
    counters const phase = counters_of(own) - after_nbx;
    EXPECT_EQ(phase.messages, 0);
    EXPECT_EQ(phase.small_all_reduces, 0);
    EXPECT_EQ(phase.control_messages, own.size() - 1);
    EXPECT_EQ(phase.exchanges, 1);
}

TEST(counters, an_exchange_that_fails_has_sent_no_messages_with_pex) {
    communicator const own = world().split(0);
    weft::outbox<int> out(own);
    out[(own.rank() + 1) % own.size()].push_back(1);
    if (own.rank() == own.size() - 1) (void)out[own.size()];
    EXPECT_THROW((void)weft::exchange(std::move(out), {.protocol = weft::protocol::pex}), weft::usage_error);
    EXPECT_EQ(counters_of(own).messages, 0);
    EXPECT_EQ(counters_of(own).bytes, 0);
}

TEST(counters, a_sum_is_one_census) {
    communicator const own = world().with(settings{});
    (void)weft::sum(own, 1);
    counters const now = counters_of(own);
    EXPECT_EQ(now.small_all_reduces, 1);
    EXPECT_EQ(now.control_messages, rounds(own.size()));
    EXPECT_EQ(now.messages, 0);
    EXPECT_EQ(now.exchanges, 0);
}

TEST(counters, the_difference_of_two_readings_is_a_phase) {
    communicator const own = world().split(0);
    send_to_all(own, weft::protocol::nbx);
    counters const before = counters_of(own);
    EXPECT_EQ(before - before, counters{});
    send_to_all(own, weft::protocol::nbx);
    EXPECT_EQ(counters_of(own) - before, before) << "the same exchange again counts the same";
}
