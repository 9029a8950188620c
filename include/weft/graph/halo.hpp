/// The values of ids that other ranks own, brought again and again.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/core/ids.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/frames/block_distribution.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace weft {

/// Brings the values of a rank's ghosts, which are ids that other ranks own. Who needs what is found out
/// once.
///
/// `values()` is one array: a value for each id of this rank, then one for each ghost. The caller writes the
/// first part and calls `start`; after `finish` the second is there. In between the first part may be read.
class halo {
public:
    /// The ghosts must be ascending, distinct, and not this rank's own.
    /// Collective: yes, over `comm`. Blocks: until all ranks have called. Cost: one exchange, O(ghosts).
    /// Throws: `mpi_error`.
    halo(communicator comm, uniform_distribution const& owners, std::span<global_id const> ghosts);

    [[nodiscard]] std::span<double> values() noexcept { return values_; }
    [[nodiscard]] std::span<double> own() noexcept { return std::span(values_).first(own_); }

    /// The ranks that own ghosts: how many messages come with every start.
    [[nodiscard]] int neighbors() const noexcept { return neighbors_; }

    /// Sends the own values to the ranks that need them. Collective: yes. Does not block. Throws:
    /// `mpi_error`.
    void start();
    /// Blocks: until the ghosts' values are here. Throws: `mpi_error`.
    void finish();

    /// The reverse: adds the numbers that ranks have for their ghosts to those of the owners, in the order of
    /// ranks. Collective: yes. Blocks: until all that is for this rank is here. Cost: as start and finish.
    void add_to_owners(std::span<std::int64_t const> of_ghosts, std::span<std::int64_t> own) const;

private:
    struct request {
        int rank;
        std::vector<std::uint32_t> wanted; // own ids by place
    };

    communicator comm_;
    std::size_t own_;
    int neighbors_ = 0;
    std::vector<double> values_;
    std::vector<int> ghost_owner_;
    std::vector<request> requests_;
    std::optional<pending_exchange<double>> under_way_;
};

} // namespace weft
