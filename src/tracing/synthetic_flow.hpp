/// A flow whose load is out of balance by construction.
#pragma once

#include <tracing/flow.hpp>

#include <string>

namespace weft {

/// A cube of n x n x n cells with velocity in +x: `fast` everywhere but in the blocks that the diagonal of
/// the cube passes through, where it is `slow`. A point has the velocity of the block that has the cell above
/// it. Source: Morozov and others, LDAV 2021, section 4.1.1 and figure 3.
class synthetic_flow final : public flow {
public:
    struct options {
        double fast = 10;
        double slow = 1;
        std::int64_t n = 64;
        /// The diagonal of a lattice of this number of blocks along each edge; 0: of the blocks that trace.
        std::int64_t lattice = 0;
    };

    /// "fast=10,slow=1,n=512", with any of them left out. Throws: `usage_error`.
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
