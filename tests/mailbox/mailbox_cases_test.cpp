// The cases that went wrong in other libraries, on every route and placement.
#include "mailbox_rig.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace weft_test {
namespace {

TEST(mailbox_cases, one_rank_sends_to_each_and_all_to_all) {
    for_all_ways([](weft::mailbox& mail) {
        int heard = 0;
        auto const to = mail.channel<int>([&](int) { ++heard; });
        if (rank() == 0)
            for (int r = 0; r < size(); ++r) to.send(r, 7);
        mail.drain();
        EXPECT_EQ(heard, 1);
        heard = 0;
        for (int r = 0; r < size(); ++r) to.send(r, 7);
        mail.drain();
        EXPECT_EQ(heard, size());
    });
}

TEST(mailbox_cases, a_hundred_broadcasts_from_every_rank) {
    for_all_ways([](weft::mailbox& mail) {
        std::vector<int> heard(static_cast<std::size_t>(size()));
        auto const all = mail.channel<int>([&](int source) { ++heard[static_cast<std::size_t>(source)]; });
        for (int i = 0; i < 100; ++i) all.broadcast(rank());
        mail.drain();
        EXPECT_EQ(heard, std::vector<int>(static_cast<std::size_t>(size()), 100));
    });
}

TEST(mailbox_cases, rounds_do_not_mix) {
    for_all_ways([](weft::mailbox& mail) {
        int round = 0;
        int wrong = 0;
        int heard = 0;
        auto const all = mail.channel<int>([&](int sent_in) {
            wrong += sent_in != round;
            ++heard;
        });
        for (; round < rounds(100); ++round) {
            all.broadcast(round);
            mail.drain();
        }
        EXPECT_EQ(wrong, 0);
        EXPECT_EQ(heard, rounds(100) * size());
    });
}

TEST(mailbox_cases, long_vectors_through_small_buffers) {
    // Of more ranks each waits for its core at every buffer.
    std::size_t const length = std::size_t{1} << (size() > 4 ? 16 : 18);
    for_all_ways(
        [&](weft::mailbox& mail) {
            std::vector<int> right(static_cast<std::size_t>(size()));
            auto const to = mail.channel<std::vector<std::uint64_t>>(
                [&](int source, std::vector<std::uint64_t> const& got) {
                    bool good = got.size() == length;
                    for (std::size_t i = 0; i < got.size(); i += 97)
                        good = good && got[i] == i + static_cast<std::size_t>(source);
                    right[static_cast<std::size_t>(source)] += good;
                });
            std::vector<std::uint64_t> mine(length);
            std::iota(mine.begin(), mine.end(), static_cast<std::uint64_t>(rank()));
            for (int r = 0; r < size(); ++r) to.send(r, mine);
            mail.drain();
            EXPECT_EQ(right, std::vector<int>(static_cast<std::size_t>(size()), 1));
        },
        {.buffer_bytes = 65536});
}

TEST(mailbox_cases, a_tree_of_messages_with_payload) {
    int const hops = 11;
    for_all_ways([&](weft::mailbox& mail) {
        std::int64_t executed = 0;
        std::mt19937_64 chance = random(static_cast<std::uint64_t>(rank()));
        weft::channel<std::vector<int>>* to = nullptr;
        auto made = mail.channel<std::vector<int>>([&](std::vector<int> const& got) {
            ++executed;
            EXPECT_EQ(got.size(), 1024u);
            if (got[0] == 0) return;
            std::vector<int> next(1024, got[0] - 1);
            for (int twice = 0; twice < 2; ++twice)
                to->send(static_cast<int>(chance() % static_cast<unsigned>(size())), next);
        });
        to = &made;
        if (rank() == 0) made.send(size() - 1, std::vector<int>(1024, hops - 1));
        mail.drain();
        EXPECT_EQ(weft::sum(mail.comm(), executed), (1 << hops) - 1);
    });
}

TEST(mailbox_cases, a_ring_with_progress_inside_the_handler) {
    for_all_ways([](weft::mailbox& mail) {
        std::int64_t handled = 0;
        weft::channel<int>* to = nullptr;
        auto made = mail.channel<int>([&](int left) {
            ++handled;
            mail.poll();
            if (left > 0) to->send((rank() + 1) % size(), left - 1);
        });
        to = &made;
        int const hops = rounds(100) * size();
        if (rank() == 0) made.send(0, hops);
        mail.drain();
        EXPECT_EQ(weft::sum(mail.comm(), handled), hops + 1);
    });
}

TEST(mailbox_cases, a_handler_that_throws_is_an_error_everywhere) {
    for_all_ways([](weft::mailbox& mail) {
        int heard = 0;
        auto const to = mail.channel<int>([&](int value) {
            if (value == 13) throw std::runtime_error("thirteen");
            ++heard;
        });
        int const unlucky = size() / 2;
        for (int round = 0; round < 3; ++round) {
            for (int r = 0; r < size(); ++r) to.send(r, rank() == 0 && r == unlucky ? 13 : 1);
            try {
                mail.drain();
                ADD_FAILURE() << "no error on rank " << rank();
            } catch (weft::remote_error const& thrown) {
                EXPECT_NE(rank(), unlucky);
                EXPECT_EQ(thrown.rank(), unlucky);
                EXPECT_NE(std::string(thrown.what()).find("thirteen"), std::string::npos) << thrown.what();
                EXPECT_NE(std::string(thrown.what()).find("channel 1"), std::string::npos) << thrown.what();
            } catch (std::runtime_error const& thrown) {
                EXPECT_EQ(rank(), unlucky) << thrown.what();
                EXPECT_STREQ(thrown.what(), "thirteen");
            }
            heard = 0;
            for (int r = 0; r < size(); ++r) to.send(r, 1);
            mail.drain();
            EXPECT_EQ(heard, size());
        }
    });
}

TEST(mailbox_cases, order_is_kept_for_each_source_and_channel) {
    for_all_ways(
        [](weft::mailbox& mail) {
            std::vector<std::int64_t> last(2 * static_cast<std::size_t>(size()), -1);
            int wrong = 0;
            auto const receive = [&](int channel) {
                return [&, channel](int source, std::int64_t number) {
                    std::int64_t& before =
                        last[2 * static_cast<std::size_t>(source) + static_cast<std::size_t>(channel)];
                    wrong += number != before + 1;
                    before = number;
                };
            };
            auto const one = mail.channel<std::int64_t>(receive(0));
            auto const other = mail.channel<std::int64_t>(receive(1));
            std::mt19937_64 chance = random(static_cast<std::uint64_t>(rank()));
            std::vector<std::int64_t> next(2 * static_cast<std::size_t>(size()), 0);
            for (int i = 0; i < 20000; ++i) {
                auto const r = static_cast<std::size_t>(chance() % static_cast<unsigned>(size()));
                auto const c = static_cast<std::size_t>(chance() % 2);
                (c == 0 ? one : other).send(static_cast<int>(r), next[2 * r + c]++);
            }
            mail.drain();
            EXPECT_EQ(wrong, 0);
            std::int64_t const got = std::accumulate(last.begin(), last.end(), std::int64_t{0}) +
                                     static_cast<std::int64_t>(last.size());
            EXPECT_EQ(weft::sum(mail.comm(), got), 20000 * size());
        },
        {.buffer_bytes = 65536});
}

TEST(mailbox_cases, test_empty_ends_when_all_queues_are_empty) {
    for_all_ways([](weft::mailbox& mail) {
        // Work waits in a queue of the application; a handler only adds to it.
        std::vector<int> queue;
        std::int64_t done = 0;
        auto const to = mail.channel<int>([&](int hops) { queue.push_back(hops); });
        std::mt19937_64 chance = random(static_cast<std::uint64_t>(rank()));
        for (int phase = 0; phase < 5; ++phase) {
            if (rank() % 2 == 0) queue.assign(20, 30);
            std::int64_t const before = weft::sum(mail.comm(), static_cast<std::int64_t>(queue.size()));
            done = 0;
            while (true) {
                if (queue.empty()) {
                    if (mail.test_empty()) break;
                    continue;
                }
                int const hops = queue.back();
                queue.pop_back();
                ++done;
                if (hops > 0) to.send(static_cast<int>(chance() % static_cast<unsigned>(size())), hops - 1);
            }
            EXPECT_TRUE(queue.empty());
            EXPECT_EQ(weft::sum(mail.comm(), done), 31 * before);
        }
    });
}

} // namespace
} // namespace weft_test
