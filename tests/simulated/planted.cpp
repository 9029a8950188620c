/// Programs with one mistake each, such as people make; planted_test.py looks whether they are found.
#include <weft/collective/reduce.hpp>
#include <weft/weft.hpp>

#include <cstdint>
#include <cstdio>
#include <deque>
#include <functional>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using weft::communicator;

void say(communicator const& comm, char const* what, std::int64_t value) {
    std::printf("rank %d: %s %lld\n", comm.rank(), what, static_cast<long long>(value));
}

/// Whoever has no mail yet is told by all others.
void forgotten_drain(communicator const& comm) {
    std::int64_t heard = 0;
    weft::mailbox mail{comm};
    auto tell = mail.channel<int>([&](int value) { heard += value; });
    tell.send((comm.rank() + 1) % comm.size(), 1);
    say(comm, "sent", 1);
}

/// The sum is read when no more mail is here, not when none is under way.
void read_before_the_drain(communicator const& comm) {
    std::int64_t heard = 0;
    weft::mailbox mail{comm};
    auto tell = mail.channel<int>([&](int value) { heard += value; });
    for (int to = 0; to < comm.size(); ++to) tell.send(to, 1);
    bool over = mail.test_empty(); // sends what is in buffers
    (void)weft::sum(comm, std::int64_t{1});
    over = over || mail.poll();
    std::int64_t const read = heard;
    mail.drain();
    say(comm, "heard", read);
}

/// The span lies in a buffer that is used again.
void handler_that_keeps_a_span(communicator const& comm) {
    std::vector<std::span<int const>> kept;
    weft::mailbox mail{comm};
    auto tell = mail.channel<int>([&](std::span<int const> batch) { kept.push_back(batch); });
    for (int round = 0; round < 3; ++round) {
        for (int to = 0; to < comm.size(); ++to)
            for (int i = 0; i < 10; ++i) tell.send(to, 100 * round + 10 * comm.rank() + i);
        mail.drain();
    }
    std::int64_t sum = 0;
    for (std::span<int const> batch : kept)
        for (int value : batch) sum += value;
    say(comm, "sum", sum);
}

/// The last one to come is taken for the highest rank.
void order_of_arrival(communicator const& comm) {
    int last = -1;
    weft::mailbox mail{comm};
    auto tell = mail.channel<int>([&](int from) { last = from; });
    tell.send(0, comm.rank());
    mail.drain();
    if (comm.rank() == 0) say(comm, "the last was", last);
}

/// A rank leaves when it has heard all that is for it; it was to pass on what comes for others.
void early_exit(communicator const& comm) {
    int heard = 0;
    weft::mailbox mail{comm};
    auto tell = mail.channel<int>([&](int) { ++heard; });
    weft::channel<int>* to_next = nullptr;
    auto pass = mail.channel<int>([&](int hops) {
        if (hops > 0)
            to_next->send((comm.rank() + 1) % comm.size(), hops - 1);
        else
            tell.send(0, 1);
    });
    to_next = &pass;
    if (comm.rank() == 0) pass.send(1, 5);
    if (comm.rank() == 2) tell.send(0, 1);
    while (!mail.test_empty())
        if (comm.rank() == 0 && heard == 1) return;
    say(comm, "heard", heard);
}

/// A rank that heard of rank 2 first adds one sum more.
void mismatched_collective(communicator const& comm) {
    int first = -1;
    weft::mailbox mail{comm};
    auto tell = mail.channel<int>([&](int from) {
        if (first < 0) first = from;
    });
    if (comm.rank() != 0) tell.send(0, comm.rank());
    mail.drain();
    if (comm.rank() == 0 && first == 2) (void)weft::sum(comm, std::int64_t{1});
    (void)weft::all_reduce(comm, std::string("x"), std::plus<>{});
    say(comm, "is done", 1);
}

/// Ranks ask each other again and again until rank 2 has said that it is ready.
void unbounded_flood(communicator const& comm) {
    bool ready = false;
    weft::mailbox mail{comm};
    auto tell = mail.channel<int>([&](int) { ready = true; });
    weft::channel<int>* again = nullptr;
    auto ask = mail.channel<int>([&](int from) {
        if (!ready) again->send(from, comm.rank());
    });
    again = &ask;
    if (comm.rank() == 2)
        for (int to = 0; to < 2; ++to) tell.send(to, 1);
    if (comm.rank() == 0) ask.send(1, 0);
    mail.drain();
    say(comm, "is ready", ready ? 1 : 0);
}

