/// The group of ranks that communicate, with all that Weft keeps for it.
#pragma once

#include <weft/core/epoch.hpp>
#include <weft/core/settings.hpp>
#include <weft/core/shared.hpp>
#include <weft/core/topology.hpp>

#include <typeinfo>
#include <utility>

namespace weft {

struct machine_model;      // weft/core/machine_model.hpp
struct communicator_state; // src/core/communicator_state.hpp: the MPI side
class all_ranks_here;      // src/core/door.hpp

/// A handle on a group of ranks. Copies share one state: a private duplicate of the MPI communicator, the
/// topology, the settings and the leases of tags. Made by `environment::world()`, by `split`, or from an
/// `MPI_Comm` by `make_communicator` of weft/mpi.hpp, which duplicates a given MPI communicator once and
/// finds the duplicate again afterwards.
///
/// A communicator, all that were split from it and everything that uses them belong to one thread at a time:
/// an operation on one gets those on the others on. Threads that communicate at once begin each with an
/// `MPI_Comm` of its own and `make_communicator`. Destructors are local (law 2);
/// the MPI resources of communicators that all ranks have dropped are released by a later `split` of the same
/// parent, by a later `make_communicator` where that parent was freed, or at the end.
class communicator {
public:
    [[nodiscard]] int rank() const noexcept;
    [[nodiscard]] int size() const noexcept;
    [[nodiscard]] weft::topology const& topology() const noexcept;
    [[nodiscard]] weft::settings const& settings() const noexcept;

    /// The cost of communication here: the same on all ranks, read by rank 0 when the first communicator was
    /// made. Local; include weft/core/machine_model.hpp.
    [[nodiscard]] machine_model const& machine() const noexcept;

    /// The ranks that give the same color, ordered by (key, rank).
    /// Collective: yes, over this communicator. Blocks: until all ranks have called.
    /// Operations that are open on the same root go on meanwhile. Cost: two barriers of small messages, one
    /// MPI_Comm_split and two small all-reduces. Throws: `usage_error`, on all ranks, for a
    /// negative color on one; `mpi_error`.
    [[nodiscard]] communicator split(int color, int key = 0) const;

    /// The same ranks under other settings, for instance pretend nodes.
    /// Collective: yes, with equal settings everywhere. Blocks, Cost: as `split`. Throws: `usage_error` for a
    /// value that its knob would not take, `io_error` for a machine model that cannot be used, `mpi_error`.
    [[nodiscard]] communicator with(weft::settings const& changed) const;

    /// Begins a collective operation: its place in their order and its tags. Local, but all ranks must begin
    /// the operations of one communicator in the same order. Throws: `usage_error` when too many are open:
    /// half of the epoch window, or one where the census is MPI's collective.
    [[nodiscard]] epoch_lease begin_epoch() const;
    /// Whether `begin_epoch` would throw. Local.
    [[nodiscard]] bool epochs_are_full() const noexcept;
    /// The tags of operations that live long, as far as this rank uses them. Local.
    [[nodiscard]] tag_pool& long_tags() const noexcept;

    /// State that another module hangs off this communicator: made from the arguments on first use, destroyed
    /// with the communicator. Local.
    template <class T, class... Arguments>
    T& attachment(Arguments&&... arguments) const {
        if (void* const found = find_attachment(typeid(T))) return *static_cast<T*>(found);
        T* const made = new T(std::forward<Arguments>(arguments)...);
        attach(typeid(T), made, [](void* old) { delete static_cast<T*>(old); });
        return *made;
    }

    /// The communicator that this one was split from, through all splits; itself if it was not. Local.
    [[nodiscard]] communicator const& root() const noexcept;

    /// Takes part in the ownership of a state; for weft/mpi.hpp.
    explicit communicator(communicator_state& state) noexcept;
    [[nodiscard]] communicator_state& state() const noexcept;

private:
    [[nodiscard]] void* find_attachment(std::type_info const& type) const noexcept;
    void attach(std::type_info const& type, void* what, void (*destroy)(void*)) const;
    [[nodiscard]] communicator split_together(all_ranks_here here, int color, int key) const;
    [[nodiscard]] communicator with_together(all_ranks_here here, weft::settings const& changed) const;

    detail::shared<communicator_state> state_; // null only after a move
};

} // namespace weft
