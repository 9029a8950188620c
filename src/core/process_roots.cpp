#include "attribute_key.hpp"
#include "communicator_state.hpp"
#include "expect_mpi.hpp"

#include <weft/core/error.hpp>

#include <algorithm>

namespace weft {

namespace {

using cached_roots = std::shared_ptr<process_roots>;

/// MPI is being finalised and still works: completes dropped operations, as at the end of an environment.
int finish_and_delete(MPI_Comm, int, void* cached, void*) {
    auto* const held = static_cast<cached_roots*>(cached);
    (*held)->begin_to_finalise();
    try {
        if (!door::leave(**held, std::nullopt)) abort_job();
    } catch (mpi_error const&) { abort_job_at_once(); }
    (*held)->free_orphans();
    delete held;
    return MPI_SUCCESS;
}

/// Returns the key of the roots; made once for each process.
int roots_key() {
    static int const key = attribute_key(finish_and_delete);
    return key;
}

} // namespace

std::shared_ptr<process_roots> process_roots::get() {
    static std::mutex making; // two threads may make their first root at the same time
    std::lock_guard const lock(making);
    void* cached = nullptr;
    int found = 0;
    expect_mpi(MPI_Comm_get_attr(MPI_COMM_SELF, roots_key(), static_cast<void*>(&cached), &found),
        "MPI_Comm_get_attr");
    if (found != 0) return *static_cast<cached_roots*>(cached);
    auto const made = std::make_shared<process_roots>();
    expect_mpi(MPI_Comm_set_attr(MPI_COMM_SELF, roots_key(), new cached_roots(made)), "MPI_Comm_set_attr");
    return made;
}

void process_roots::add(communicator_state& root) {
    std::lock_guard const lock(mutex_);
    roots_.push_back(&root);
}

void process_roots::remove(communicator_state& root) noexcept {
    std::lock_guard const lock(mutex_);
    std::erase(roots_, &root);
}

std::vector<communicator> process_roots::all() const {
    return those(false);
}

std::vector<communicator> process_roots::without_parent() const {
    return those(true);
}

std::vector<communicator> process_roots::those(bool whose_parent_is_gone) const {
    std::lock_guard const lock(mutex_);
    std::vector<communicator> found;
    for (communicator_state* const each : roots_)
        if (each->owned->parent_is_gone == whose_parent_is_gone)
            found.push_back(detail::communicator_parts::handle_of(*each));
    return found;
}

void process_roots::adopt(std::shared_ptr<owned_comm> orphan) noexcept {
    int finalised = 0;
    MPI_Finalized(&finalised);
    // Windows are freed by a call that waits, so the few communicators with one stay until MPI ends.
    if (finalised != 0 || orphan->counters != MPI_WIN_NULL) return;
    MPI_Request all_dropped = MPI_REQUEST_NULL;
    if (MPI_Ibarrier(orphan->comm, &all_dropped) != MPI_SUCCESS) return;
    std::lock_guard const lock(mutex_);
    orphans_.push_back({std::move(orphan), all_dropped});
}

void process_roots::free_orphans() noexcept {
    std::lock_guard const lock(mutex_);
    std::erase_if(orphans_, [](orphan& each) {
        int complete = 0;
        if (MPI_Test(&each.all_dropped, &complete, MPI_STATUS_IGNORE) != MPI_SUCCESS || complete == 0)
            return false;
        each.comm->free_all();
        return true;
    });
}

} // namespace weft