/// A rank that hears rank 2 before rank 1 finds that its table is not there.
void rank_that_throws_alone(communicator const& comm) {
    std::vector<int> table;
    std::vector<int> wishes;
    weft::mailbox mail{comm};
    auto fill = mail.channel<int>([&](int value) { table.push_back(value); });
    auto wish = mail.channel<int>([&](int place) {
        if (table.empty()) wishes.push_back(place);
    });
    if (comm.rank() == 1) fill.send(0, 7);
    if (comm.rank() == 2) wish.send(0, 0);
    mail.drain();
    if (!wishes.empty()) throw std::runtime_error("no place " + std::to_string(wishes.front()));
    say(comm, "is served", weft::sum(comm, std::int64_t{1}));
}

/// One item of the program's own queue is worked off for each time that the handler has run.
void lost_wake_up(communicator const& comm) {
    std::deque<int> queue;
    bool has_work = false;
    std::int64_t done = 0;
    weft::mailbox mail{comm};
    auto tell = mail.channel<int>([&](int value) {
        queue.push_back(value);
        has_work = true;
    });
    if (comm.rank() != 0) tell.send(0, comm.rank());
    for (bool over = false; !over;) {
        over = mail.test_empty();
        if (!has_work) continue;
        has_work = false;
        done += queue.front();
        queue.pop_front();
    }
    if (comm.rank() == 0) say(comm, "did work", done);
}

/// The same, where the items come apart unless a rank is late with its look.
void one_item_a_look(communicator const& comm) {
    weft::advance(1e-3 * comm.rank());
    lost_wake_up(comm);
}

/// Values are taken to come one by one, as they do while their sender learns in time that they are received.
void handler_for_single_values(communicator const& comm) {
    std::vector<int> heard;
    bool is_answered = false;
    weft::mailbox mail{comm};
    auto answer = mail.channel<int>([&](int) { is_answered = true; });
    auto tell = mail.channel<int>([&](std::span<int const> batch) {
        heard.push_back(batch.front());
        if (batch.front() == 0) answer.send(0, 1);
    });
    if (comm.rank() == 0) {
        tell.send(1, 0);
        while (!is_answered) (void)mail.poll();
        for (int value = 1; value <= 2; ++value) {
            tell.send(1, value);
            for (int looks = 0; looks < 4; ++looks) (void)mail.poll();
        }
    }
    mail.drain();
    if (comm.rank() == 1) say(comm, "heard", static_cast<std::int64_t>(heard.size()));
}

/// The variable was meant to belong to the rank.
void shared_by_accident(communicator const& comm) {
    static int last = 0;
    weft::mailbox mail{comm};
    auto tell = mail.channel<int>([&](int from) { last = from; });
    tell.send((comm.rank() + 1) % comm.size(), comm.rank());
    mail.drain();
    say(comm, "is told by", last);
}

std::map<std::string, std::function<void(communicator const&)>> const programs{
    {"forgotten_drain", forgotten_drain},
    {"read_before_the_drain", read_before_the_drain},
    {"handler_that_keeps_a_span", handler_that_keeps_a_span},
    {"order_of_arrival", order_of_arrival},
    {"early_exit", early_exit},
    {"mismatched_collective", mismatched_collective},
    {"unbounded_flood", unbounded_flood},
    {"rank_that_throws_alone", rank_that_throws_alone},
    {"lost_wake_up", lost_wake_up},
    {"one_item_a_look", one_item_a_look},
    {"handler_for_single_values", handler_for_single_values},
    {"shared_by_accident", shared_by_accident},
};

} // namespace

int main(int argc, char** argv) {
    auto const found = programs.find(argc > 1 ? argv[1] : "");
    if (found == programs.end()) {
        for (auto const& [name, program] : programs) std::puts(name.c_str());
        return 0;
    }
    return weft::run(argc, argv, [&](communicator comm) { found->second(comm); });
}
