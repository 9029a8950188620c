/// Runs a whole program: initialises and finalises MPI, and prints an exception in one line.
#pragma once

#include <weft/core/environment.hpp>

#include <functional>
#include <type_traits>

namespace weft {

namespace detail {
int run_on_all_ranks(int& argc, char**& argv, std::function<int(communicator const&)> const& body,
    environment_options const& options);
}

/// Advances the clock of a simulated rank by `seconds`, as if the program computed for that time; on a rank
/// that is not simulated the call does nothing. Local. Throws: `usage_error` for a negative number.
void advance(double seconds);

/// Makes an environment, calls `body` on all ranks with the communicator of all ranks, and returns the exit
/// code of the program: what `body` returned (0 if it returns nothing), or 1 on all ranks if `body` threw an
/// exception on one rank:
///
///     int main(int argc, char** argv) {
///         return weft::run(argc, argv, [](weft::communicator comm) { ... });
///     }
///
/// The lowest rank that threw an exception of its own prints one line on standard error: the name of the
/// program, the rank, and the text of the exception. The rank is left out if all ranks threw a `usage_error`
/// or an `io_error`. If other ranks are still at work or waiting, and no rank makes progress for five
/// seconds, each rank that threw an exception prints its line and the job is aborted. Rank 0 prints
/// `environment::warnings()`. If the program initialised MPI itself, each rank that threw an exception prints
/// its line, and the other ranks do not learn of the exception. With WEFT_SIMULATE=ranks[,machine], `run`
/// calls `body` once for each simulated rank, in this process and without MPI, and prints the simulated time
/// on standard error. Collective: yes, over MPI_COMM_WORLD. Blocks: until `body` has ended on all ranks.
/// Cost: as `environment`, and one small all-reduce. Throws: nothing.
template <class Body>
requires std::is_invocable_v<Body&, communicator const&>
[[nodiscard]] int run(int& argc, char**& argv, Body&& body, environment_options const& options = {}) {
    return detail::run_on_all_ranks(
        argc, argv,
        [&body](communicator const& comm) {
            if constexpr (std::is_void_v<std::invoke_result_t<Body&, communicator const&>>) {
                body(comm);
                return 0;
            } else {
                return static_cast<int>(body(comm));
            }
        },
        options);
}

} // namespace weft
