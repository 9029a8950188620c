/// Intercepts the MPI calls of the runtime in these tests: each call is counted at its place in the source,
/// and one of them fails, that is, it returns an error and does nothing.
///
/// In a real job, a lone failure ends the job. Here it ends the trial: from then on every call of every
/// rank fails, as if the job were gone, and calls that block in MPI wait outside of it until all ranks have
/// come.
#pragma once

#include <weft/mpi.hpp>

#include <atomic>
#include <climits>
#include <cstdint>
#include <string>
#include <vector>

namespace mpi_faults {

/// A call of MPI in a source.
struct place {
    std::string file; // below src
    int line = 0;
    std::string name;
    std::int64_t calls = 0;
    std::int64_t failed = 0;
    bool polls = false;       // what is asked again and again: how often differs from run to run
    std::int64_t found = 0;   // calls that found something, where it polls
    std::int64_t counted = 0; // calls, also before the last `count_from_here`
};

/// Returns true if this call is to fail, or the job is gone.
[[nodiscard]] bool fails(char const* file, int line, char const* name) noexcept;
/// The same for a call that polls, and will find something if `finds`.
[[nodiscard]] bool poll_fails(char const* file, int line, char const* name, bool finds) noexcept;
/// Returns true if polls are to be asked before what they will find.
[[nodiscard]] bool asks_polls() noexcept;
/// Returns the code of a failing call.
[[nodiscard]] int code() noexcept;
/// Returns that code for a call that was carried out and is to report a failure; else `result`.
[[nodiscard]] inline int unless(bool fails, int result) noexcept {
    return fails ? code() : result;
}

/// Returns the places of the calls between `count_from_here` and `stop`.
[[nodiscard]] std::vector<place> const& places() noexcept;
void count_from_here() noexcept;
/// Lets the n-th call at a place fail, counted from 1 from here on; with `finds`, the n-th that finds
/// something.
void let_fail(std::size_t place, std::int64_t n, bool finds = false) noexcept;
/// Lets the first call at a line fail, which may be reached later, and reports it on standard error. There
/// may be several such lines.
void let_fail_at(std::string const& file, int line);
/// Ends failures set by `let_fail`; returns true if one has occurred.
bool stop() noexcept;

/// After a failure, memory is not freed until this call.
void free_memory_again() noexcept;

/// `gone` is set by the rank whose failure ends the job, and read by all ranks.
void share_end(std::atomic<int>* gone) noexcept;
[[nodiscard]] bool job_is_gone() noexcept;

/// Returns the number of requests of the runtime that are not complete or not freed.
[[nodiscard]] std::int64_t requests_under_way() noexcept;
void forget_requests() noexcept;

/// From here on, every rank is on a node of its own.
void set_ranks_apart() noexcept;

/// Messages with more bytes are counted like those beyond 2 GiB.
inline constexpr int most_of_int = 4096;

/// Each returns true if this poll will find something, and does not make it.
namespace finds {

[[nodiscard]] bool MPI_Test(MPI_Request* pending, int* complete, MPI_Status* status);
[[nodiscard]] bool MPI_Iprobe(int from, int tag, MPI_Comm comm, int* found, MPI_Status* status);
[[nodiscard]] bool MPI_Improbe(
    int from, int tag, MPI_Comm comm, int* found, MPI_Message* message, MPI_Status* status);

} // namespace finds

namespace real {

int MPI_Issend(
    void const* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* made);
int MPI_Isend(
    void const* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* made);
int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* made);
int MPI_Imrecv(void* data, int count, MPI_Datatype type, MPI_Message* message, MPI_Request* made);
int MPI_Send_init(
    void const* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* made);
int MPI_Recv_init(
    void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* made);
int MPI_Start(MPI_Request* prepared);
int MPI_Request_free(MPI_Request* prepared);
int MPI_Test(MPI_Request* pending, int* complete, MPI_Status* status);
int MPI_Waitall(int count, MPI_Request* pending, MPI_Status* statuses);
int MPI_Ialltoall(void const* out, int out_count, MPI_Datatype out_type, void* in, int in_count,
    MPI_Datatype in_type, MPI_Comm comm, MPI_Request* made);
int MPI_Ireduce_scatter_block(
    void const* out, void* in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request* made);
int MPI_Iallreduce(
    void const* out, void* in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request* made);
int MPI_Rget_accumulate(void const* out, int out_count, MPI_Datatype out_type, void* in, int in_count,
    MPI_Datatype in_type, int to, MPI_Aint at, int count, MPI_Datatype type, MPI_Op op, MPI_Win window,
    MPI_Request* made);
int MPI_Comm_idup(MPI_Comm comm, MPI_Comm* made, MPI_Request* under_way);
int MPI_Ibarrier(MPI_Comm comm, MPI_Request* made);
int MPI_Get_count(MPI_Status const* status, MPI_Datatype type, int* count);

int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm);
int MPI_Barrier(MPI_Comm comm);
int MPI_Allreduce(void const* out, void* in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Allgather(void const* out, int out_count, MPI_Datatype out_type, void* in, int in_count,
    MPI_Datatype in_type, MPI_Comm comm);
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* made);
int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made);
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* made);
int MPI_Win_allocate(MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* made);
int MPI_Win_allocate_shared(
    MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* made);

} // namespace real

} // namespace mpi_faults

#undef INT_MAX
#define INT_MAX (::mpi_faults::most_of_int)
