/// Communicators, from MPI's handles or from an environment of the module's own.
#include "call.hpp"

#include <weft/core/environment.hpp>
#include <weft/core/error.hpp>
#include <weft/mpi.hpp>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <thread>

namespace weft::python {

namespace {

/// MPI's own words for itself, all of them: two modules that give the same use one MPI.
std::string library_version() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text = {};
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    return {text.data(), static_cast<std::size_t>(length)};
}

communicator communicator_at(std::uintptr_t address) {
    library_call const call;
    int initialised = 0;
    MPI_Initialized(&initialised);
    if (initialised == 0) throw usage_error("comm: MPI is not initialised");
    MPI_Comm const parent = *reinterpret_cast<MPI_Comm const*>(address);
    if (parent == MPI_COMM_NULL) throw usage_error("comm: it is MPI.COMM_NULL");
    int between_groups = 0;
    check_mpi(MPI_Comm_test_inter(parent, &between_groups), "MPI_Comm_test_inter");
    if (between_groups != 0)
        throw usage_error("comm: it is an inter-communicator; expected an intra-communicator");
    return make_communicator(parent);
}

bool mpi_is_initialized() {
    int initialised = 0;
    MPI_Initialized(&initialised);
    return initialised != 0;
}

/// Ends the program together with the other ranks. By a failure that they may not follow it ends as the
/// unwinding of an exception does: after some seconds without progress the job is aborted when this process
/// ends.
void finish(std::unique_ptr<environment> started, bool by_failure) {
    if (!by_failure) return started.reset();
    try {
        std::unique_ptr<environment> const unwound = std::move(started);
        throw std::exception();
    } catch (std::exception const&) {} // Python has told of the failure that this stands for
}

/// MPI from its beginning to its end, if it began here.
class python_environment {
public:
    python_environment()
        : owns_mpi_(!mpi_is_initialized()),
          started_(std::make_unique<environment>(
              environment_options{.threads = thread_level::serialized, .alone_without_launcher = true})) {}

    [[nodiscard]] environment const& get() const { return *started_; }
    [[nodiscard]] bool owns_mpi() const noexcept { return owns_mpi_; }

    /// Ends MPI with the process, whose status says whether this rank has failed: `sys.exit(1)`, an uncaught
    /// exception. Where the system does not tell the status, `failed` does, and MPI ends now.
    void finish_with_process(bool failed) {
#ifdef __GLIBC__
        static_cast<void>(failed);
        // Registered now, it runs before everything that was made meanwhile is destroyed.
        on_exit(
            [](int status, void* kept) {
                finish(std::unique_ptr<environment>(static_cast<environment*>(kept)), status != 0);
            },
            started_.release());
#else
        library_call const call;
        finish(std::move(started_), failed);
#endif
    }

private:
    bool owns_mpi_;
    std::unique_ptr<environment> started_;
};

/// Ends the job with this text, if MPI still runs.
void abort_job_with(std::string const& text) {
    if (mpi_is_finalized()) return;
    std::fprintf(stderr, "weft: %s: the job is aborted\n", text.c_str());
    std::fflush(stderr);
    std::this_thread::sleep_for(
        std::chrono::milliseconds(200)); // a launcher forwards no text once the job is aborted
    MPI_Abort(MPI_COMM_WORLD, 1);
}

} // namespace

void bind_communicator(nb::module_& module) {
    module.def("library_version", &library_version);
    module.def("mpi_is_finalized", &mpi_is_finalized);
    module.def("abort_job", &abort_job_with, nb::arg("text"), nb::call_guard<nb::gil_scoped_release>());
    module.def(
        "enter_callback",
        [](communicator const& comm, std::string const& call) {
            communicator_in_use::refuse(comm, call);
            communicator_in_use::enter(comm);
        },
        nb::arg("comm"), nb::arg("call"));
    module.def("leave_callback", &communicator_in_use::leave);

    nb::class_<communicator>(module, "Communicator")
        .def_static("at", &communicator_at, nb::arg("address"))
        .def_prop_ro("rank", &communicator::rank)
        .def_prop_ro("size", &communicator::size)
        .def(
            "split",
            [](communicator const& comm, int color, int key) {
                collective_call const call(comm, "split");
                return comm.split(color, key);
            },
            nb::arg("color"), nb::arg("key"))
        .def(
            "agree_same",
            [](communicator const& comm, std::string const& text, nb::handle failure, std::int64_t size) {
                std::exception_ptr thrown = failure_of(failure);
                collective_call const call(comm, text);
                return agree_same(comm, text, std::move(thrown), size);
            },
            nb::arg("text"), nb::arg("failure").none(), nb::arg("size"));

    nb::class_<python_environment>(module, "Environment")
        .def("__init__",
            [](python_environment* place) {
                library_call const call;
                new (place) python_environment;
            })
        .def("world",
            [](python_environment const& started) {
                library_call const call;
                return started.get().world();
            })
        .def("finish_with_process", &python_environment::finish_with_process, nb::arg("failed"))
        .def_prop_ro("owns_mpi", &python_environment::owns_mpi)
        .def_prop_ro("warnings", [](python_environment const& started) { return started.get().warnings(); });
}

} // namespace weft::python
