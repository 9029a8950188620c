/// Long messages that travel as they are, over MPI. Under the adversary they are part of mail_engine_test.
#include "mailbox_rig.hpp"

#include <weft/core/error.hpp>
#include <weft/mailbox/mailbox.hpp>
#include <weft/protocol/collectives.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

using weft_test::for_all_ways;
using weft_test::rank;
using weft_test::size;
using weft_test::world;

namespace {

constexpr std::size_t long_words = 40'000; // beyond all buffers of the mailboxes here

weft::communicator each_rank_on_a_node() {
    weft::settings chosen = world().settings();
    chosen.ranks_per_node = "1";
    return world().with(chosen);
}

} // namespace

TEST(long_transfers, one_is_one_message_beside_its_announcement) {
    weft::communicator const comm = each_rank_on_a_node();
    weft::mailbox mail(comm, {.route = weft::route::direct, .buffer_bytes = 65536});
    std::size_t heard = 0;
    auto const to = mail.channel<std::vector<std::uint64_t>>(
        [&](std::span<std::uint64_t const> got) { heard += got.size(); });
    int const last = size() - 1;
    if (rank() == 0 && last > 0) to.send(last, std::vector<std::uint64_t>(100 * long_words));
    mail.drain();
    if (last == 0) return;
    EXPECT_EQ(heard, rank() == last ? 100 * long_words : 0);
    weft::mailbox_counters const counted = mail.counters();
    EXPECT_EQ(counted.wire_buffers, rank() == 0 ? 2 : 0);
    EXPECT_EQ(counted.between_buffers, counted.wire_buffers);
    if (rank() == 0) {
        EXPECT_GT(counted.wire_bytes, static_cast<std::int64_t>(800 * long_words));
        EXPECT_LT(counted.wire_bytes, static_cast<std::int64_t>(800 * long_words + 200));
    }
    EXPECT_EQ(counted.spilled_bytes, 0);
}

TEST(long_transfers, they_keep_their_place_among_short_ones) {
    for_all_ways(
        [](weft::mailbox& mail) {
            std::vector<std::uint64_t> next(static_cast<std::size_t>(size()), 0);
            int wrong = 0;
            std::uint64_t heard = 0;
            auto const to =
                mail.channel<std::vector<std::uint64_t>>([&](int source, std::span<std::uint64_t const> got) {
                    std::uint64_t& expected = next[static_cast<std::size_t>(source)];
                    wrong +=
                        got.front() != expected || got.back() != expected || got[got.size() / 2] != expected;
                    ++expected;
                    ++heard;
                });
            constexpr std::uint64_t each = 12;
            for (std::uint64_t i = 0; i < each; ++i)
                for (int r = 0; r < size(); ++r) {
                    std::size_t const words = i % 3 == 2 ? long_words : i % 3 == 1 ? 1500 : 3;
                    to.send((rank() + r) % size(), std::vector<std::uint64_t>(words, i));
                }
            mail.drain();
            EXPECT_EQ(wrong, 0);
            EXPECT_EQ(heard, each * static_cast<std::uint64_t>(size()));
        },
        {.buffer_bytes = 65536});
}

TEST(long_transfers, handlers_answer_with_long_ones) {
    for_all_ways(
        [](weft::mailbox& mail) {
            using words = std::vector<std::uint64_t>;
            std::uint64_t heard = 0;
            std::optional<weft::channel<words>> back;
            auto const there = mail.channel<words>([&](int source, std::span<std::uint64_t const> got) {
                back->send(source, words(got.size(), got.front() + 1));
            });
            back = mail.channel<words>([&](std::span<std::uint64_t const> got) {
                EXPECT_EQ(got.front(), 8U);
                EXPECT_EQ(got.back(), 8U);
                heard += got.size();
            });
            for (int r = 0; r < 2 * size(); ++r) there.send(r % size(), words(long_words, 7));
            mail.drain();
            EXPECT_EQ(heard, 2 * long_words * static_cast<std::uint64_t>(size()));
        },
        {.buffer_bytes = 65536});
}

TEST(long_transfers, a_handler_of_one_that_throws_is_an_error_everywhere) {
    for_all_ways(
        [](weft::mailbox& mail) {
            std::uint64_t heard = 0;
            auto const to = mail.channel<std::vector<std::uint64_t>>([&](std::span<std::uint64_t const> got) {
                if (got.front() == 13) throw std::runtime_error("thirteen");
                ++heard;
            });
            int const unlucky = size() / 2;
            for (int round = 0; round < 2; ++round) {
                for (int r = 0; r < size(); ++r) {
                    to.send(r, std::vector<std::uint64_t>(long_words, rank() == 0 && r == unlucky ? 13 : 1));
                    to.send(r, {2});
                }
                EXPECT_THROW(mail.drain(), std::runtime_error);
                heard = 0;
                for (int r = 0; r < size(); ++r) to.send(r, std::vector<std::uint64_t>(long_words, 1));
                mail.drain();
                EXPECT_EQ(heard, static_cast<std::uint64_t>(size()));
            }
        },
        {.buffer_bytes = 65536});
}

TEST(long_transfers, who_sends_to_a_rank_that_has_left_is_told_so) {
    if (size() == 1) return;
    weft::communicator const comm = each_rank_on_a_node();
    for (int round = 0; round < 5; ++round) {
        {
            weft::mailbox mail(comm, {.buffer_bytes = 65536});
            auto const to = mail.channel<std::vector<std::uint64_t>>([](std::span<std::uint64_t const>) {});
            if (rank() == 0) { // its announcement may be read before that, or not
                if (round % 2 == 1) (void)mail.poll();
                to.send(1, {1});
            } else {
                to.send(0, std::vector<std::uint64_t>(long_words));
                EXPECT_THROW(mail.drain(), weft::remote_error);
            }
        }
        weft::mailbox mail(comm, {.buffer_bytes = 65536});
        int heard = 0;
        auto const to =
            mail.channel<std::vector<std::uint64_t>>([&](std::span<std::uint64_t const>) { ++heard; });
        to.send(0, std::vector<std::uint64_t>(long_words));
        mail.drain();
        EXPECT_EQ(heard, rank() == 0 ? size() : 0);
    }
}

TEST(long_transfers, they_come_for_channels_that_are_made_later) {
    if (size() == 1) return;
    weft::communicator const comm = each_rank_on_a_node();
    weft::mailbox mail(comm, {.buffer_bytes = 1 << 20});
    std::uint64_t heard = 0;
    auto const count = [&](std::span<std::uint64_t const> got) { heard += got.size(); };
    auto const first = mail.channel<std::vector<std::uint64_t>>(count);
    if (rank() == 0) {
        auto const second = mail.channel<std::vector<std::uint64_t>>(count);
        for (int r = 1; r < size(); ++r) second.send(r, std::vector<std::uint64_t>(10 * long_words));
        for (int r = 1; r < size(); ++r) first.send(r, {1});
        mail.drain();
    } else {
        while (heard == 0) (void)mail.poll(); // what came before it waits meanwhile
        EXPECT_EQ(heard, 1U);
        (void)mail.channel<std::vector<std::uint64_t>>(count);
        mail.drain();
        EXPECT_EQ(heard, 1 + 10 * long_words);
    }
}
