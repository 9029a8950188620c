#include <weft/extend/transport/mpi_transport.hpp>

#include <transport/rank_locals.hpp>

#include <weft/core/error.hpp>

#include "lane.hpp"

#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>

using weft::census_value;
using weft::request;
using weft::send_mode;
using weft_test::lane;
using weft_test::world;

TEST(mpi_transport, is_one_object_a_communicator) {
    lane const net;
    EXPECT_EQ(&weft::transport_of(net.comm), &net.via);
    EXPECT_NE(&weft::transport_of(world()), &net.via);
    EXPECT_EQ(net.via.rank(), world().rank());
    EXPECT_EQ(net.via.size(), world().size());
}

TEST(mpi_transport, knows_the_ranks_of_a_part) {
    weft::communicator const reversed = world().split(0, -world().rank());
    EXPECT_EQ(weft::transport_of(reversed).rank(), world().size() - 1 - world().rank());
}

TEST(mpi_transport, all_to_all_brings_word_i_to_rank_i) {
    lane const net;
    auto const size = static_cast<std::size_t>(net.via.size());
    for (int round = 0; round < 3; ++round) {
        std::vector<std::int64_t> mine(size);
        std::vector<std::int64_t> theirs(size, -1);
        for (std::size_t to = 0; to < size; ++to)
            mine[to] = (std::int64_t{1} << 40) * net.via.rank() + static_cast<std::int64_t>(to) + round;
        net.finish(net.via.all_to_all(mine, theirs));
        for (std::size_t from = 0; from < size; ++from)
            EXPECT_EQ(theirs[from],
                (std::int64_t{1} << 40) * static_cast<std::int64_t>(from) + net.via.rank() + round);
    }
}

TEST(mpi_transport, reduce_scatter_brings_the_sum_of_the_words_i_to_rank_i) {
    lane const net;
    auto const size = static_cast<std::size_t>(net.via.size());
    for (int round = 0; round < 3; ++round) {
        std::vector<std::int64_t> mine(size);
        for (std::size_t to = 0; to < size; ++to)
            mine[to] = (std::int64_t{1} << 40) * net.via.rank() + static_cast<std::int64_t>(to) + round;
        std::int64_t sum = -1;
        net.finish(net.via.reduce_scatter(mine, sum));
        std::int64_t const ranks = net.via.size();
        EXPECT_EQ(sum, (ranks * (ranks - 1) / 2 << 40) + ranks * (net.via.rank() + round));
    }
}

TEST(mpi_transport, sums_of_words_wrap) {
    lane const net;
    std::vector<std::int64_t> const mine(static_cast<std::size_t>(net.via.size()), INT64_MAX);
    std::int64_t sum = 0;
    net.finish(net.via.reduce_scatter(mine, sum));
    auto const ranks = static_cast<std::uint64_t>(net.via.size());
    EXPECT_EQ(sum, static_cast<std::int64_t>(ranks * static_cast<std::uint64_t>(INT64_MAX)));
}

TEST(mpi_transport, several_collectives_may_be_under_way) {
    lane const net;
    auto const size = static_cast<std::size_t>(net.via.size());
    std::array<std::vector<std::int64_t>, 4> theirs;
    std::vector<std::vector<std::int64_t>> mine;
    std::vector<request> pending;
    for (std::size_t i = 0; i < theirs.size(); ++i) {
        mine.emplace_back(size, net.via.rank() + 100 * static_cast<int>(i));
        theirs[i].resize(size);
    }
    for (std::size_t i = 0; i < theirs.size(); ++i) pending.push_back(net.via.all_to_all(mine[i], theirs[i]));
    for (std::size_t i = theirs.size(); i-- > 0;) net.finish(pending[i]);
    for (std::size_t i = 0; i < theirs.size(); ++i)
        for (std::size_t from = 0; from < size; ++from)
            EXPECT_EQ(theirs[i][from], static_cast<std::int64_t>(from + 100 * i));
}

