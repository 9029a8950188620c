/// The one door to calls of MPI that block, and the end of everything. Private.
///
/// A rank that blocks in MPI steps nothing, and others may wait for that: for room in its buffers, or for its
/// part of an exchange whose handle it completes later. Therefore all ranks of a communicator first meet, by
/// messages, while each of them goes on stepping all that is open on its root; only then they block.
/// scripts/check_door.py sees that every such call lies in a function that was handed `all_ranks_here`.
///
/// Meeting is the business of `protocol`, which knows engines; the core needs it for `split`. So these
/// functions are declared here and defined in src/protocol/door.cpp: the one place where the core calls
/// upwards.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/extend/core/epoch.hpp>
#include <weft/mpi.hpp>

#include <chrono>
#include <functional>
#include <optional>
#include <vector>

namespace weft {

/// Says that all ranks of a communicator are here, or in a call of MPI on their way here; none of them steps
/// or runs a handler before the blocking call.
class all_ranks_here {
public:
    all_ranks_here(all_ranks_here const&) = default;

private:
    all_ranks_here() = default;
    friend class door;
};

class door {
public:
    /// Waits for all ranks of `comm`, then calls `block(all_ranks_here)`. Collective: yes, in one order with
    /// the other operations of `comm`. `operation` is what a watchdog reads.
    template <class Block>
    static decltype(auto) pass(communicator const& comm, char const* operation, Block&& block) {
        meet(comm, operation);
        return block(all_ranks_here());
    }

    /// The same where there is no communicator yet: `arrived` asks whether a collective call that does not
    /// block, such as MPI_Comm_idup, is complete.
    template <class Block>
    static decltype(auto) pass_first(
        std::vector<communicator> const& roots, std::function<bool()> const& arrived, Block&& block) {
        step_until(roots, arrived, "make_communicator");
        return block(all_ranks_here());
    }

    /// Steps what is open on these roots until all their ranks have come here too, and then until what was
    /// dropped is complete. False if that takes longer than `patience`, which does not count while one of the
    /// ranks gets on.
    [[nodiscard]] static bool leave(
        std::vector<communicator> const& roots, std::optional<std::chrono::seconds> patience);

    /// `block(all_ranks_here)`, after `leave` has returned true on all ranks.
    template <class Block>
    static decltype(auto) after_leaving(Block&& block) {
        return block(all_ranks_here());
    }

private:
    static void meet(communicator const& comm, char const* operation);
    static void step_until(
        std::vector<communicator> const& roots, std::function<bool()> const& arrived, char const* operation);
};

/// The tag of meetings on every communicator: epochs use the tags below, `tag_pool` those above.
inline constexpr int door_tag = tag_pool::first - 1;

} // namespace weft
