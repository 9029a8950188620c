#include "communicator_state.hpp"
#include "expect_mpi.hpp"
#include "lone_start.hpp"

#include <weft/core/environment.hpp>
#include <weft/core/error.hpp>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <thread>

namespace weft {

namespace {

int mpi_level(thread_level level) noexcept {
    switch (level) {
    case thread_level::multiple:
        return MPI_THREAD_MULTIPLE;
    case thread_level::serialized:
        return MPI_THREAD_SERIALIZED;
    default:
        return MPI_THREAD_FUNNELED;
    }
}

/// Returns false if the other ranks did not arrive in time, or MPI is broken.
bool all_leave(bool by_exception) noexcept {
    try {
        std::shared_ptr<process_roots> const roots = process_roots::get();
        bool const all =
            door::leave(*roots, by_exception ? std::optional(door::patience_with_others) : std::nullopt);
        if (all) roots->free_orphans();
        return all;
    } catch (std::exception const&) { return false; }
}

} // namespace

/// Replaces each value by the minimum over all ranks.
void agree_on_lowest(all_ranks_here, std::array<int, 2>& values) {
    expect_mpi(
        MPI_Allreduce(MPI_IN_PLACE, values.data(), 2, MPI_INT, MPI_MIN, MPI_COMM_WORLD), "MPI_Allreduce");
}

/// Returns true if the exception only reports that of another rank.
bool is_remote(std::exception_ptr const& thrown) noexcept {
    try {
        std::rethrow_exception(thrown);
    } catch (remote_error const&) { return true; } catch (...) {
        return false;
    }
}

namespace {

void abort_because(std::string const& others) {
    int finalised = 0;
    MPI_Finalized(&finalised);
    if (finalised != 0) return;
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::string const failure = door::lone_failure_text();
    std::string const why =
        failure.empty() ? "left its environment by an exception" : "has failed alone (" + failure + ")";
    end_job("rank " + std::to_string(rank) + " " + why + ", and other ranks " + others);
}

} // namespace

void end_job(std::string const& why) {
    std::fprintf(stderr, "weft: %s: the job is aborted\n", why.c_str());
    // MPICH's launcher drops the output of ranks once the job is aborted, so wait for it.
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    MPI_Abort(MPI_COMM_WORLD, 1);
}

void abort_job() {
    abort_because(
        "were still at work or waiting after " + std::to_string(door::patience_with_others.count()) + " s");
}

void abort_job_at_once() {
    abort_because("may be in a call that it did not make");
}

environment::environment(int& argc, char**& argv, environment_options const& options) {
    start(&argc, &argv, options);
}

environment::environment(environment_options const& options) {
    start(nullptr, nullptr, options);
}

void environment::start(int* argc, char*** argv, environment_options const& options) {
    if (is_simulated_rank())
        throw usage_error("environment: this rank is simulated, without MPI; use the communicator that `run` "
                          "gives");
    exceptions_at_start_ = std::uncaught_exceptions();
    int initialised = 0;
    MPI_Initialized(&initialised);
    int provided = MPI_THREAD_SINGLE;
    int finalised = 0;
    MPI_Finalized(&finalised);
    if (finalised != 0)
        throw usage_error(
            "environment: MPI has been finalised, and a process can begin it only once; let the "
            "first environment live until the end of main");
    if (initialised == 0) {
        std::optional<lone_start> alone;
        if (options.alone_without_launcher && !launched_by_mpi()) alone.emplace();
        check_mpi(MPI_Init_thread(argc, argv, mpi_level(options.threads), &provided), "MPI_Init_thread");
        owns_mpi_ = true;
    } else {
        expect_mpi(MPI_Query_thread(&provided), "MPI_Query_thread");
    }
    try {
        // A program with one thread works with any level.
        if (provided < mpi_level(options.threads) && options.threads != thread_level::funneled)
            throw usage_error("environment: this MPI does not allow the requested use of threads; ask for "
                              "less, or initialise MPI with a higher thread level before Weft");
        world_ = make_communicator(MPI_COMM_WORLD);
        if (world_->rank() == 0) {
            warnings_ = read_knobs().warnings;
            if (std::string const knob = wanted_simulation(); !knob.empty())
                warnings_.push_back(knob + " has no effect: this program makes an `environment`, and only "
                                           "`weft::run` simulates");
            std::string const& machine = warning_of(*state_of(*world_).machine);
            if (!machine.empty()) warnings_.push_back(machine);
        }
    } catch (...) {
        finish(); // the destructor of a half-made object does not run; all ranks fail alike
        throw;
    }
}

environment::~environment() {
    finish();
}

void environment::finish() noexcept {
    if (!owns_mpi_) return; // dropped operations are completed by the owner of MPI
    bool const together = world_ ? all_leave(std::uncaught_exceptions() > exceptions_at_start_)
                                 : door::lone_failure_text().empty();
    if (!together) {
        // The handler of the exception, outside of this scope, reports it to the user; then the job may end.
        std::atexit(abort_job);
        return;
    }
    end_mpi();
}

void environment::end_mpi() noexcept {
    owns_mpi_ = false;
    try {
        if (world_) {
            world_.reset();
            door::after_leaving([&](all_ranks_here here) { release_world(here); });
        }
        expect_mpi(MPI_Finalize(), "MPI_Finalize");
    } catch (std::exception const&) { abort_job_at_once(); }
}

bool environment::finish_and_tell(std::exception_ptr const& thrown, char const* program) noexcept {
    int const rank = world_->rank();
    int const size = world_->size();
    bool const together = owns_mpi_ && all_leave(thrown != nullptr);
    // The lowest rank with an exception of its own; ranks that only report another rank's exception come
    // after all of these.
    int const behind_own = size;
    int const none = 2 * size;
    error_kind const kind = kind_of(thrown);
    bool const is_agreed = kind == error_kind::usage || kind == error_kind::io;
    std::array<int, 2> lowest{none, is_agreed ? 1 : 0};
    if (thrown) lowest[0] = rank + (is_remote(thrown) ? behind_own : 0);
    int const mine = lowest[0];
    if (together) {
        try {
            door::after_leaving([&](all_ranks_here here) { agree_on_lowest(here, lowest); });
        } catch (std::exception const&) { abort_job_at_once(); }
    }
    if (thrown && mine == lowest[0]) {
        bool const all = together && lowest[1] != 0;
        std::string const which = all || size == 1 ? "" : "rank " + std::to_string(rank) + ": ";
        std::fprintf(stderr, "%s: %s%s\n", program, which.c_str(), text_of(thrown).c_str());
    }
    bool const right = lowest[0] == none;
    if (together) {
        end_mpi();
    } else if (owns_mpi_) {
        std::atexit(abort_job);
        owns_mpi_ = false;
    }
    return right;
}

communicator environment::world() const {
    return *world_;
}

std::string_view mpi_library() {
    static std::string const name = [] {
        char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
        int length = 0;
        MPI_Get_library_version(text, &length);
        std::string const whole(text, static_cast<std::size_t>(length));
        // "Open MPI v4.1.4, package: ..." and "MPICH Version:\t4.0.2\n..."
        if (whole.starts_with("Open MPI v")) return "Open MPI " + whole.substr(10, whole.find(',') - 10);
        if (whole.starts_with("MPICH Version:")) {
            std::size_t const begin = whole.find_first_not_of(" \t", 14);
            return "MPICH " + whole.substr(begin, whole.find_first_of("\n ", begin) - begin);
        }
        return whole.substr(0, whole.find('\n'));
    }();
    return name;
}

} // namespace weft
