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

/// An MPI communicator that Weft made from another one. It outlives its handles: freeing is collective and
/// dropping a handle is not, so it stays until the ranks agree at the next split of the parent.
struct owned_comm {
    explicit owned_comm(MPI_Comm made) : comm(made) {}

    MPI_Comm comm;
    bool dropped = false;
    bool parent_is_gone = false;     // of a root: the user has freed the parent
    MPI_Win counters = MPI_WIN_NULL; // of the transport; stored here since freeing it is collective
    bool counters_locked = false;
    std::vector<std::shared_ptr<owned_comm>> children;

    [[nodiscard]] bool dropped_with_children() const noexcept;
    void free_all() noexcept;
    /// Frees only the window. Collective.
    void free_counters(all_ranks_here here) noexcept;

private:
    void free_window() noexcept;
};

/// The roots of this process. Cached on MPI_COMM_SELF: its attributes are the first that MPI deletes when it
/// is finalised, and MPI still works then. Several threads may have roots of their own.
class process_roots {
public:
    /// Returns the roots of this process; made on first use.
    [[nodiscard]] static std::shared_ptr<process_roots> get();

    /// MPI is being finalised: from now on ranks cannot rely on each other.
    void begin_to_finalise() noexcept { finalises_ = true; }
    [[nodiscard]] bool finalises() const noexcept { return finalises_; }
    void add(communicator_state& root);
    void remove(communicator_state& root) noexcept;
    /// Returns the roots whose parent exists: the same ones on all ranks.
    [[nodiscard]] std::vector<communicator> all() const;
    /// Returns the roots whose parent the user has freed and that still have a handle here.
    [[nodiscard]] std::vector<communicator> without_parent() const;
    /// Keeps a communicator that this rank has dropped after its parent was freed, until all ranks have
    /// dropped it, since it may only be freed then. Local.
    void adopt(std::shared_ptr<owned_comm> orphan) noexcept;
    /// Frees the orphans that all ranks have dropped. Local; does not wait.
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

/// An object of another module that is destroyed with the communicator.
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
    std::optional<communicator> root;           // empty for a root
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

/// Ends the job because other ranks did not reach the end with this process. By now the program has reported
/// its exceptions.
void abort_job();
/// Ends the job with a message to the user.
void end_job(std::string const& why);
/// Does so after an MPI failure, without a wait: the others may block in a call that this rank did not
/// make.
void abort_job_at_once();

/// Drops the duplicate cached on MPI_COMM_WORLD, before MPI is finalised. Collective. Throws: `mpi_error`.
void release_world(all_ranks_here here);

} // namespace weft
