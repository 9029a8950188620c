#include <mpi_faults/hook.hpp>

#include <dlfcn.h>
#include <sched.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

namespace mpi_faults {

namespace {

std::vector<place>& all_places() {
    static auto* const all = new std::vector<place>; // calls come until the very end
    return *all;
}

std::mutex& one_at_a_time() {
    static auto* const mutex = new std::mutex;
    return *mutex;
}

struct {
    std::size_t place = 0;
    std::int64_t left = 0; // 0: none is to fail
    bool finds = false;
    bool failed = false;
} wanted;

struct line_of_source {
    std::string file;
    int line = 0;
};
std::vector<line_of_source>& wanted_lines() {
    static auto* const all = new std::vector<line_of_source>;
    return *all;
}

std::atomic<int>* end_of_job = nullptr;
std::atomic<bool> keeps_memory = false;
std::atomic<std::int64_t> under_way = 0;
bool apart = false;
bool counts = false;

std::size_t index_of(char const* file, int line, char const* name) {
    std::string_view const whole = file;
    std::size_t const below = whole.rfind("/src/");
    std::string const short_name(below != std::string_view::npos ? whole.substr(below + 5) : whole);
    std::vector<place>& all = all_places();
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].line == line && all[i].name == name && all[i].file == short_name) return i;
    all.push_back({short_name, line, name});
    all.back().polls = all.back().name == "MPI_Test" || all.back().name.ends_with("probe");
    return all.size() - 1;
}

int count_if_made(int result) noexcept {
    if (result == MPI_SUCCESS) ++under_way;
    return result;
}

/// A duplicate that some ranks have asked for. In the job of many runs MPI makes it once all have: one that
/// is under way for ever would keep later runs from making communicators.
struct duplicate {
    MPI_Comm of = MPI_COMM_NULL;
    MPI_Comm* made = nullptr;
};
std::vector<std::pair<MPI_Request, duplicate>>& duplicates() {
    static auto* const all = new std::vector<std::pair<MPI_Request, duplicate>>;
    return *all;
}
std::optional<duplicate> taken_duplicate(MPI_Request asked) {
    std::lock_guard const lock(one_at_a_time());
    std::vector<std::pair<MPI_Request, duplicate>>& all = duplicates();
    auto const found = std::ranges::find(all, asked, &std::pair<MPI_Request, duplicate>::first);
    if (found == all.end()) return std::nullopt;
    duplicate const taken = found->second;
    all.erase(found);
    return taken;
}

/// All ranks of `comm` have come here. False where the job is gone.
bool all_have_come(MPI_Comm comm) {
    MPI_Request arrival = MPI_REQUEST_NULL;
    if (end_of_job == nullptr) return true; // a whole job: it waits as it would
    if (::MPI_Ibarrier(comm, &arrival) != MPI_SUCCESS) return false;
    for (int complete = 0; complete == 0;) {
        ::MPI_Test(&arrival, &complete, MPI_STATUS_IGNORE);
        if (complete == 0 && job_is_gone()) return false;
        sched_yield();
    }
    return true;
}

} // namespace

bool fails(char const* file, int line, char const* name) noexcept {
    return poll_fails(file, line, name, false);
}

bool asks_polls() noexcept {
    return !job_is_gone() && (counts || wanted.finds);
}

bool poll_fails(char const* file, int line, char const* name, bool finds) noexcept {
    if (job_is_gone()) {
        keeps_memory = true;
        return std::string_view(name) != "MPI_Error_string";
    }
    std::lock_guard const lock(one_at_a_time());
    std::size_t const here = index_of(file, line, name);
    place& at = all_places()[here];
    if (counts) {
        ++at.calls;
        ++at.counted;
        at.found += finds ? 1 : 0;
    }
    if (std::erase_if(wanted_lines(),
            [&](line_of_source const& each) { return each.line == at.line && each.file == at.file; }) > 0) {
        ++at.failed;
        std::fprintf(stderr, "mpi_faults: %s:%d %s has failed\n", at.file.c_str(), at.line, name);
        return true;
    }
    if (wanted.left == 0 || here != wanted.place || (wanted.finds && !finds) || --wanted.left != 0)
        return false;
    ++at.failed;
    keeps_memory = true;
    return wanted.failed = true;
}

