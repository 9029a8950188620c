#include "of_rank_0.hpp"

#include "expect_mpi.hpp"

#include <weft/core/error.hpp>

#include <climits>
#include <cstdint>
#include <exception>

namespace weft {

namespace {

/// Broadcasts a text from rank 0. Collective.
void broadcast(all_ranks_here, MPI_Comm comm, std::string& text) {
    auto length = static_cast<std::int64_t>(text.size());
    expect_mpi(MPI_Bcast(&length, 1, MPI_INT64_T, 0, comm), "MPI_Bcast");
    if (length > INT_MAX) throw io_error("the settings of rank 0 have more than 2 GiB");
    text.resize(static_cast<std::size_t>(length));
    expect_mpi(MPI_Bcast(text.data(), static_cast<int>(length), MPI_CHAR, 0, comm), "MPI_Bcast");
}

} // namespace

std::string of_rank_0(all_ranks_here here, MPI_Comm comm, std::function<std::string()> const& read) {
    int rank = 0;
    expect_mpi(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    std::string text;
    std::exception_ptr thrown;
    if (rank == 0) {
        try {
            text = static_cast<char>(error_kind::none) + read();
        } catch (...) {
            thrown = std::current_exception();
            text = static_cast<char>(kind_of(thrown)) + text_of(thrown);
        }
    }
    broadcast(here, comm, text);
    if (thrown) std::rethrow_exception(thrown);
    auto const kind = static_cast<error_kind>(text.front());
    if (kind != error_kind::none) throw_remote(kind, 0, text.substr(1));
    return text.substr(1);
}

} // namespace weft