TEST(mpi_transport, all_reduce_combines_the_values_of_all_ranks) {
    lane const net;
    int const size = net.via.size();
    int const rank = net.via.rank();
    census_value mine = census_value::identity();
    mine.sum = {1, rank, std::int64_t{1} << (40 + rank), -rank};
    mine.max = {rank, -rank, INT64_MIN, rank == size / 2 ? INT64_MAX : 0, 7, rank * rank};
    mine.any = std::uint64_t{1} << rank;
    census_value combined;
    net.finish(net.via.all_reduce(mine, combined));

    std::int64_t const triangle = size * (size - 1) / 2;
    std::int64_t const all = (std::int64_t{1} << size) - 1;
    EXPECT_EQ(combined.sum, (std::array<std::int64_t, 4>{size, triangle, all << 40, -triangle}));
    EXPECT_EQ(combined.max,
        (std::array<std::int64_t, 6>{size - 1, 0, INT64_MIN, INT64_MAX, 7, (size - 1) * (size - 1)}));
    EXPECT_EQ(combined.any, static_cast<std::uint64_t>(all));
}

TEST(mpi_transport, a_collective_is_not_complete_before_the_last_rank_has_begun_it) {
    lane const net;
    int const last = net.via.size() - 1;
    census_value mine = census_value::identity();
    mine.sum[0] = 1;
    census_value combined;
    request pending;
    if (net.via.rank() != last) {
        pending = net.via.all_reduce(mine, combined);
        double const until = net.via.seconds() + 0.05;
        bool too_early = false;
        while (!too_early && net.via.seconds() < until) too_early = net.via.test(pending);
        EXPECT_FALSE(too_early);
        net.finish(net.via.send(last, lane::control, {}, send_mode::standard));
    } else {
        for (int i = 0; i < last; ++i)
            (void)net.take(net.wait_for(weft::transport::any_source, lane::control));
        pending = net.via.all_reduce(mine, combined);
    }
    net.finish(pending);
    EXPECT_EQ(combined.sum[0], net.via.size());
}

TEST(mpi_transport, thousands_of_requests_may_be_open) {
    lane const net;
    constexpr int messages = 3000;
    std::vector<std::int32_t> rooms(messages, -1);
    std::vector<std::int32_t> mine(messages);
    std::vector<request> pending;
    for (int i = 0; i < messages; ++i) {
        auto const place = static_cast<std::size_t>(i);
        mine[place] = i;
        pending.push_back(
            net.via.receive(net.left(), lane::data, std::as_writable_bytes(std::span(&rooms[place], 1))));
    }
    for (std::int32_t const& each : mine)
        pending.push_back(
            net.via.send(net.right(), lane::data, std::as_bytes(std::span(&each, 1)), send_mode::standard));
    net.finish(pending);
    EXPECT_EQ(rooms, mine);
}

TEST(mpi_transport, destinations_outside_are_an_mpi_error) {
    lane const net;
    EXPECT_THROW((void)net.via.send(net.via.size(), lane::data, {}, send_mode::standard), weft::mpi_error);
    EXPECT_TRUE(weft::lone_failure_here().thrown); // which would end the job
    weft::lone_failure_here() = {};
}

// Needs 4.3 GB of memory; run with WEFT_TEST_LARGE=1.
TEST(mpi_transport, a_message_beyond_2_gib_arrives_whole) {
    char const* const wanted = std::getenv("WEFT_TEST_LARGE");
    if (wanted == nullptr || std::string(wanted) != "1" || world().size() != 2)
        GTEST_SKIP() << "set WEFT_TEST_LARGE=1 and run on 2 ranks";
    constexpr std::size_t size = (std::size_t{1} << 31) + 17;
    for (weft::probe_method const probe : {weft::probe_method::matched, weft::probe_method::plain}) {
        lane const net(weft::settings{.probe = probe});
        auto const room = std::make_unique<std::byte[]>(size);
        auto const value = [](std::size_t i) { return static_cast<std::byte>(i * 7 + (i >> 20)); };
        if (net.via.rank() == 0) {
            for (std::size_t i = 0; i < size; ++i) room[i] = value(i);
            net.finish(net.via.send(1, lane::data, {room.get(), size}, send_mode::synchronous));
        } else {
            weft::envelope const found = net.wait_for(0, lane::data);
            EXPECT_EQ(found.bytes, static_cast<std::int64_t>(size));
            net.finish(net.via.receive(found, {room.get(), static_cast<std::size_t>(found.bytes)}));
            std::size_t wrong = 0;
            for (std::size_t i = 0; i < size; ++i) wrong += room[i] != value(i);
            EXPECT_EQ(wrong, 0u);
        }
    }
}
