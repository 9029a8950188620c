/// The network of the tests keeps the promises of `transport`, and no more.
#include "memory_network.hpp"

#include <harness/mpi_test.hpp>

#include <set>

using weft::request;
using weft::send_mode;
using weft_test::adversary;
using weft_test::chooser;
using weft_test::memory_network;

namespace {

using bytes = std::vector<std::byte>;

bytes one(int value) {
    return {static_cast<std::byte>(value)};
}

/// Lets everything happen that can.
void settle(memory_network& network) {
    while (network.act()) {}
}

bool ask(weft::transport& via, request& pending) {
    for (int i = 0; i < 200; ++i)
        if (via.test(pending)) return true;
    return false;
}

std::optional<weft::envelope> look(weft::transport& via, int source, int tag) {
    for (int i = 0; i < 200; ++i)
        if (auto const found = via.probe(source, tag)) return found;
    return std::nullopt;
}

} // namespace

TEST(memory_network, messages_of_one_channel_keep_their_order_and_others_need_not) {
    std::set<std::pair<int, int>> firsts;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        std::mt19937_64 random(seed);
        chooser choices(seed);
        memory_network network(3, choices, adversary::drawn(random));
        std::vector<bytes> sent;
        std::vector<request> pending;
        for (int i = 0; i < 10; ++i) sent.push_back(one(i));
        for (int i = 0; i < 10; ++i)
            pending.push_back(
                network.at(i % 2).send(2, 0, sent[static_cast<std::size_t>(i)], send_mode::standard));
        settle(network);
        std::vector<int> got;
        for (int i = 0; i < 10; ++i) {
            auto const found = look(network.at(2), weft::transport::any_source, 0);
            ASSERT_TRUE(found);
            bytes room(1);
            request received = network.at(2).receive(*found, room);
            settle(network);
            ASSERT_TRUE(ask(network.at(2), received));
            got.push_back(static_cast<int>(room[0]));
        }
        std::vector<int> even;
        std::vector<int> odd;
        for (int const each : got) (each % 2 == 0 ? even : odd).push_back(each);
        EXPECT_EQ(even, (std::vector<int>{0, 2, 4, 6, 8}));
        EXPECT_EQ(odd, (std::vector<int>{1, 3, 5, 7, 9}));
        firsts.insert({got[0], got[1]});
        for (std::size_t i = 0; i < pending.size(); ++i)
            EXPECT_TRUE(ask(network.at(static_cast<int>(i % 2)), pending[i]));
        EXPECT_EQ(network.left_over(), "");
    }
    EXPECT_GT(firsts.size(), 2u) << "different seeds give different orders";
}

TEST(memory_network, a_synchronous_send_waits_for_its_receive) {
    chooser choices(1);
    memory_network network(2, choices, {.denial = 0});
    bytes const sent = one(7);
    request pending = network.at(0).send(1, 0, sent, send_mode::synchronous);
    settle(network);
    EXPECT_FALSE(network.at(0).test(pending));
    bytes room(1);
    request received = network.at(1).receive(0, 0, room);
    settle(network);
    EXPECT_TRUE(network.at(0).test(pending));
    EXPECT_TRUE(network.at(1).test(received));
    EXPECT_EQ(room, sent);
    EXPECT_EQ(network.left_over(), "");
}

TEST(memory_network, collectives_end_after_all_have_entered) {
    chooser choices(1);
    memory_network network(3, choices, {.denial = 0});
    std::vector<std::vector<std::int64_t>> mine{{0, 1, 2}, {10, 11, 12}, {20, 21, 22}};
    std::vector<std::vector<std::int64_t>> theirs(3, std::vector<std::int64_t>(3, -1));
    request first = network.at(0).all_to_all(mine[0], theirs[0]);
    request second = network.at(1).all_to_all(mine[1], theirs[1]);
    settle(network);
    EXPECT_FALSE(network.at(0).test(first));
    request third = network.at(2).all_to_all(mine[2], theirs[2]);
    settle(network);
    EXPECT_TRUE(network.at(0).test(first) && network.at(1).test(second) && network.at(2).test(third));
    EXPECT_EQ(theirs[1], (std::vector<std::int64_t>{1, 11, 21}));
}

