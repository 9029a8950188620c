/// The group of ranks that communicate, and the state that Weft keeps for it.
#pragma once

#include <weft/detail/core/language.hpp> // before all others

#include <weft/core/settings.hpp>
#include <weft/core/topology.hpp>
#include <weft/detail/core/shared.hpp>

namespace weft {

struct machine_model;      // weft/machine/machine_model.hpp
struct communicator_state; // src/core/communicator_state.hpp: the MPI side
class all_ranks_here;      // src/core/door.hpp

namespace detail {
struct communicator_parts; // weft/detail/core/communicator_parts.hpp
}

/// A handle to a group of ranks. Copies share one state: a private duplicate of the MPI communicator, the
/// topology, the settings and the reserved tags. A communicator is made by `environment::world()`, by
/// `split`, or from an `MPI_Comm` by `make_communicator` of weft/mpi.hpp. The first call of
/// `make_communicator` duplicates the MPI communicator, and later calls use this duplicate.
///
/// Only one thread at a time may use a communicator, the communicators that were split from it, and the
/// objects that use them: an operation on one of them also makes progress with open operations on the others.
/// Without `thread_level::multiple`, only one thread at a time may use any communicator of the process. With
/// `thread_level::multiple` each thread makes a communicator from an `MPI_Comm` of its own by
/// `make_communicator`. Destructors are local. When all ranks have dropped a communicator, its MPI resources
/// are released by a later `split` of the same parent, by a later `make_communicator` if that parent was
/// freed, or at the end of the program.
class communicator {
public:
    [[nodiscard]] int rank() const noexcept; ///< Returns the number of this rank, from 0. Local.
    [[nodiscard]] int size() const noexcept; ///< Returns the number of ranks. Local.
    /// Returns the nodes of all ranks, as seen from this rank. Local.
    [[nodiscard]] weft::topology const& topology() const noexcept;
    /// Returns the settings in force, the same on all ranks. Local.
    [[nodiscard]] weft::settings const& settings() const noexcept;

    /// Returns the model of the machine's communication costs: the same on all ranks, read by rank 0 when the
    /// first communicator was made. Local; include weft/machine/machine_model.hpp.
    [[nodiscard]] machine_model const& machine() const noexcept;

    /// Returns the communicator of the ranks that pass the same color, ordered by (key, rank). Collective:
    /// yes, over this communicator. Blocks: until all ranks have called. While a rank waits, open operations
    /// make progress on all communicators with the same `root()`. Cost: two barriers of small messages, one
    /// MPI_Comm_split and two small all-reduces. Throws: `usage_error` on all ranks if one rank gives a
    /// negative color; `mpi_error`.
    [[nodiscard]] communicator split(int color, int key = 0) const;

    /// Returns a communicator of the same ranks with other settings, such as other sizes of nodes
    /// (`settings::ranks_per_node`). Collective: yes, with equal settings on all ranks. Blocks, Cost: as
    /// `split`. Throws: `usage_error` for an invalid value of a setting, `io_error` for a machine model that
    /// cannot be used, `mpi_error`.
    [[nodiscard]] communicator with(weft::settings const& changed) const;

    /// Returns the communicator from which this one was made by one or several splits; the communicator
    /// itself if it was not split. Local.
    [[nodiscard]] communicator const& root() const noexcept;

private:
    friend struct detail::communicator_parts;
    explicit communicator(communicator_state& state) noexcept;

    [[nodiscard]] communicator split_together(all_ranks_here here, int color, int key) const;
    [[nodiscard]] communicator with_together(all_ranks_here here, weft::settings const& changed) const;

    detail::shared<communicator_state> state_; // null only after a move
};

} // namespace weft
