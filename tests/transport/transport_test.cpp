/// What `transport` promises, checked over MPI with both ways to receive.
#include <weft/extend/transport/transport.hpp>

#include "lane.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <random>
#include <string>

using weft::envelope;
using weft::probe_method;
using weft::request;
using weft::send_mode;
using weft::settings;
using weft_test::bytes;
using weft_test::lane;
using weft_test::pattern;

namespace {

class transport_contract : public testing::TestWithParam<probe_method> {
protected:
    lane net{settings{.probe = GetParam()}};
};

std::vector<std::size_t> const interesting_sizes{
    0, 1, 7, 4095, (1 << 16) - 1, 1 << 16, (1 << 16) + 1, 3'000'001};

} // namespace

INSTANTIATE_TEST_SUITE_P(probes, transport_contract,
    testing::Values(probe_method::matched, probe_method::plain),
    [](auto const& info) { return std::string(weft::name_of(info.param)); });

TEST(request, a_null_one_is_complete) {
    lane const net;
    request null;
    EXPECT_FALSE(null);
    EXPECT_TRUE(net.via.test(null));
}

TEST_P(transport_contract, messages_of_every_size_arrive_whole) {
    for (send_mode const mode : {send_mode::standard, send_mode::synchronous})
        for (std::size_t const size : interesting_sizes) {
            bytes const mine = pattern(size, net.via.rank(), net.right());
            request const sent = net.via.send(net.right(), lane::data, mine, mode);
            envelope const found = net.wait_for(weft::transport::any_source, lane::data);
            EXPECT_EQ(found.source, net.left());
            EXPECT_EQ(found.tag, lane::data);
            EXPECT_EQ(found.bytes, static_cast<std::int64_t>(size));
            EXPECT_EQ(net.take(found), pattern(size, net.left(), net.via.rank()));
            net.finish(sent);
        }
}

TEST_P(transport_contract, receives_of_known_source_and_size_need_no_probe) {
    for (std::size_t const size : interesting_sizes) {
        bytes room(size);
        request const received = net.via.receive(net.left(), lane::data, room);
        bytes const mine = pattern(size, net.via.rank(), net.right());
        net.finish(net.via.send(net.right(), lane::data, mine, send_mode::standard));
        net.finish(received);
        EXPECT_EQ(room, pattern(size, net.left(), net.via.rank()));
    }
}

TEST_P(transport_contract, a_message_may_be_shorter_than_the_room) {
    bytes room(100, std::byte{0xee});
    request const received = net.via.receive(net.left(), lane::data, room);
    bytes const mine = pattern(40, net.via.rank(), net.right());
    net.finish(net.via.send(net.right(), lane::data, mine, send_mode::standard));
    net.finish(received);
    EXPECT_TRUE(std::ranges::equal(std::span(room).first(40), pattern(40, net.left(), net.via.rank())));
    EXPECT_EQ(room[40], std::byte{0xee});
}

TEST_P(transport_contract, a_completed_request_becomes_null) {
    request sent = net.via.send(net.right(), lane::data, {}, send_mode::standard);
    EXPECT_TRUE(sent);
    (void)net.take(net.wait_for(net.left(), lane::data));
    weft::drive(
        weft::backoff(64), [&] { return net.via.test(sent) ? weft::progress::done : weft::progress::none; });
    EXPECT_FALSE(sent);
    EXPECT_TRUE(net.via.test(sent));
}