TEST(memory_network, reduce_scatter_adds_up_word_i_for_rank_i) {
    chooser choices(1);
    memory_network network(2, choices, {.denial = 0});
    std::vector<std::vector<std::int64_t>> const mine{{1, INT64_MAX}, {10, 1}};
    std::vector<std::int64_t> sums(2, -1);
    request first = network.at(0).reduce_scatter(mine[0], sums[0]);
    settle(network);
    EXPECT_FALSE(network.at(0).test(first));
    request second = network.at(1).reduce_scatter(mine[1], sums[1]);
    settle(network);
    EXPECT_TRUE(network.at(0).test(first) && network.at(1).test(second));
    EXPECT_EQ(sums, (std::vector<std::int64_t>{11, INT64_MIN}));
    EXPECT_EQ(network.left_over(), "");
}

TEST(memory_network, complains_of_calls_that_break_the_contract) {
    chooser choices(1);
    memory_network network(2, choices, {.denial = 0});
    bytes const sent(3);
    request const first = network.at(0).send(1, 0, sent, send_mode::standard);
    settle(network);
    EXPECT_NE(network.left_over(), "");
    auto const found = network.at(1).probe(0, 0);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->bytes, 3);
    EXPECT_THROW((void)network.at(1).probe(0, 0), std::logic_error);
    bytes too_small(2);
    EXPECT_THROW((void)network.at(1).receive(*found, too_small), std::logic_error);
    EXPECT_THROW((void)network.at(1).send(2, 0, sent, send_mode::standard), std::logic_error);
    weft::census_value value;
    std::vector<std::int64_t> words(2);
    (void)network.at(0).all_to_all(words, words);
    EXPECT_THROW((void)network.at(1).all_reduce(value, value), std::logic_error);
    EXPECT_TRUE(first);
}

TEST(memory_network, is_the_same_for_the_same_seed) {
    auto const history = [](std::uint64_t seed) {
        chooser choices(seed);
        memory_network network(4, choices, {.denial = 0.3});
        std::vector<bytes> sent;
        for (int from = 0; from < 4; ++from) sent.push_back(one(from));
        for (int from = 0; from < 4; ++from)
            (void)network.at(from).send(0, 0, sent[static_cast<std::size_t>(from)], send_mode::standard);
        std::string told;
        for (int i = 0; i < 30; ++i) {
            network.act();
            auto const found = network.at(0).probe(weft::transport::any_source, 0);
            told += found ? std::to_string(found->source) : "-";
            bytes room(1);
            if (found) (void)network.at(0).receive(*found, room);
            settle(network); // while the room is there
        }
        return told;
    };
    EXPECT_EQ(history(5), history(5));
    EXPECT_NE(history(5), history(6));
}

TEST(memory_network, a_request_is_tested_to_its_end_once_and_by_its_rank) {
    chooser choices(1);
    memory_network network(2, choices, {.denial = 0, .eager = 1});
    bytes const sent = one(7);
    request pending = network.at(0).send(1, 0, sent, send_mode::standard);
    request copy = pending;
    EXPECT_THROW((void)network.at(1).test(copy), std::logic_error);
    EXPECT_TRUE(network.waits_for_something(0));
    EXPECT_FALSE(network.waits_for_something(1));
    EXPECT_TRUE(network.at(0).test(pending));
    EXPECT_FALSE(network.waits_for_something(0));
    EXPECT_THROW((void)network.at(0).test(copy), std::logic_error);
    bytes room(1);
    request received = network.at(1).receive(0, 0, room); // in the place of the first
    EXPECT_THROW((void)network.at(0).test(copy), std::logic_error);
    settle(network);
    EXPECT_TRUE(network.at(1).test(received));
    EXPECT_EQ(network.left_over(), "");
}

