/// Where the velocities of a field come from.
#pragma once

#include <tracing/field_block.hpp>

#include <weft/blocks/regular_grid.hpp>

#include <memory>

namespace weft {

/// A field that blocks can be cut from. Local; the same on all ranks.
class flow {
public:
    virtual ~flow() = default;

    [[nodiscard]] virtual std::shared_ptr<flow_domain const> const& domain() const noexcept = 0;
    /// The cells of the domain in blocks.
    [[nodiscard]] virtual regular_grid<std::int64_t> cut_into(std::int64_t blocks) const;
    /// The values at a box of points, where the domain is cut by `grid`; several threads may call. Throws:
    /// `io_error`.
    [[nodiscard]] virtual field_block read(
        box<std::int64_t> const& points, regular_grid<std::int64_t> const& grid) const = 0;
};

} // namespace weft