TEST_P(transport_contract, messages_of_a_pair_arrive_in_the_order_of_sending) {
    constexpr int messages = 50;
    std::vector<bytes> mine;
    std::vector<request> sent;
    for (int i = 0; i < messages; ++i)
        mine.push_back(
            pattern(static_cast<std::size_t>(i % 7 == 0 ? 100'000 : i), net.via.rank(), net.right(), i));
    for (int i = 0; i < messages; ++i)
        sent.push_back(net.via.send(net.right(), lane::data, mine[static_cast<std::size_t>(i)],
            i % 3 == 0 ? send_mode::synchronous : send_mode::standard));
    for (int i = 0; i < messages; ++i)
        EXPECT_EQ(net.take(net.wait_for(weft::transport::any_source, lane::data)),
            pattern(static_cast<std::size_t>(i % 7 == 0 ? 100'000 : i), net.left(), net.via.rank(), i))
            << "message " << i;
    net.finish(sent);
}

TEST_P(transport_contract, probed_messages_may_be_received_together) {
    // Every rank sends to every rank; all receives are begun before one is waited for.
    int const size = net.via.size();
    std::vector<bytes> mine;
    std::vector<bytes> rooms(static_cast<std::size_t>(size));
    std::vector<request> pending;
    for (int to = 0; to < size; ++to) mine.push_back(pattern(70'000, net.via.rank(), to));
    for (int to = 0; to < size; ++to)
        pending.push_back(
            net.via.send(to, lane::data, mine[static_cast<std::size_t>(to)], send_mode::synchronous));
    for (int i = 0; i < size; ++i) {
        envelope const found = net.wait_for(weft::transport::any_source, lane::data);
        bytes& room = rooms[static_cast<std::size_t>(found.source)];
        EXPECT_TRUE(room.empty()) << "two messages from rank " << found.source;
        room.resize(static_cast<std::size_t>(found.bytes));
        pending.push_back(net.via.receive(found, room));
    }
    std::ranges::shuffle(pending, std::mt19937(static_cast<unsigned>(net.via.rank())));
    net.finish(pending);
    for (int from = 0; from < size; ++from)
        EXPECT_EQ(rooms[static_cast<std::size_t>(from)], pattern(70'000, from, net.via.rank()));
}

TEST_P(transport_contract, a_probe_sees_only_its_source_and_tag) {
    bytes const mine = pattern(5, net.via.rank(), net.right());
    request const sent = net.via.send(net.right(), lane::data, mine, send_mode::standard);
    envelope const found = net.wait_for(net.left(), lane::data);
    bytes const received = net.take(found);
    EXPECT_EQ(found.source, net.left());
    EXPECT_EQ(received, pattern(5, net.left(), net.via.rank()));
    for (int source = -1; source < net.via.size(); ++source) {
        EXPECT_FALSE(net.via.probe(source, lane::control)) << "nothing was sent with this tag";
        EXPECT_FALSE(net.via.probe(source, lane::data)) << "the message is received";
    }
    net.finish(sent);
}

TEST_P(transport_contract, a_probe_of_one_source_leaves_the_messages_of_others) {
    // All send to rank 0, which takes them from the highest rank down.
    bytes const mine = pattern(33, net.via.rank(), 0);
    request const sent = net.via.send(0, lane::data, mine, send_mode::synchronous);
    for (int from = net.via.size() - 1; net.via.rank() == 0 && from >= 0; --from) {
        envelope const found = net.wait_for(from, lane::data);
        EXPECT_EQ(found.source, from);
        EXPECT_EQ(net.take(found), pattern(33, from, 0));
    }
    net.finish(sent);
}

TEST_P(transport_contract, tags_keep_messages_apart) {
    bytes const first = pattern(10, net.via.rank(), net.right(), 1);
    bytes const second = pattern(20, net.via.rank(), net.right(), 2);
    std::vector<request> const sent{net.via.send(net.right(), lane::data, first, send_mode::standard),
        net.via.send(net.right(), lane::control, second, send_mode::standard)};
    EXPECT_EQ(net.take(net.wait_for(net.left(), lane::control)), pattern(20, net.left(), net.via.rank(), 2));
    EXPECT_EQ(net.take(net.wait_for(net.left(), lane::data)), pattern(10, net.left(), net.via.rank(), 1));
    net.finish(sent);
}

TEST_P(transport_contract, a_rank_can_send_to_itself) {
    for (send_mode const mode : {send_mode::standard, send_mode::synchronous})
        for (std::size_t const size : {std::size_t{0}, std::size_t{1}, std::size_t{300'000}}) {
            bytes const mine = pattern(size, net.via.rank(), net.via.rank());
            request const sent = net.via.send(net.via.rank(), lane::data, mine, mode);
            EXPECT_EQ(net.take(net.wait_for(net.via.rank(), lane::data)), mine);
            net.finish(sent);
        }
}

TEST_P(transport_contract, a_synchronous_send_is_complete_only_when_its_receive_has_begun) {
    // The right neighbour receives only after this rank has looked at its own send for a while.
    bytes const mine = pattern(8, net.via.rank(), net.right());
    request sent = net.via.send(net.right(), lane::data, mine, send_mode::synchronous);
    double const until = net.via.seconds() + 0.05;
    bool too_early = false;
    do too_early = net.via.test(sent) || too_early;
    while (!too_early && net.via.seconds() < until);
    EXPECT_FALSE(too_early);
    request const go = net.via.send(net.right(), lane::control, {}, send_mode::standard);

    (void)net.take(net.wait_for(net.left(), lane::control));
    EXPECT_EQ(net.take(net.wait_for(net.left(), lane::data)), pattern(8, net.left(), net.via.rank()));
    net.finish(sent);
    net.finish(go);
}

TEST_P(transport_contract, the_clock_goes_forward) {
    double const before = net.via.seconds();
    while (net.via.seconds() <= before) {}
    EXPECT_LT(net.via.seconds() - before, 60.0);
}
