/// The MPI side of a communicator. Private.
#pragma once

#include "agreed_machine.hpp"
#include "door.hpp"
#include "simulated_ranks.hpp"

#include <weft/detail/core/communicator_parts.hpp>
#include <weft/extend/core/epoch.hpp>
#include <weft/mpi.hpp>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace weft {

/// An MPI communicator that Weft made below another. It outlives its handles: freeing is collective, dropping
/// a handle is not, so a dropped one waits here until the ranks agree at the next split of the parent.
struct owned_comm {
    explicit owned_comm(MPI_Comm made) : comm(made) {}

    MPI_Comm comm;
    bool dropped = false;
    bool parent_is_gone = false;     // of a root: the user has freed what it was made for
    MPI_Win counters = MPI_WIN_NULL; // of the transport; here because freeing it is collective
    bool counters_locked = false;
    std::vector<std::shared_ptr<owned_comm>> children;

    [[nodiscard]] bool dropped_with_children() const noexcept;
    void free_all() noexcept;
    /// Frees the window alone. Collective.
    void free_counters(all_ranks_here here) noexcept;

private:
    void free_window() noexcept;
};

/// The roots of this process. Cached on MPI_COMM_SELF: the attributes of that are the first that MPI deletes
/// when it is finalised, and all of MPI still works then. Several threads may have roots of their own.
class process_roots {
public:
    /// That of this process; made on first use.
    [[nodiscard]] static std::shared_ptr<process_roots> get();

    /// MPI is being finalised: from now on ranks cannot count on each other.
    void begin_to_finalise() noexcept { finalises_ = true; }
    [[nodiscard]] bool finalises() const noexcept { return finalises_; }
    void add(communicator_state& root);
    void remove(communicator_state& root) noexcept;
    /// Those whose parent is there: the same on all their ranks.
    [[nodiscard]] std::vector<communicator> all() const;
    /// Those whose parent the user has freed, as far as something still holds them here.
    [[nodiscard]] std::vector<communicator> without_parent() const;
    /// Keeps a communicator that this rank has dropped after its parent was freed, until all ranks have: only
    /// then it may be freed. Local.
    void adopt(std::shared_ptr<owned_comm> orphan) noexcept;
    /// Frees what all ranks have dropped. Local: nothing waits.
    void free_orphans() noexcept;
    [[nodiscard]] std::size_t orphans() const noexcept { return orphans_.size(); }

private:
    [[nodiscard]] std::vector<communicator> those(bool whose_parent_is_gone) const;

    struct orphan {
        std::shared_ptr<owned_comm> comm;
        MPI_Request all_dropped;
    };

    mutable std::mutex mutex_;
    bool finalises_ = false;
    std::vector<communicator_state*> roots_;
    std::vector<orphan> orphans_;
};

/// Something of another module that is destroyed with the communicator.
struct attached {
    std::type_info const* type;
    void* what;
    void (*destroy)(void*);
};

/// The state that the handles of a communicator share.
struct communicator_state final : detail::counted {
    communicator_state(std::shared_ptr<owned_comm> handle, std::optional<communicator> root, settings chosen);
    communicator_state(
        std::shared_ptr<simulated_ranks> ranks, std::optional<communicator> root, settings chosen);
    ~communicator_state() override;

    /// Frees the children that every rank has dropped. Collective.
    void reclaim_children(all_ranks_here here);

    std::shared_ptr<owned_comm> owned;          // null on a simulated machine
    std::shared_ptr<simulated_ranks> simulated; // null on a real one
    std::optional<communicator> root;           // nothing for a root
    std::shared_ptr<process_roots> roots;       // of a root
    int rank = 0;
    int size = 1;
    settings chosen;
    std::optional<weft::topology> nodes;
    std::shared_ptr<agreed_machine const> machine;
    epoch_ledger epochs;
    tag_pool long_tags;
    std::vector<attached> attachments;
};

[[nodiscard]] inline communicator_state& state_of(communicator const& comm) noexcept {
    return detail::communicator_parts::state(comm);
}

/// The last word of a process that the other ranks did not follow to the end: ends the job. By now the
/// program has told what it caught.
void abort_job();
/// Ends the job, telling the user why.
void end_job(std::string const& why);
/// The same where MPI has failed, without a wait before it: the others may block in what this rank did not
/// call.
void abort_job_at_once();

/// Drops the duplicate cached on MPI_COMM_WORLD, before MPI is finalised. Collective. Throws: `mpi_error`.
void release_world(all_ranks_here here);

} // namespace weft
