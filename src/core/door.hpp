/// The one door to calls of MPI that block, and the end of everything. Private.
///
/// A rank that blocks in MPI steps nothing, and others may wait for that: for room in its buffers, or for its
/// part of an exchange whose handle it completes later. Therefore all ranks of a communicator first meet, by
/// messages, while each of them goes on stepping all that is open on its root; only then they block.
/// scripts/check_door.py sees that every such call lies in a function that was handed `all_ranks_here`.
///
/// Meeting is the business of `protocol`, which knows engines; the core needs it for `split`. So these
/// functions are declared here and defined in src/protocol/door.cpp. So it is with the machine model
/// (core/agreed_machine.hpp), and these are the places where the core calls upwards, with simulated ranks
/// (core/simulated_ranks.hpp) and roll calls (core/rank_page.hpp).
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/extend/core/epoch.hpp>
#include <weft/mpi.hpp>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace weft {

class process_roots; // src/core/communicator_state.hpp

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
    /// How long a rank waits for others that it has left by an exception.
    static constexpr std::chrono::seconds patience_with_others{5};

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

    /// Steps what is open on the roots of this process until all ranks of those whose parent is there have
    /// come here too, and then until what was dropped is complete. False if that takes longer than
    /// `patience`, which does not count while one of the ranks gets on. A rank that has failed alone has the
    /// patience of one that leaves by an exception.
    [[nodiscard]] static bool leave(process_roots const& roots, std::optional<std::chrono::seconds> patience);

    /// Steps what is open on the root of a simulated rank until all ranks have come here, and then until what
    /// was dropped is complete, or nothing is under way any more.
    static void finish(communicator const& root);

    /// The operation of this rank that has failed alone, and why; empty if none has.
    [[nodiscard]] static std::string lone_failure_text();

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