TEST(memory_network, does_not_grow_with_the_length_of_a_run) {
    chooser choices(1);
    memory_network network(2, choices, {.denial = 0});
    auto const once = [&] {
        bytes const sent = one(3);
        bytes room(1);
        std::vector<std::int64_t> words(2, 1);
        std::array<std::int64_t, 2> sums{};
        std::vector<std::pair<int, request>> open;
        open.emplace_back(0, network.at(0).send(1, 0, sent, send_mode::synchronous));
        open.emplace_back(1, network.at(1).receive(0, 0, room));
        open.emplace_back(0, network.at(0).reduce_scatter(words, sums[0]));
        open.emplace_back(1, network.at(1).reduce_scatter(words, sums[1]));
        settle(network);
        for (auto& [rank, each] : open) EXPECT_TRUE(network.at(rank).test(each));
        EXPECT_EQ(room, sent);
        EXPECT_EQ(sums[0], 2);
    };
    once();
    std::size_t const needed = network.capacity();
    for (int i = 0; i < 5000; ++i) once();
    EXPECT_EQ(network.capacity(), needed);
    EXPECT_EQ(network.left_over(), "");
}

TEST(memory_network, prepared_transfers_are_begun_many_times) {
    chooser choices(1);
    memory_network network(2, choices, {.denial = 0});
    bytes sent = one(0);
    bytes room(1);
    request out = network.at(0).prepare_send(1, 0, sent);
    request in = network.at(1).prepare_receive(0, 0, room);
    EXPECT_TRUE(network.at(0).test(out)) << "not under way";
    for (int i = 1; i < 5; ++i) {
        sent[0] = static_cast<std::byte>(i); // where it was prepared
        network.at(0).start(out);
        network.at(1).start(in);
        EXPECT_THROW(network.at(1).start(in), std::logic_error);
        EXPECT_THROW(network.at(1).discard(in), std::logic_error);
        settle(network);
        EXPECT_TRUE(network.at(0).test(out) && network.at(1).test(in));
        EXPECT_EQ(room, sent);
    }
    network.at(0).discard(out);
    network.at(1).discard(in);
    EXPECT_FALSE(out || in);
    EXPECT_EQ(network.left_over(), "");
}

TEST(memory_network, ranks_of_a_node_share_memory_call_by_call) {
    chooser choices(1);
    memory_network network(3, choices, {});
    std::vector<int> const node_of{0, 1, 0};
    auto const share = [&](int rank, std::size_t size) {
        return network.at(rank).share(weft::topology(rank, node_of), size);
    };
    auto const first = share(0, 100);
    auto const other_node = share(1, 100);
    auto const second = share(0, 100); // before the others of the node have asked for the first
    auto const first_of_last = share(2, 100);
    ASSERT_EQ(first.parts().size(), 2u);
    ASSERT_EQ(other_node.parts().size(), 1u);
    EXPECT_TRUE(std::ranges::equal(first.parts(), first_of_last.parts()));
    EXPECT_NE(first.parts()[0], second.parts()[0]);
    EXPECT_NE(first.parts()[0], other_node.parts()[0]);
    EXPECT_GE(first.parts()[1] - first.parts()[0], 100);
    for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(first.parts()[1][i], std::byte{0});
    EXPECT_THROW((void)share(2, 200), std::logic_error) << "another size than that of its node";
}

TEST(memory_network, may_be_a_machine_without_shared_memory) {
    chooser choices(1);
    memory_network network(2, choices, {});
    network.share_no_memory();
    auto const none = network.at(0).share(weft::topology(0, std::vector<int>{0, 0}), 100);
    EXPECT_FALSE(none);
    EXPECT_NE(none.why_not(), "");
}
