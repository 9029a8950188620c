#include "trial.hpp"

#include <weft/collective/arrays.hpp>
#include <weft/collective/gather.hpp>
#include <weft/collective/reduce.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/exchange/exchange_plan.hpp>
#include <weft/mailbox/mailbox.hpp>
#include <weft/mpi.hpp>
#include <weft/protocol/agreement.hpp>

#include <functional>
#include <optional>

namespace arguments {

namespace {

std::vector<int> all_ranks_of(trial const& now) {
    std::vector<int> all;
    for (int rank = 0; rank < now.size(); ++rank) all.push_back(rank);
    return all;
}

std::vector<weft::protocol> other_protocols() {
    std::vector<weft::protocol> all;
    for (int const each : {1, 2, 3, 4, 5, 6, 7, 8, 77}) all.push_back(static_cast<weft::protocol>(each));
    return all;
}

void flat_exchange(trial& now) {
    auto const to = now.own("destinations", all_ranks_of(now));
    auto const items = now.own("items", std::vector<std::int64_t>(all_ranks_of(now).size(), 1),
        {{}, std::vector<std::int64_t>(1), std::vector<std::int64_t>(99)});
    auto const bytes = now.equal("bytes of an item", 8, {4});
    now.under_test([&] {
        if (bytes == 8)
            (void)weft::exchange(now.comm(), to, items);
        else
            (void)weft::exchange(now.comm(), to, std::vector<float>(items.size()));
    });
}

void outbox_exchange(trial& now, bool started) {
    auto const to = now.own("destination", (now.rank() + 1) % now.size());
    weft::exchange_options how;
    how.protocol = now.trusted("protocol", weft::protocol::nbx, other_protocols());
    now.under_test([&] {
        weft::outbox<std::int64_t> out(now.comm());
        out[to].push_back(1);
        if (started)
            (void)weft::start_exchange(std::move(out), how).get();
        else
            (void)weft::exchange(std::move(out), how);
    });
}

void made_plan(trial& now) {
    auto const to = now.own("destinations", std::vector<int>{(now.rank() + 1) % now.size()});
    auto const counts = now.own("counts", std::vector<std::int64_t>{3});
    now.under_test([&] { weft::exchange_plan const plan(now.comm(), to, counts); });
}

void run_plan(trial& now) {
    weft::exchange_plan const plan(
        now.comm(), std::vector<int>{(now.rank() + 1) % now.size()}, std::vector<std::int64_t>{3});
    auto const out = now.own("out", std::vector<double>(3), {{}, std::vector<double>(4)});
    auto in = now.own("in", std::vector<double>(3), {{}, std::vector<double>(4)});
    now.under_test([&] { plan.exchange(out, in); });
}

void values(trial& now, bool broadcast) {
    auto const root = now.trusted("root", 0);
    now.under_test([&] {
        if (broadcast)
            (void)weft::broadcast(now.comm(), std::string("a text"), root);
        else
            (void)weft::reduce(now.comm(), std::int64_t{1}, std::plus<>{}, root);
    });
}

void gathered(trial& now) {
    auto const mine = now.own("mine", std::vector<std::int64_t>{1, 2});
    now.under_test([&] { (void)weft::all_gatherv(now.comm(), mine); });
}

/// `Reduce` takes an array and a root.
template <class Reduce>
void arrays(trial& now, Reduce&& reduce) {
    auto mine = now.trusted("array", std::vector<std::int64_t>(9), {{}, std::vector<std::int64_t>(8)});
    auto const bytes = now.trusted("bytes of an element", 8, {4});
    auto const root = now.trusted("root", 0);
    now.under_test([&] {
        if (bytes == 8) return reduce(std::span<std::int64_t>(mine), root);
        std::vector<float> floats(mine.size());
        reduce(std::span<float>(floats), root);
    });
}

template <class Reduce>
void arrays_without_root(trial& now, Reduce&& reduce) {
    auto mine = now.trusted("array", std::vector<std::int64_t>(9), {{}, std::vector<std::int64_t>(8)});
    now.under_test([&] { reduce(std::span<std::int64_t>(mine)); });
}

void made_mailbox(trial& now) {
    weft::mailbox_options how;
    how.route = now.hint("route", std::optional(weft::route::direct));
    how.buffer_bytes = now.equal("buffer_bytes", std::optional<std::int64_t>(1 << 16));
    how.nested_handlers = now.equal("nested_handlers", true);
    how.termination = now.equal("termination", weft::termination_kind::counted_waves,
        {weft::termination_kind::four_counters, weft::termination_kind::barrier_consensus});
    now.under_test([&] {
        weft::mailbox mail(now.comm(), how);
        auto numbers = mail.channel<std::int64_t>([](std::int64_t) {});
        for (int to = 0; to < now.size(); ++to) numbers.send(to, std::int64_t{1});
        mail.drain();
    });
}

void sent_mail(trial& now) {
    auto const to = now.own("destination", 0);
    auto const channels = now.equal("channels", 1, {0, 2});
    now.under_test([&] {
        weft::mailbox mail(now.comm());
        std::vector<weft::channel<std::int64_t>> all;
        for (int i = 0; i < channels; ++i) all.push_back(mail.channel<std::int64_t>([](std::int64_t) {}));
        std::exception_ptr local;
        try {
            if (!all.empty()) all.front().send(to, std::int64_t{1});
        } catch (weft::usage_error const&) { local = std::current_exception(); } // nothing was sent
        mail.drain();
    });
}

void asked_service(trial& now) {
    auto const to = now.own("destinations", all_ranks_of(now));
    auto const queries = now.own("queries", std::vector<std::int64_t>(all_ranks_of(now).size(), 3),
        {{}, std::vector<std::int64_t>(99)});
    now.under_test([&] {
        weft::mailbox mail(now.comm());
        auto const same = mail.service<std::int64_t, std::int64_t>([](std::int64_t query) { return query; });
        try {
            (void)same.ask(to, queries);
        } catch (weft::usage_error const&) {
            (void)same.ask(std::vector<int>{}, std::vector<std::int64_t>{});
        }
        mail.drain();
    });
}

void bytes_of_ranks(trial& now) {
    auto const root = now.trusted("root", 0);
    auto const mine = now.own("mine", std::string("a text"));
    auto const in = [](std::string const& text) {
        weft::buffer bytes;
        bytes.append(text.data(), text.size());
        return bytes;
    };
    now.under_test([&] {
        (void)weft::gather_bytes(now.comm(), in(mine));
        (void)weft::broadcast_bytes(now.comm(), in(mine), {}, root);
    });
}

void split(trial& now) {
    auto const color = now.own("color", now.rank() % 2);
    auto const key = now.own("key", 0);
    now.under_test([&] { (void)now.comm().split(color, key); });
}

} // namespace

std::vector<call> collective_calls() {
    return {
        {"exchange, flat", flat_exchange},
        {"exchange", [](trial& now) { outbox_exchange(now, false); }},
        {"start_exchange", [](trial& now) { outbox_exchange(now, true); }},
        {"exchange_plan", made_plan},
        {"exchange_plan::exchange", run_plan, told::neighbours},
        {"broadcast", [](trial& now) { values(now, true); }},
        {"reduce", [](trial& now) { values(now, false); }},
        {"all_gatherv", gathered},
        {"gather_bytes, broadcast_bytes", bytes_of_ranks},
        {"all_reduce of arrays",
            [](trial& now) {
                arrays_without_root(
                    now, [&](auto array) { weft::all_reduce(now.comm(), array, std::plus<>{}); });
            }},
        {"reduce of arrays",
            [](trial& now) {
                arrays(
                    now, [&](auto array, int root) { weft::reduce(now.comm(), array, std::plus<>{}, root); });
            }},
        {"reduce_scatter of arrays",
            [](trial& now) {
                arrays_without_root(
                    now, [&](auto array) { (void)weft::reduce_scatter(now.comm(), array, std::plus<>{}); });
            }},
        {"broadcast of arrays",
            [](trial& now) {
                arrays(now, [&](auto array, int root) { weft::broadcast(now.comm(), array, root); });
            }},
        {"mailbox", made_mailbox},
        {"mailbox::drain", sent_mail},
        {"service::ask", asked_service},
        {"communicator::split", split},
    };
}

} // namespace arguments
