/// Communicators, from MPI's handles or from an environment of the module's own.
#include "call.hpp"

#include <weft/core/environment.hpp>
#include <weft/core/error.hpp>
#include <weft/mpi.hpp>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <exception>
#include <optional>

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

/// MPI from its beginning to its end, if it began here.
class python_environment {
public:
    python_environment()
        : started_(std::in_place,
              environment_options{.threads = thread_level::serialized, .alone_without_launcher = true}) {}

    [[nodiscard]] environment const& get() const { return started_.value(); }
    /// Ends MPI. By an exception that the other ranks may not follow it ends as the unwinding of one does:
    /// after some seconds without progress the job is aborted when this process ends.
    void finish(bool by_exception) {
        library_call const call;
        if (!by_exception) return started_.reset();
        try {
            struct unwound {
                std::optional<environment>& what;
                ~unwound() { what.reset(); }
            } const at_the_end{started_};
            throw std::exception();
        } catch (std::exception const&) {} // Python has told of the one that this stands for
    }

private:
    std::optional<environment> started_;
};

bool mpi_is_finalized() {
    int finalised = 0;
    MPI_Finalized(&finalised);
    return finalised != 0;
}

} // namespace

void bind_communicator(nb::module_& module) {
    module.def("library_version", &library_version);
    module.def("mpi_is_finalized", &mpi_is_finalized);

    nb::class_<communicator>(module, "Communicator")
        .def_static("at", &communicator_at, nb::arg("address"))
        .def_prop_ro("rank", &communicator::rank)
        .def_prop_ro("size", &communicator::size)
        .def(
            "split",
            [](communicator const& comm, int color, int key) {
                library_call const call;
                return comm.split(color, key);
            },
            nb::arg("color"), nb::arg("key"))
        .def(
            "agree_same",
            [](communicator const& comm, std::string const& text, nb::handle failure) {
                std::exception_ptr thrown = failure_of(failure);
                library_call const call;
                agree_same(comm, text, std::move(thrown));
            },
            nb::arg("text"), nb::arg("failure").none());

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
        .def("finish", &python_environment::finish, nb::arg("by_exception"))
        .def_prop_ro("warnings", [](python_environment const& started) { return started.get().warnings(); });
}

} // namespace weft::python
