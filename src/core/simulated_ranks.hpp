/// The ranks of a communicator on a simulated machine, as seen by the core. Private.
///
/// A simulated machine is a transport, and transports are above the core. So this class and the functions are
/// implemented in src/transport/simulated_program.cpp and simulated_groups.cpp.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/core/environment.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace weft {

struct agreed_machine; // src/machine/machine_of_rank_0.hpp
class transport;       // weft/extend/transport/transport.hpp

/// One rank of a group of simulated ranks.
class simulated_ranks {
public:
    simulated_ranks() = default;
    simulated_ranks(simulated_ranks const&) = delete;
    simulated_ranks& operator=(simulated_ranks const&) = delete;
    virtual ~simulated_ranks() = default;

    [[nodiscard]] virtual int rank() const noexcept = 0;
    [[nodiscard]] virtual int size() const noexcept = 0;
    [[nodiscard]] virtual transport& via() noexcept = 0;
    /// Returns the group of the ranks with this color, ordered by key; `least` becomes the least color of
    /// all. Returns null, on all ranks, if that is negative. Collective; the caller blocks.
    [[nodiscard]] virtual std::shared_ptr<simulated_ranks> split(int color, int key, int& least) = 0;
    /// Returns the rank that had this one's place in the parent group.
    [[nodiscard]] virtual int rank_above(int rank) const noexcept = 0;
    /// Returns the nodes, which the ranks share; the first call makes them.
    [[nodiscard]] virtual topology nodes(std::function<topology()> const& make) = 0;
    /// Returns the node of the machine that has a rank.
    [[nodiscard]] virtual int node_of(int rank) const noexcept = 0;
};

/// Makes a root of simulated ranks. Local.
[[nodiscard]] communicator make_simulated_root(std::shared_ptr<simulated_ranks> ranks, settings const& chosen,
    std::shared_ptr<agreed_machine const> machine);

/// Returns true in the program of a simulated rank.
[[nodiscard]] bool is_simulated_rank() noexcept;
/// Returns the knob for simulated ranks; empty if this process runs on MPI.
[[nodiscard]] std::string wanted_simulation();
/// Runs `body` on simulated ranks, reports the result on standard error, and returns the exit code of the
/// program.
[[nodiscard]] int run_simulated(
    std::string const& program, std::function<int(communicator const&)> const& body) noexcept;

} // namespace weft
