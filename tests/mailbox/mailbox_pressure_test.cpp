// Buffers that are far too small: senders block and wait, and nobody waits for ever.
#include "mailbox_rig.hpp"

#include <weft/mailbox/combining_channel.hpp>

#include <chrono>
#include <cstdint>
#include <random>
#include <thread>
#include <vector>

namespace weft_test {
namespace {

/// The least that there is: a slot of each class on the wire, and every handler beyond the bound.
constexpr std::int64_t tiny = 4096;

struct weight {
    std::uint64_t key;
    std::int64_t grams;
};

TEST(mailbox_pressure, items_that_combine_where_they_pass_through) {
    for_all_ways(
        [](weft::mailbox& mail) {
            std::int64_t got = 0;
            auto const to = mail.channel<weight>([&](weight const& each) { got += each.grams; },
                weft::combine_by{.key = [](weight const& each) { return each.key; },
                    .merge = [](weight& into, weight const& from) { into.grams += from.grams; },
                    .entries = 64});
            std::mt19937_64 chance = random(static_cast<std::uint64_t>(rank()));
            constexpr int items = 5000; // of many more keys than entries, so that each displaces another
            for (int i = 0; i < items; ++i)
                to.send(static_cast<int>(chance() % static_cast<unsigned>(size())), {chance() % 100000, 1});
            mail.drain();
            EXPECT_EQ(weft::sum(mail.comm(), got), std::int64_t{items} * size());
        },
        {.buffer_bytes = tiny});
}

TEST(mailbox_pressure, handlers_that_answer_with_more_bytes_than_came) {
    for (bool const nested : {true, false})
        for_all_ways(
            [](weft::mailbox& mail) {
                std::int64_t got = 0;
                auto const back = mail.channel<std::vector<std::int32_t>>(
                    [&](std::vector<std::int32_t> const& words) { got += std::ssize(words); });
                auto const to = mail.channel<int>([&](int source, int words) {
                    back.send(source, std::vector<std::int32_t>(static_cast<std::size_t>(words)));
                });
                std::mt19937_64 chance = random(static_cast<std::uint64_t>(rank()));
                std::int64_t wanted = 0;
                for (int i = 0; i < 1000; ++i) {
                    int const words = static_cast<int>(chance() % 100) + (i % 50 == 0 ? 1000 : 0);
                    wanted += words;
                    to.send(static_cast<int>(chance() % static_cast<unsigned>(size())), words);
                }
                mail.drain();
                EXPECT_EQ(got, wanted);
            },
            {.buffer_bytes = tiny, .nested_handlers = nested});
}

TEST(mailbox_pressure, mail_that_came_before_its_channel_waits_for_room_to_be_passed_on) {
    if (size() < 3) GTEST_SKIP() << "nothing is passed on";
    weft::settings chosen = world().settings();
    chosen.ranks_per_node = "2"; // 1 sends to 2 by 0
    weft::communicator const comm = world().with(chosen);
    watch(comm);
    weft::mailbox mail(comm, {.route = weft::route::node_local, .buffer_bytes = tiny});
    auto const until = std::chrono::steady_clock::now() + std::chrono::milliseconds(30);
    while (rank() == 0 && std::chrono::steady_clock::now() < until) (void)mail.poll();
    std::int64_t got = 0;
    auto const to = mail.channel<std::int64_t>([&](std::int64_t item) { got += item; });
    if (rank() == 1)
        for (int i = 0; i < 50'000; ++i) to.send(2, 1);
    if (rank() == 2) std::this_thread::sleep_for(std::chrono::milliseconds(60));
    mail.drain();
    EXPECT_EQ(got, rank() == 2 ? 50'000 : 0);
}

} // namespace
} // namespace weft_test
