#include <weft/mailbox/mailbox.hpp>

#include <harness/mpi_test.hpp>

#include <weft/blocks/block_set.hpp>
#include <weft/blocks/regular_grid.hpp>
#include <weft/core/error.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

using namespace weft_test;

namespace {

constexpr weft::termination_kind kinds[] = {weft::termination_kind::counted_waves,
    weft::termination_kind::four_counters, weft::termination_kind::barrier_consensus};

/// Tokens that each go around all ranks so often; the number that this rank has handled.
std::int64_t send_tokens_around(weft::mailbox& mail, std::int64_t rounds) {
    std::int64_t handled = 0;
    weft::channel<std::int64_t> const* around = nullptr;
    auto const next = mail.channel<std::int64_t>([&](std::int64_t const& left) {
        ++handled;
        if (left > 0) around->send((rank() + 1) % size(), left - 1);
    });
    around = &next;
    next.send((rank() + 1) % size(), rounds * size() - 1);
    mail.drain();
    return handled;
}

} // namespace

TEST(mailbox_termination, every_kind_waits_for_messages_that_cause_messages) {
    for (weft::termination_kind const kind : kinds)
        for (char const* const nodes : {"", "1", "2"}) {
            weft::settings how = world().settings();
            how.ranks_per_node = nodes;
            weft::communicator const comm = world().with(how);
            for (weft::route const route : {weft::route::direct, weft::route::nlnr}) {
                weft::mailbox mail{comm, {.route = route, .termination = kind}};
                for (int phase = 0; phase < 2; ++phase) EXPECT_EQ(send_tokens_around(mail, 4), 4 * size());
                mail.drain(); // a phase without messages
            }
        }
}

TEST(mailbox_termination, other_collectives_come_between_its_waves) {
    for (weft::termination_kind const kind : kinds) {
        weft::mailbox mail{world(), {.termination = kind}};
        std::int64_t sum = 0;
        auto const add = mail.channel<std::int64_t>([&](std::int64_t const& each) { sum += each; });
        for (int to = 0; to < size(); ++to) add.send(to, std::int64_t{rank()});
        bool quiet = false;
        bool all_are = false;
        for (std::int64_t looks = 0; !all_are; ++looks) {
            ASSERT_LT(looks, 1'000'000) << "the phase does not end";
            quiet = quiet || mail.test_empty();
            auto const each = weft::all_gather(world(), quiet ? 1 : 0); // a collective of MPI
            all_are = std::ranges::count(each, 1) == size();
        }
        EXPECT_EQ(sum, size() * (size() - 1) / 2);
    }
}

TEST(mailbox_termination, errors_of_handlers_are_those_of_the_phase) {
    for (weft::termination_kind const kind : kinds) {
        weft::mailbox mail{world(), {.termination = kind}};
        auto const ask = mail.channel<int>([](int const& value) {
            if (value == 1 && rank() == size() - 1) throw std::runtime_error("no");
        });
        ask.send(size() - 1, 1);
        EXPECT_ANY_THROW(mail.drain());
        ask.send(size() - 1, 0);
        EXPECT_NO_THROW(mail.drain());
    }
}

TEST(mailbox_termination, a_mailbox_is_dropped_while_a_wave_is_open) {
    for (weft::termination_kind const kind : kinds) {
        for (int looks = 0; looks < 3; ++looks) {
            weft::mailbox mail{world(), {.termination = kind}};
            auto const to = mail.channel<int>([](int const&) {});
            to.send((rank() + 1) % size(), 1);
            // Rank 0 votes once more than the others, which may go before it.
            for (int look = 0; look < looks + (rank() == 0 ? 1 : 0); ++look)
                if (mail.test_empty()) break;
        }
        weft::mailbox next{world(), {.termination = kind}};
        EXPECT_EQ(send_tokens_around(next, 1), size());
    }
}

TEST(mailbox_termination, long_messages_have_arrived) {
    for (weft::termination_kind const kind : kinds) {
        weft::settings how = world().settings();
        how.ranks_per_node = "1";
        weft::mailbox mail{world().with(how), {.termination = kind}};
        std::int64_t bytes = 0;
        auto const take = mail.channel<std::string>(
            [&](std::string const& text) { bytes += static_cast<std::int64_t>(text.size()); });
        for (int to = 0; to < size(); ++to) take.send(to, std::string(3'000'000, 'x'));
        mail.drain();
        EXPECT_EQ(bytes, 3'000'000 * std::int64_t{size()});
    }
}

TEST(mailbox_termination, ranks_with_another_kind_are_told) {
    if (size() == 1) return;
    auto const kind =
        rank() == 0 ? weft::termination_kind::four_counters : weft::termination_kind::barrier_consensus;
    EXPECT_THROW((weft::mailbox{world(), {.termination = kind}}), weft::usage_error);
}

TEST(mailbox_termination, blocks_are_quiet_by_every_kind) {
    for (weft::termination_kind const kind : kinds) {
        struct counting {
            int phases = 0;
            std::int64_t handled = 0;
        };
        weft::block_set<counting> blocks{world(),
            weft::regular_grid<std::int64_t>{weft::cell_box(8 * size()), 4 * size()},
            [](weft::block_id) { return counting{}; }, {.termination = kind}};
        for (int phase = 1; phase <= 2; ++phase) {
            blocks.iexchange<std::int64_t>([&](counting& here, weft::block_port<std::int64_t>& port) {
                if (std::exchange(here.phases, phase) != phase)
                    for (weft::block_id const each : port.link()) port.send(each, 9);
                for (std::int64_t const left : port.received()) {
                    ++here.handled;
                    if (left > 0) port.send(port.link()[0], left - 1);
                }
            });
            std::int64_t sum = 0;
            for (auto const& each : blocks.local()) sum += each.block.handled;
            // Each block has sent to its two neighbours, and each of these messages is handled ten times.
            std::int64_t const links = 2 * (4 * std::int64_t{size()} - 1);
            EXPECT_EQ(weft::sum(world(), sum), 10 * links * phase);
        }
    }
}
