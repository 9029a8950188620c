#include "call.hpp"

#include <weft/mailbox/mailbox.hpp>

#include <numeric>
#include <optional>

namespace faults {

namespace {

void mailbox_of(trial& now, weft::mailbox_options const& options, bool by_test) {
    std::int64_t got = 0;
    if (now.under_test([&] {
            weft::mailbox mail(now.comm(), options);
            auto numbers = mail.channel<std::int64_t>([&](std::int64_t const& each) {
                in_callback();
                got += each;
            });
            for (int to = 0; to < now.size(); ++to)
                for (int i = 0; i < 100; ++i) numbers.send(to, std::int64_t{1});
            if (by_test)
                while (!mail.test_empty()) {}
            else
                mail.drain();
        }))
        now.expect(got == 100 * now.size());
}

void texts(trial& now) {
    std::int64_t got = 0;
    std::vector<fragile> some{fragile_of(1), fragile_of(2), fragile_of(3)};
    if (now.under_test([&] {
            weft::mailbox mail(now.comm());
            auto channel = mail.channel<fragile>([&](fragile const& each) {
                in_callback();
                got += each.value;
            });
            for (int to = 0; to < now.size(); ++to)
                for (fragile const& each : some) channel.send(to, each);
            mail.drain();
        }))
        now.expect(got == 6 * now.size());
}

struct counted_key {
    std::int64_t key;
    std::int64_t count;
};

void combining(trial& now) {
    std::int64_t got = 0;
    if (now.under_test([&] {
            weft::mailbox mail(now.comm());
            auto const key = [](counted_key const& each) { return each.key; };
            auto const merge = [](counted_key& into, counted_key const& other) {
                in_callback();
                into.count += other.count;
            };
            auto channel = mail.channel<counted_key>([&](counted_key const& each) { got += each.count; },
                weft::combine_by{.key = key, .merge = merge});
            for (int i = 0; i < 60; ++i) channel.send(i % now.size(), counted_key{i % 6, 1});
            mail.drain();
        }))
        now.expect(got == 60 / now.size() * now.size() || now.size() > 60);
}

void asked_service(trial& now) {
    std::vector<int> to;
    std::vector<std::int64_t> queries;
    for (int i = 0; i < 60; ++i) {
        to.push_back(i % now.size());
        queries.push_back(i);
    }
    std::vector<std::int64_t> answers;
    if (now.under_test([&] {
            weft::mailbox mail(now.comm());
            auto const squares = mail.service<std::int64_t, std::int64_t>([](std::int64_t const& each) {
                in_callback();
                return each * each;
            });
            answers = squares.ask(to, queries);
            mail.drain();
        }))
        now.expect(answers.size() == 60 && answers[7] == 49 && answers[59] == 59 * 59);
}

void async_calls(trial& now) {
    if (now.under_test([&] {
            weft::mailbox mail(now.comm());
            for (int to = 0; to < now.size(); ++to)
                mail.async(
                    to, [](std::int64_t) { in_callback(); }, std::int64_t{to});
            mail.drain();
        }))
        now.expect(true);
}

void second_phase(trial& now) {
    std::int64_t got = 0;
    std::optional<weft::mailbox> mail(std::in_place, now.comm());
    auto numbers = std::optional(mail->channel<std::int64_t>([&](std::int64_t const& each) {
        in_callback();
        got += each;
    }));
    mail->drain();
    if (now.under_test([&] {
            for (int to = 0; to < now.size(); ++to) numbers->send(to, std::int64_t{1});
            mail->drain();
        }))
        now.expect(got == now.size());
    else
        mail.reset(); // what throws in the middle of a phase leaves the mailbox
}

} // namespace

std::vector<call> mailbox_calls() {
    std::vector<call> all;
    for (auto const& [name, how] : {std::pair("direct", weft::route::direct),
             std::pair("node_remote", weft::route::node_remote), std::pair("nlnr", weft::route::nlnr)})
        all.push_back({"mailbox, " + std::string(name),
            [how = how](trial& now) { mailbox_of(now, {.route = how, .buffer_bytes = 1 << 12}, false); },
            told::all, memory::large});
    all.push_back(
        {"mailbox by test_empty", [](trial& now) { mailbox_of(now, {}, true); }, told::all, memory::large});
    all.push_back({"mailbox of texts", texts, told::all, memory::large});
    all.push_back({"mailbox, combining", combining, told::all, memory::large});
    all.push_back({"mailbox, service", asked_service, told::all, memory::large});
    all.push_back({"mailbox, async", async_calls, told::all, memory::large});
    all.push_back({"mailbox, second phase", second_phase, told::all, memory::large});
    return all;
}

} // namespace faults
