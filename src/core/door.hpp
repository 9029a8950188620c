/// The door: the only way to blocking calls of MPI, and the end of a process. Private.
///
/// A rank that blocks in MPI steps no operations, but other ranks may need that: for room in its buffers, or
/// for its part of an exchange that it completes later. So before they block, all ranks of a communicator
/// meet, by messages, while each continues to step all open operations of its root. scripts/check_door.py
/// checks that every blocking call is in a function that was passed `all_ranks_here`.
///
/// Meetings need engines, which are in `protocol`, but the core needs meetings for `split`. So these
/// functions are declared here and defined in src/protocol/door.cpp. The core also calls upwards for machine
/// models (core/agreed_machine.hpp), simulated ranks (core/simulated_ranks.hpp) and roll calls
/// (core/rank_page.hpp), and nowhere else.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/extend/core/epoch.hpp>
#include <weft/mpi.hpp>

#include <chrono>
#include <functional>
#include <new>
#include <optional>
#include <string>
#include <vector>

namespace weft {

class process_roots; // src/core/communicator_state.hpp

/// Evidence that all ranks of a communicator are here, or are on their way here in a call of MPI; none of
/// them steps operations or runs a handler before the blocking call.
class all_ranks_here {
public:
    all_ranks_here(all_ranks_here const&) = default;

private:
    all_ranks_here() = default;
    friend class door;
};

class door {
public:
    /// The time that a rank which leaves by an exception waits for the others.
    static constexpr std::chrono::seconds patience_with_others{5};

    /// Waits for all ranks of `comm`, then calls `block(all_ranks_here)`. Collective: yes, in one order with
    /// the other operations of `comm`. `operation` is the name shown by watchdogs.
    template <class Block>
    static decltype(auto) pass(communicator const& comm, char const* operation, Block&& block) {
        meet(comm, operation);
        return or_fail_alone(operation, [&]() -> decltype(auto) { return block(all_ranks_here()); });
    }

    /// Does so before there is a communicator: `arrived` tells whether a nonblocking collective call, such as
    /// MPI_Comm_idup, is complete.
    template <class Block>
    static decltype(auto) pass_first(
        std::vector<communicator> const& roots, std::function<bool()> const& arrived, Block&& block) {
        return or_fail_alone("make_communicator", [&]() -> decltype(auto) {
            step_until(roots, arrived, "make_communicator");
            return block(all_ranks_here());
        });
    }

    /// Steps the open operations of this process's roots until all ranks of those with a parent have called
    /// this too, and then until dropped operations are complete. Returns false if that takes longer than
    /// `patience`, which does not count while one of the ranks makes progress. A rank with a lone failure has
    /// the patience of one that leaves by an exception.
    [[nodiscard]] static bool leave(process_roots const& roots, std::optional<std::chrono::seconds> patience);

    /// Steps the open operations of a simulated rank until all ranks have called this, and then until dropped
    /// operations are complete, or nothing is under way any more.
    static void finish(communicator const& root);

    /// Returns the operation that failed on this rank alone, and the reason; empty if there is none.
    [[nodiscard]] static std::string lone_failure_text();

    /// Calls `block(all_ranks_here)`, after `leave` has returned true on all ranks.
    template <class Block>
    static decltype(auto) after_leaving(Block&& block) {
        return block(all_ranks_here());
    }

private:
    /// Memory that is missing while the others are in a call of MPI is missing on this rank alone.
    template <class Body>
    static decltype(auto) or_fail_alone(char const* operation, Body&& body) {
        try {
            return body();
        } catch (std::bad_alloc const&) {
            fail_alone(operation);
            throw;
        }
    }
    static void fail_alone(char const* operation) noexcept;
    static void meet(communicator const& comm, char const* operation);
    static void step_until(
        std::vector<communicator> const& roots, std::function<bool()> const& arrived, char const* operation);
};

/// The tags of meetings on every communicator: epochs use lower tags, `tag_pool` higher ones. A rank that
/// leaves does not meet one that is about to block in a call, which would wait there for ever.
inline constexpr int door_tag = tag_pool::first - 2;
inline constexpr int leaving_tag = tag_pool::first - 1;

} // namespace weft
