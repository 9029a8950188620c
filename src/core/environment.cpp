#include "communicator_state.hpp"

#include <weft/core/environment.hpp>
#include <weft/core/error.hpp>

#include <sched.h>

#include <chrono>
#include <exception>
#include <string>

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

/// Whether all ranks arrive here within the given time. On no, nothing can be said about MPI any more.
bool everybody_arrives(MPI_Comm comm, std::chrono::seconds patience) noexcept {
    MPI_Request barrier = MPI_REQUEST_NULL;
    if (MPI_Ibarrier(comm, &barrier) != MPI_SUCCESS) return false;
    auto const deadline = std::chrono::steady_clock::now() + patience;
    for (int complete = 0; std::chrono::steady_clock::now() < deadline; sched_yield()) {
        if (MPI_Test(&barrier, &complete, MPI_STATUS_IGNORE) != MPI_SUCCESS) return false;
        if (complete != 0) return true;
    }
    return false;
}

} // namespace

environment::environment(int& argc, char**& argv, environment_options const& options) {
    start(&argc, &argv, options);
}

environment::environment(environment_options const& options) {
    start(nullptr, nullptr, options);
}

void environment::start(int* argc, char*** argv, environment_options const& options) {
    exceptions_at_start_ = std::uncaught_exceptions();
    int initialised = 0;
    MPI_Initialized(&initialised);
    int provided = MPI_THREAD_SINGLE;
    if (initialised == 0) {
        check_mpi(MPI_Init_thread(argc, argv, mpi_level(options.threads), &provided), "MPI_Init_thread");
        owns_mpi_ = true;
    } else {
        check_mpi(MPI_Query_thread(&provided), "MPI_Query_thread");
    }
    try {
        // A program of one thread is served by any level.
        if (provided < mpi_level(options.threads) && options.threads != thread_level::funneled)
            throw usage_error("environment: this MPI does not allow the requested use of threads; ask for "
                              "less, or initialise MPI with a higher thread level before Weft");
        world_ = make_communicator(MPI_COMM_WORLD);
        if (world_->rank() == 0) {
            warnings_ = read_knobs().warnings;
            std::string const& machine = world_->state().machine->warning;
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
    if (!owns_mpi_) return;
    if (world_ && std::uncaught_exceptions() > exceptions_at_start_ &&
        !everybody_arrives(native_handle(*world_), std::chrono::seconds(5)))
        MPI_Abort(MPI_COMM_WORLD, 1);
    world_.reset();
    release_world();
    MPI_Finalize();
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