int code() noexcept {
    return MPI_ERR_OTHER;
}

std::vector<place> const& places() noexcept {
    return all_places();
}

void count_from_here() noexcept {
    for (place& each : all_places()) each.calls = each.found = 0;
    counts = true;
}

void let_fail(std::size_t place, std::int64_t n, bool finds) noexcept {
    wanted.place = place;
    wanted.finds = finds;
    wanted.failed = false;
    wanted.left = n;
}

void let_fail_at(std::string const& file, int line) {
    wanted_lines().push_back({file, line});
}

bool stop() noexcept {
    wanted.left = 0;
    wanted.finds = false;
    counts = false;
    return std::exchange(wanted.failed, false);
}

void free_memory_again() noexcept {
    keeps_memory = false;
}

void share_end(std::atomic<int>* gone) noexcept {
    end_of_job = gone;
}

bool job_is_gone() noexcept {
    return end_of_job != nullptr && end_of_job->load() != 0;
}

std::int64_t requests_under_way() noexcept {
    return under_way;
}

void forget_requests() noexcept {
    under_way = 0;
    duplicates().clear();
}

void set_ranks_apart() noexcept {
    apart = true;
}

namespace finds {

bool MPI_Test(MPI_Request* pending, int*, MPI_Status*) {
    int complete = 0;
    return asks_polls() && *pending != MPI_REQUEST_NULL &&
           ::MPI_Request_get_status(*pending, &complete, MPI_STATUS_IGNORE) == MPI_SUCCESS && complete != 0;
}
bool MPI_Iprobe(int from, int tag, MPI_Comm comm, int*, MPI_Status*) {
    int found = 0;
    return asks_polls() && ::MPI_Iprobe(from, tag, comm, &found, MPI_STATUS_IGNORE) == MPI_SUCCESS &&
           found != 0;
}
bool MPI_Improbe(int from, int tag, MPI_Comm comm, int* found, MPI_Message*, MPI_Status* status) {
    return finds::MPI_Iprobe(from, tag, comm, found, status);
}

} // namespace finds

