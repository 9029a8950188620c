/// The interface of vector fields.
#pragma once

#include <tracing/field_block.hpp>

#include <weft/blocks/regular_grid.hpp>

#include <memory>

namespace weft {

/// A field that is read in blocks. Local; the same on all ranks.
class flow {
public:
    virtual ~flow() = default;

    [[nodiscard]] virtual std::shared_ptr<flow_domain const> const& domain() const noexcept = 0;
    /// Returns the cells of the domain, cut into blocks.
    [[nodiscard]] virtual regular_grid<std::int64_t> cut_into(std::int64_t blocks) const;
    /// Returns the values at a box of points of a domain that is cut by `grid`. Thread-safe. Throws:
    /// `io_error`.
    [[nodiscard]] virtual field_block read(
        box<std::int64_t> const& points, regular_grid<std::int64_t> const& grid) const = 0;
};

} // namespace weft
