/// Programs that end in ways of their own; leaving_test.py runs them and looks at what becomes of the job.
#include <harness/protocols.hpp>

#include <weft/weft.hpp>

#include <weft/mpi.hpp>

#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

weft::pending_exchange<int> begin(weft::communicator const& comm, weft::protocol how) {
    weft::outbox<int> out{comm};
    out[(comm.rank() + 1) % comm.size()].push_back(comm.rank());
    return weft::start_exchange(std::move(out), {.protocol = how});
}

void expect_one(weft::inbox<int> const& in) {
    if (in.size() != 1) throw std::runtime_error("one message was to come, not " + std::to_string(in.size()));
}

weft::protocol protocol_named(std::string const& name) {
    for (auto const each : weft_test::every_protocol())
        if (name == name_of(each)) return each;
    return weft::protocol::automatic;
}

/// Rank 0 drops its handle and leaves; the others want their messages.
void drop_and_leave(weft::communicator const& comm, std::string const& how) {
    auto under_way = begin(comm, protocol_named(how));
    if (comm.rank() == 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    expect_one(std::move(under_way).get());
}

/// All drop what was sent by a mailbox and is under way.
void drop_a_mailbox(weft::communicator const& comm) {
    weft::mailbox mail{comm};
    auto to = mail.channel<int>([](int) {});
    for (int i = 0; i < 1000; ++i) to.send((comm.rank() + 1) % comm.size(), i);
    if (comm.rank() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

/// Rank 0 drops its handle on a root, frees the communicator that the root was made for, and leaves.
void drop_on_a_freed_communicator(std::string const& how) {
    MPI_Comm mine = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &mine);
    {
        weft::communicator const comm = weft::make_communicator(mine);
        drop_and_leave(comm, how);
    }
    MPI_Comm_free(&mine);
}

/// The last rank has no memory for what comes.
void receive_without_memory(weft::communicator const& comm, std::string const& how) {
    int const last = comm.size() - 1;
    weft::outbox<double> out{comm};
    out[last].append(std::vector<double>(std::size_t{1} << 23));
    if (comm.rank() == last) {
        rlimit const little{rlim_t{300} << 20, rlim_t{300} << 20};
        setrlimit(RLIMIT_AS, &little);
    }
    (void)weft::exchange(std::move(out), {.protocol = protocol_named(how)});
}

void begin_mpi_a_second_time() {
    { weft::environment const first; }
    weft::environment const second;
}

void run(std::string const& scenario, std::string const& detail) {
    if (scenario == "second_environment") return begin_mpi_a_second_time();
    weft::environment env;
    weft::communicator const comm = env.world();
    if (scenario == "drop") drop_and_leave(comm, detail);
    if (scenario == "drop_on_freed") drop_on_a_freed_communicator(detail);
    if (scenario == "drop_mailbox") drop_a_mailbox(comm);
    if (scenario == "no_memory") receive_without_memory(comm, detail);
    if (scenario == "no_memory_caught") {
        try {
            receive_without_memory(comm, detail);
        } catch (std::bad_alloc const&) {
            std::fputs("goes on\n", stderr); // not kept by a buffer as the job is aborted
            (void)weft::sum(comm, 1);
        }
    }
    if (scenario == "throw_at_the_end") {
        if (comm.rank() == 1) throw std::runtime_error("the harvest is lost");
        // Longer than the patience of rank 1, were it counted while others only work.
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
    if (scenario == "throw_before_an_exchange") {
        if (comm.rank() == 1) throw std::runtime_error("the harvest is lost");
        expect_one(begin(comm, weft::protocol::nbx).get());
    }
    if (scenario == "throw_before_a_split" || scenario == "leave_before_a_split") {
        if (comm.rank() == 1 && scenario == "throw_before_a_split")
            throw std::runtime_error("the harvest is lost");
        if (comm.rank() != 1) (void)comm.split(0, comm.rank());
    }
    if (scenario == "leave_before_others_work") {
        weft::communicator const others = comm.split(comm.rank() == 0 ? 0 : 1, comm.rank());
        if (comm.rank() == 0) return;
        // Longer than ranks that only wait are given; the others wait for this one.
        if (comm.rank() == 1) std::this_thread::sleep_for(std::chrono::seconds(8));
        if (weft::sum(others, 1) != others.size()) throw std::runtime_error("a wrong sum");
    }
    if (scenario == "leave_before_a_drain") {
        if (comm.rank() == 1) return;
        weft::mailbox mail{comm};
        mail.drain();
    }
}

/// MPI is the program's own.
void run_without_environment_of_mpi(std::string const& how) {
    MPI_Init(nullptr, nullptr);
    drop_and_leave(weft::make_communicator(MPI_COMM_WORLD), how);
    MPI_Finalize();
}

/// Programs whose main is `weft::run`.
int run_whole(int argc, char** argv, std::string const& scenario) {
    return weft::run(argc, argv, [&](weft::communicator comm) {
        std::string const mine = " of rank " + std::to_string(comm.rank());
        if (scenario == "run_throw_on_all") throw weft::io_error("the barn is empty");
        if (scenario == "run_throw_on_two" && comm.rank() > 0) throw std::runtime_error("the harvest" + mine);
        if (scenario == "run_throw_in_a_handler") {
            weft::mailbox mail{comm};
            auto to = mail.channel<int>([&](int) {
                if (comm.rank() == comm.size() - 1) throw std::runtime_error("the harvest" + mine);
            });
            to.send((comm.rank() + 1) % comm.size(), 1);
            mail.drain();
        }
        if (scenario == "run_throw_before_an_exchange") {
            if (comm.rank() == 1) throw std::runtime_error("the harvest" + mine);
            expect_one(begin(comm, weft::protocol::nbx).get());
        }
        return scenario == "run_code" ? 4 : 0;
    });
}

} // namespace

int main(int argc, char** argv) {
    std::string const scenario = argc > 1 ? argv[1] : "";
    std::string const detail = argc > 2 ? argv[2] : "";
    if (scenario.starts_with("run_")) return run_whole(argc, argv, scenario);
    try {
        if (scenario == "protocols") {
            for (auto const each : weft_test::every_protocol()) std::puts(weft::name_of(each).data());
            return 0;
        }
        if (scenario == "drop_with_own_mpi")
            run_without_environment_of_mpi(detail);
        else
            run(scenario, detail);
    } catch (std::exception const& caught) {
        std::fprintf(stderr, "caught: %s\n", caught.what());
        return 3;
    }
    std::puts("left in peace");
    return 0;
}
