/// Ranks that leave a mailbox which others still use.
#include <weft/mailbox/mailbox.hpp>

#include <mailbox/departures.hpp>
#include <weft/core/error.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/extend/core/epoch.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/extend/transport/mpi_transport.hpp>
#include <weft/mailbox/service.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <harness/mpi_test.hpp>

#include <chrono>
#include <optional>
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

TEST(departures, a_rank_that_leaves_a_quiet_mailbox_ends_the_drain_of_the_others) {
    if (size() < 2) return;
    int const leaver = size() / 2;
    std::string const by_exception = "mailbox: rank " + std::to_string(leaver) +
                                     " has left the mailbox by an exception before the end of this phase";
    for (bool const was_used : {false, true})
        for (bool const polls : {false, true}) {
            std::string const text = caught_text([&] {
                weft::mailbox mail{world()};
                auto to = mail.channel<int>([](int) {});
                if (was_used) {
                    to.send((rank() + 1) % size(), 1);
                    mail.drain();
                }
                if (rank() == leaver) throw std::domain_error("gives up");
                if (polls)
                    while (!mail.test_empty()) {}
                else
                    mail.drain();
            });
            EXPECT_EQ(text, rank() == leaver ? "gives up" : by_exception);
            EXPECT_EQ(weft::sum(world(), 1), size());
        }
}

TEST(departures, a_rank_that_drops_a_quiet_mailbox_without_an_exception_is_heard_of_around_the_ring) {
    if (size() < 2) return;
    for (int leaver = 0; leaver < size(); ++leaver) {
        std::optional<weft::mailbox> mail(std::in_place, world());
        auto to = mail->channel<int>([](int) {});
        to.send(0, 1);
        mail->drain();
        if (rank() == leaver) {
            mail.reset();
        } else {
            std::string const told = "mailbox: rank " + std::to_string(leaver) +
                                     " has left the mailbox before the end of this phase";
            EXPECT_EQ(caught_text([&] { mail->drain(); }), told);
            EXPECT_EQ(caught_text([&] { mail->drain(); }), told) << "again";
        }
        EXPECT_EQ(weft::sum(world(), 1), size());
    }
}

TEST(departures, mailboxes_that_end_as_usual_leave_no_notice_behind) {
    // What tests before this one dropped with mail in it ends when a mailbox takes tags on its communicator.
    weft::mailbox{world()}.drain();
    auto const comm = world().split(0, rank());
    for (int round = 0; round < 30; ++round) {
        weft::mailbox mail{comm};
        auto to = mail.channel<int>([](int) {});
        to.send((rank() + round) % size(), 1);
        mail.drain();
        if (round % 3 == rank() % 3) std::this_thread::yield();
    }
    auto const give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    weft::open_operations& open = weft::context_of(comm).others;
    while (open.has_abandoned() && std::chrono::steady_clock::now() < give_up)
        (void)open.step_others(nullptr);
    EXPECT_FALSE(open.has_abandoned());
    EXPECT_FALSE(transport_of(comm).probe(weft::transport::any_source, weft::departure_notices::tag));
    weft::agree(comm, nullptr); // the others probe too
}

TEST(departures, tags_of_mailboxes_with_lost_mail_come_back) {
    for (int const ranks_per_node : {0, 1}) {
        weft::settings chosen = world().settings();
        if (ranks_per_node > 0) chosen.ranks_per_node = std::to_string(ranks_per_node);
        auto const comm = world().with(chosen);
        int const lowest = long_tags(comm).propose(weft::tag_pool::first);
        for (int round = 0; round < 20; ++round) {
            weft::mailbox mail{comm, {.buffer_bytes = 1 << 16}};
            auto to = mail.channel<int>([](int) {});
            if (rank() % 3 != round % 3) // some have nothing to lose
                for (int i = 0; i < 3; ++i) to.send((rank() + 1 + i) % size(), 1);
            if (round % 4 == 1 && rank() == 0) try { // a wave that never ends
                    (void)mail.test_empty();
                } catch (weft::remote_error const&) {} // another rank has left already
            if (round % 4 == 2) (void)mail.poll();
        }
        {
            weft::mailbox mail{comm};
            int heard = 0;
            auto to = mail.channel<int>([&](int) { ++heard; });
            to.send((rank() + 1) % size(), 1);
            mail.drain();
            EXPECT_EQ(heard, 1);
        }
        EXPECT_EQ(long_tags(comm).propose(weft::tag_pool::first), lowest);
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
        "mailbox: the option buffer_bytes is 262144 on rank 1 and 131072 on rank 0; it must be the same on "
        "all "
        "ranks");
    EXPECT_NE(text_with({.route = rank() == 0 ? weft::route::nlnr : weft::route::direct})
                  .find("the option route is"),
        std::string::npos);
    EXPECT_NE(text_with({.nested_handlers = rank() == 0}).find("nested_handlers is "), std::string::npos);
    weft::mailbox works{world()};
    works.drain();
}
