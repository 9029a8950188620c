/// The ghosts of each rank and their owners: the untyped part of a halo.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/core/ids.hpp>
#include <weft/exchange/exchange_plan.hpp>
#include <weft/frames/block_distribution.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft::detail {

/// A plan from the ranks with ghosts to the owners, and the requests at the owners.
class halo_pattern {
public:
    /// As the constructor of `halo`.
    halo_pattern(
        communicator const& comm, block_distribution const& owners, std::span<global_id const> ghosts);

    [[nodiscard]] exchange_plan const& plan() const noexcept { return plan_; }
    /// Returns the number of ids of this rank.
    [[nodiscard]] std::size_t own() const noexcept { return own_; }
    [[nodiscard]] std::size_t ghosts() const noexcept {
        return static_cast<std::size_t>(plan_.outgoing_items());
    }
    /// Returns own ids that are ghosts on other ranks, relative to the first id of this rank, by rank.
    [[nodiscard]] std::span<std::uint32_t const> wanted() const noexcept { return wanted_; }
    /// Throws `usage_error` unless `count` is the number of own ids. Local.
    void check_own(std::size_t count) const;

private:
    exchange_plan plan_;
    std::size_t own_;
    std::vector<std::uint32_t> wanted_;
};

} // namespace weft::detail
