/// The values of ids that other ranks own, brought again and again.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/core/ids.hpp>
#include <weft/exchange/exchange_plan.hpp>
#include <weft/frames/uniform_distribution.hpp>

#include <cstdint>
#include <exception>
#include <span>
#include <vector>

namespace weft {

/// Brings the values of a rank's ghosts, which are ids that other ranks own. The pattern is found out
/// once; every run after that is one message a neighbour, through persistent requests.
///
/// `values()` is one array: a value for each id of this rank, then one for each ghost. The caller writes the
/// first part and calls `start`; after `finish` the second is there. In between the first part may be used.
class halo {
public:
    /// The ghosts must be ascending, distinct, and not this rank's own.
    /// Collective: yes, over `comm`. Blocks: until all ranks have called. Cost: one exchange, four censuses
    /// to find the neighbours, one message of 4 bytes a ghost from each. Throws: `mpi_error`.
    halo(communicator comm, uniform_distribution const& owners, std::span<global_id const> ghosts);

    [[nodiscard]] std::span<double> values() noexcept { return values_; }
    [[nodiscard]] std::span<double> own() noexcept { return std::span(values_).first(own_); }

    /// The ranks that own ghosts: how many messages a run brings here.
    [[nodiscard]] int neighbors() const noexcept { return static_cast<int>(plan_.destinations().size()); }

    /// Sends the own values to the ranks that need them. Collective: yes, over neighbours. Does not block.
    /// Cost: one message a neighbour. Throws: `usage_error` before the last run is finished, `mpi_error`.
    void start();
    /// The same for a rank that has no values because of `why`: `finish` throws it, here and on the ranks
    /// that need values of this one.
    void refuse(std::exception_ptr why);
    /// Blocks: until the ghosts' values are here. Throws: what a rank that should have sent some has refused
    /// with, `mpi_error`.
    void finish();

    /// The reverse: adds the numbers that ranks have for their ghosts to those of the owners. Not between
    /// start and finish. Collective: yes, over neighbours. Blocks: until all that is for this rank is here.
    /// Cost: one message a neighbour. Throws: `mpi_error`.
    void add_to_owners(std::span<std::int64_t const> of_ghosts, std::span<std::int64_t> own) const;

private:
    exchange_plan plan_; // from those who have ghosts to their owners
    std::size_t own_;
    std::vector<std::uint32_t> wanted_; // own ids that are ghosts elsewhere, by rank
    std::vector<double> outgoing_;      // their values
    std::vector<double> values_;
    planned_exchange run_;
};

} // namespace weft