namespace real {

int MPI_Issend(
    void const* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* made) {
    return count_if_made(::MPI_Issend(data, count, type, to, tag, comm, made));
}
int MPI_Isend(
    void const* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* made) {
    return count_if_made(::MPI_Isend(data, count, type, to, tag, comm, made));
}
int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* made) {
    return count_if_made(::MPI_Irecv(data, count, type, from, tag, comm, made));
}
int MPI_Imrecv(void* data, int count, MPI_Datatype type, MPI_Message* message, MPI_Request* made) {
    return count_if_made(::MPI_Imrecv(data, count, type, message, made));
}
int MPI_Send_init(
    void const* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* made) {
    return count_if_made(::MPI_Send_init(data, count, type, to, tag, comm, made));
}
int MPI_Recv_init(
    void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* made) {
    return count_if_made(::MPI_Recv_init(data, count, type, from, tag, comm, made));
}
int MPI_Start(MPI_Request* prepared) {
    return ::MPI_Start(prepared); // it was counted when it was prepared, and is until it is freed
}
int MPI_Request_free(MPI_Request* prepared) {
    int const result = ::MPI_Request_free(prepared);
    if (result == MPI_SUCCESS) --under_way;
    return result;
}
int MPI_Test(MPI_Request* pending, int* complete, MPI_Status* status) {
    MPI_Request const before = *pending;
    int const result = ::MPI_Test(pending, complete, status);
    if (before == MPI_REQUEST_NULL || *pending != MPI_REQUEST_NULL) return result;
    --under_way;
    std::optional<duplicate> const asked = taken_duplicate(before);
    if (!asked) return result;
    return all_have_come(asked->of) ? ::MPI_Comm_dup(asked->of, asked->made) : code();
}
int MPI_Waitall(int count, MPI_Request* pending, MPI_Status* statuses) {
    for (int i = 0; i < count; ++i)
        if (pending[i] != MPI_REQUEST_NULL) --under_way;
    return ::MPI_Waitall(count, pending, statuses);
}
int MPI_Ialltoall(void const* out, int out_count, MPI_Datatype out_type, void* in, int in_count,
    MPI_Datatype in_type, MPI_Comm comm, MPI_Request* made) {
    return count_if_made(::MPI_Ialltoall(out, out_count, out_type, in, in_count, in_type, comm, made));
}
int MPI_Ireduce_scatter_block(
    void const* out, void* in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request* made) {
    return count_if_made(::MPI_Ireduce_scatter_block(out, in, count, type, op, comm, made));
}
int MPI_Iallreduce(
    void const* out, void* in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request* made) {
    return count_if_made(::MPI_Iallreduce(out, in, count, type, op, comm, made));
}
int MPI_Rget_accumulate(void const* out, int out_count, MPI_Datatype out_type, void* in, int in_count,
    MPI_Datatype in_type, int to, MPI_Aint at, int count, MPI_Datatype type, MPI_Op op, MPI_Win window,
    MPI_Request* made) {
    return count_if_made(::MPI_Rget_accumulate(
        out, out_count, out_type, in, in_count, in_type, to, at, count, type, op, window, made));
}
int MPI_Comm_idup(MPI_Comm comm, MPI_Comm* made, MPI_Request* request) {
    if (end_of_job == nullptr) return count_if_made(::MPI_Comm_idup(comm, made, request));
    int const result = count_if_made(::MPI_Ibarrier(comm, request));
    std::lock_guard const lock(one_at_a_time());
    duplicates().emplace_back(*request, duplicate{comm, made});
    return result;
}
int MPI_Ibarrier(MPI_Comm comm, MPI_Request* made) {
    return count_if_made(::MPI_Ibarrier(comm, made));
}
int MPI_Get_count(MPI_Status const* status, MPI_Datatype type, int* count) {
    int const result = ::MPI_Get_count(status, type, count);
    if (result == MPI_SUCCESS && *count > most_of_int) *count = MPI_UNDEFINED;
    return result;
}

int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    return all_have_come(comm) ? ::MPI_Bcast(data, count, type, root, comm) : code();
}
int MPI_Barrier(MPI_Comm comm) {
    return all_have_come(comm) ? ::MPI_Barrier(comm) : code();
}
int MPI_Allreduce(void const* out, void* in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return all_have_come(comm) ? ::MPI_Allreduce(out, in, count, type, op, comm) : code();
}
int MPI_Allgather(void const* out, int out_count, MPI_Datatype out_type, void* in, int in_count,
    MPI_Datatype in_type, MPI_Comm comm) {
    return all_have_come(comm) ? ::MPI_Allgather(out, out_count, out_type, in, in_count, in_type, comm)
                               : code();
}
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* made) {
    return all_have_come(comm) ? ::MPI_Comm_split(comm, color, key, made) : code();
}
int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made) {
    if (!all_have_come(comm)) return code();
    if (!apart) return ::MPI_Comm_split_type(comm, type, key, info, made);
    int rank = 0;
    ::MPI_Comm_rank(comm, &rank);
    return ::MPI_Comm_split(comm, rank, key, made);
}
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* made) {
    return all_have_come(comm) ? ::MPI_Comm_dup(comm, made) : code();
}
int MPI_Win_allocate(MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* made) {
    return all_have_come(comm) ? ::MPI_Win_allocate(bytes, unit, info, comm, base, made) : code();
}
int MPI_Win_allocate_shared(
    MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* made) {
    return all_have_come(comm) ? ::MPI_Win_allocate_shared(bytes, unit, info, comm, base, made) : code();
}

} // namespace real

} // namespace mpi_faults

/// Receives are still under way where a call has failed, and MPI writes into their memory in later runs of
/// the process.
extern "C" void free(void* block) noexcept {
    static auto* const freeing = reinterpret_cast<void (*)(void*)>(dlsym(RTLD_NEXT, "free"));
    if (!mpi_faults::keeps_memory) freeing(block);
}
