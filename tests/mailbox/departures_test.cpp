/// Ranks that leave a mailbox which others still use.
#include <weft/mailbox/mailbox.hpp>

#include <weft/core/error.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/mailbox/service.hpp>
#include <weft/protocol/collectives.hpp>

#include <harness/mpi_test.hpp>

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using weft_test::rank;
using weft_test::size;
using weft_test::world;

std::string caught_text(auto&& call) {
    try {
        call();
    } catch (weft::error const& caught) { return caught.what(); } catch (std::domain_error const& caught) {
        return caught.what();
    }
    return "nothing was thrown";
}

} // namespace

TEST(departures, a_rank_that_leaves_by_an_exception_ends_the_drain_of_the_others) {
    if (size() < 2) return;
    for (bool const has_sent : {false, true}) {
        std::string const text = caught_text([&] {
            weft::mailbox mail{world()};
            auto to = mail.channel<int>([](int) {});
            mail.drain();
            if (has_sent)
                for (int d = 0; d < size(); ++d) to.send(d, 1);
            else if (rank() == 1)
                to.send(0, 1);
            if (rank() == 1) throw std::domain_error("rank 1 gives up");
            mail.drain();
        });
        EXPECT_EQ(
            text, rank() == 1
                      ? "rank 1 gives up"
                      : "mailbox: rank 1 has left the mailbox by an exception before the end of this phase");
        EXPECT_EQ(weft::sum(world(), 1), size()); // all go on together
    }
}

TEST(departures, who_waits_for_room_or_an_answer_does_not_wait_for_ever) {
    if (size() < 2) return;
    std::string const text = caught_text([] {
        weft::mailbox mail{world(), {.buffer_bytes = 1 << 16}};
        auto to = mail.channel<int>([](int) {});
        auto twice = mail.service<int, int>([](int x) { return 2 * x; });
        to.send((rank() + 1) % size(), 0);
        if (rank() == 0) throw std::domain_error("rank 0 gives up");
        for (int i = 0; i < 200'000; ++i) to.send(0, i); // there is nobody to make room
        (void)twice.ask(std::vector<int>{0}, std::vector<int>{21});
    });
    EXPECT_EQ(text,
        rank() == 0 ? "rank 0 gives up"
                    : "mailbox: rank 0 has left the mailbox by an exception before the end of this phase");
    (void)weft::exchange(weft::outbox<int>(world()));
}

TEST(departures, a_rank_that_has_ended_the_phase_may_go) {
    for (int round = 0; round < 50; ++round) {
        int handled = 0;
        weft::mailbox mail{world()};
        auto to = mail.channel<int>([&](int) { ++handled; });
        to.send((rank() + round) % size(), 1);
        mail.drain();
        EXPECT_EQ(handled, 1);
        if (rank() == round % size()) to.send(0, 2); // is lost with the mailbox
    }
}

TEST(departures, notices_that_nobody_looked_for_do_not_reach_a_later_communicator) {
    for (int round = 0; round < 20; ++round) {
        {
            weft::communicator const part = world().split(0, rank());
            weft::mailbox mail{part};
            auto to = mail.channel<int>([](int) {});
            to.send((rank() + round) % size(), 1);
        }
        weft::communicator const next = world().split(0, rank()); // frees the one before
        int handled = 0;
        weft::mailbox mail{next};
        auto to = mail.channel<int>([&](int) { ++handled; });
        if (rank() == round % size()) // the others look for notices meanwhile
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        to.send((rank() + 1) % size(), 1);
        mail.drain();
        EXPECT_EQ(handled, 1);
    }
}

TEST(departures, undrained_mail_does_not_keep_ranks_that_do_something_else) {
    for (int round = 0; round < 5; ++round) {
        {
            weft::mailbox mail{world(), {.buffer_bytes = 1 << 16}};
            weft::channel<int>* hop = nullptr;
            auto pass_on = mail.channel<int>([&](int hops) {
                if (hops > 0)
                    for (int i = 0; i < 3; ++i) hop->send((rank() + i) % size(), hops - 1);
            });
            hop = &pass_on;
            for (int i = 0; i < 50; ++i) pass_on.send((rank() + 1) % size(), 5);
            (void)weft::sum(world(), 1);
        }
        EXPECT_EQ(weft::sum(world(), 1), size());
    }
}

TEST(mailbox_options, buffers_of_no_bytes_are_refused) {
    for (std::int64_t const bytes : {-1, 0})
        EXPECT_EQ(caught_text([&] {
            weft::mailbox mail{world(), {.buffer_bytes = bytes}};
        }),
            "mailbox: the option buffer_bytes is " + std::to_string(bytes) + "; at least 1 is needed");
}

TEST(mailbox_options, that_differ_are_refused_on_all_ranks) {
    if (size() < 2) return;
    auto const text_with = [](weft::mailbox_options const& options) {
        return caught_text([&] { weft::mailbox mail{world(), options}; });
    };
    EXPECT_EQ(text_with({.buffer_bytes = rank() == 0 ? 1 << 17 : 1 << 18}),
        "mailbox: the option buffer_bytes is 131072 on one rank and 262144 on another; options must be the "
        "same on "
        "all ranks");
    EXPECT_NE(text_with({.route = rank() == 0 ? weft::route::nlnr : weft::route::direct})
                  .find("the option route is"),
        std::string::npos);
    EXPECT_NE(
        text_with({.nested_handlers = rank() == 0}).find("nested_handlers is false"), std::string::npos);
    weft::mailbox works{world()};
    works.drain();
}
