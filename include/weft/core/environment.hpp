/// Initialises and finalises MPI.
#pragma once

#include <weft/core/communicator.hpp>

#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

struct environment_options;

namespace detail {
int run_on_all_ranks(int& argc, char**& argv, std::function<int(communicator const&)> const& body,
    environment_options const& options); // weft/core/run.hpp
}

/// The level of thread support that MPI is asked for.
enum class thread_level {
    funneled,   ///< only the thread that made the environment communicates
    serialized, ///< any thread communicates, one at a time
    multiple,   ///< several threads communicate at once, each on a `communicator::root()` of its own
};

/// Options of an `environment`.
struct environment_options {
    /// The level of thread support that is requested from MPI.
    thread_level threads = thread_level::funneled;
    /// If true, and no launcher started this process, MPI is initialised for this process alone. With this
    /// option Open MPI starts ten times faster than without, since it needs no helper process and no network.
    /// A process started with this option can neither spawn other MPI processes nor connect to them.
    bool alone_without_launcher = false;
};

/// Initialises MPI, and finalises it at the end, unless the program has initialised MPI itself. Make an
/// environment at the top of `main`; all other objects of Weft must be destroyed before it.
///
/// The constructor and, if MPI was initialised here, the destructor are collective over MPI_COMM_WORLD. The
/// destructor waits for all ranks. While the destructor waits, it completes operations that other ranks still
/// need, such as exchanges whose handles were dropped here. If an exception unwinds the stack, and no rank
/// makes progress for five seconds before all ranks have called the destructor, the destructor returns
/// without finalising MPI, so that the exception reaches its handler; the end of this process then aborts the
/// job. The destructor also returns without finalising MPI if an operation has failed on this rank alone for
/// lack of memory. If the program has initialised MPI itself, MPI_Finalize waits for all ranks instead of the
/// destructor.
class environment {
public:
    /// Throws: `usage_error` (MPI has been finalised or does not support the requested level of threads, or a
    /// `WEFT_*` variable has an invalid value), `io_error` (WEFT_MACHINE names a file that cannot be used),
    /// `mpi_error`.
    environment(int& argc, char**& argv, environment_options const& options = {});
    explicit environment(environment_options const& options);
    environment() : environment(environment_options{}) {}
    ~environment();
    environment(environment const&) = delete;
    environment& operator=(environment const&) = delete;

    /// Returns the communicator of all ranks. Local.
    [[nodiscard]] communicator world() const;

    /// Returns on rank 0 a sentence for each unknown WEFT_* variable, and for a machine model that was found
    /// but cannot be used; an empty list on other ranks. The library itself does not print these warnings.
    /// Local.
    [[nodiscard]] std::vector<std::string> const& warnings() const noexcept { return warnings_; }

private:
    friend int detail::run_on_all_ranks(int& argc, char**& argv,
        std::function<int(communicator const&)> const& body, environment_options const& options);

    void start(int* argc, char*** argv, environment_options const& options);
    void finish() noexcept;
    void end_mpi() noexcept;
    /// Finishes, and has the exception of one rank printed in a line. False if a rank has thrown.
    [[nodiscard]] bool finish_and_tell(std::exception_ptr const& thrown, char const* program) noexcept;

    bool owns_mpi_ = false;
    int exceptions_at_start_ = 0;
    std::optional<communicator> world_;
    std::vector<std::string> warnings_;
};

/// Returns true if a launcher of MPI started this process, judging by environment variables. Local; may be
/// called before MPI is initialised, and after.
[[nodiscard]] bool launched_by_mpi() noexcept;

/// Returns the MPI library in use and its version, such as "Open MPI 4.1.4". Local; may be called before MPI
/// is initialised, and after.
[[nodiscard]] std::string_view mpi_library();

} // namespace weft
