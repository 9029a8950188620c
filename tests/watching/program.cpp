/// Programs that wait, work or hang until somebody ends them; watching_test.py looks at them from outside.
///
/// watched_program hang: rank 1 stays in user code, the others wait in a drain.
/// watched_program run SECONDS: all ranks send and drain, and print how many rounds they made.
/// watched_program verbs ROUNDS: some operations of each kind; MPI_Pcontrol turns listeners off in the second
/// half.
/// watched_program throwing ROUNDS: exchanges, and drains in which a handler throws on each rank.
#include <weft/mpi.hpp>
#include <weft/weft.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

// Lines that the test reads from this file by their marks.
[[gnu::noinline]] void stay_in_user_code() {
    while (true) std::this_thread::sleep_for(std::chrono::milliseconds(1)); // line: user code
}

void hang(weft::communicator const& comm) {
    weft::mailbox mail{comm};
    auto const channel = mail.channel<int>([](int) {});
    channel.send((comm.rank() + 1) % comm.size(), 1);
    mail.drain();
    if (comm.rank() == 0) std::printf("all have drained once\n");
    std::fflush(stdout);
    if (comm.rank() == 1) stay_in_user_code();
    mail.drain(); // line: drain
}

void run(weft::communicator const& comm, double seconds) {
    weft::mailbox mail{comm};
    std::int64_t handled = 0;
    auto const channel = mail.channel<int>([&](std::span<int const> items) { handled += std::ssize(items); });
    auto const until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    std::int64_t rounds = 0;
    for (bool goes_on = true; goes_on; ++rounds) {
        for (int i = 0; i < 10'000; ++i) channel.send((comm.rank() + i) % comm.size(), i);
        mail.drain();
        goes_on = weft::max(comm, std::chrono::steady_clock::now() < until ? 1 : 0) != 0;
    }
    if (comm.rank() == 0) std::printf("%ld rounds\n", static_cast<long>(rounds));
}

void verbs(weft::communicator const& comm, int rounds) {
    std::int64_t total = 0;
    for (int round = 0; round < rounds; ++round) {
        if (2 * round == rounds) MPI_Pcontrol(0);
        weft::outbox<int> out(comm);
        out[(comm.rank() + 1) % comm.size()].push_back(round);
        for (auto const& [source, items] : weft::exchange(std::move(out))) total += std::ssize(items);
        weft::mailbox mail{comm};
        auto const channel = mail.channel<int>([&](int) { ++total; });
        channel.send((comm.rank() + 1) % comm.size(), round);
        mail.drain();
    }
    std::int64_t const all = weft::sum(comm, total);
    MPI_Pcontrol(1);
    if (comm.rank() == 0) std::printf("%ld items\n", static_cast<long>(all));
}

/// Errors are counted as items.
void throwing(weft::communicator const& comm, int rounds) {
    std::int64_t total = 0;
    for (int round = 0; round < rounds; ++round) {
        weft::outbox<int> out(comm);
        out[(comm.rank() + 1) % comm.size()].push_back(round);
        for (auto const& [source, items] : weft::exchange(std::move(out))) total += std::ssize(items);
        try {
            weft::mailbox mail{comm};
            auto const channel = mail.channel<int>([](int) { throw std::runtime_error("a handler throws"); });
            channel.send((comm.rank() + 1) % comm.size(), round);
            mail.drain();
        } catch (std::exception const&) { ++total; }
    }
    std::int64_t const all = weft::sum(comm, total);
    if (comm.rank() == 0) std::printf("%ld items\n", static_cast<long>(all));
}

} // namespace

int main(int argc, char** argv) {
    return weft::run(argc, argv, [&](weft::communicator const& comm) {
        std::string const what = argc > 1 ? argv[1] : "";
        if (what == "hang") hang(comm);
        if (what == "verbs") verbs(comm, std::atoi(argv[2]));
        if (what == "throwing") throwing(comm, std::atoi(argv[2]));
        if (what == "run") run(comm, argc > 2 ? std::atof(argv[2]) : 1);
    });
}
