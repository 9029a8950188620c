/// A flow whose load is out of balance by construction.
#pragma once

#include <tracing/flow.hpp>

#include <string>

namespace weft {

/// A cube of n x n x n cells with velocity in +x: `slow` in the blocks on the diagonal of the cube, `fast`
/// elsewhere. A point has the velocity of the block that contains the cell above it. Source: Morozov and
/// others, LDAV 2021, section 4.1.1 and figure 3.
class synthetic_flow final : public flow {
public:
    struct options {
        double fast = 10;
        double slow = 1;
        std::int64_t n = 64;
        /// Blocks along each edge of the lattice that defines the diagonal; 0: the blocks of the tracer.
        std::int64_t lattice = 0;
    };

    /// Parses "fast=10,slow=1,n=512"; each part is optional. Throws: `usage_error`.
    [[nodiscard]] static options parse(std::string const& text);

    /// Throws: `usage_error` for a cube without cells.
    explicit synthetic_flow(options const& what);

    [[nodiscard]] std::shared_ptr<flow_domain const> const& domain() const noexcept override {
        return domain_;
    }
    [[nodiscard]] field_block read(
        box<std::int64_t> const& points, regular_grid<std::int64_t> const& grid) const override;

private:
    options what_;
    std::shared_ptr<flow_domain const> domain_;
};

} // namespace weft
