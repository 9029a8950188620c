/// Where the velocities of a field come from: files, or a formula.
#pragma once

#include <tracing/field_block.hpp>

#include <grids/grid_source.hpp>

#include <weft/blocks/regular_grid.hpp>

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

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

/// A field in one file, or in several with a step each.
class file_flow final : public flow {
public:
    /// `times`: of the steps, ascending; `periodic`: the axes whose last point is their first one again.
    /// Throws: `usage_error` for files that do not have two or three values
    /// a point, or that differ in their points, and for times that are not those of the steps.
    file_flow(std::vector<std::unique_ptr<grid_source>> steps, std::string const& name,
        std::vector<double> times, std::array<bool, 3> const& periodic = {});

    [[nodiscard]] std::shared_ptr<flow_domain const> const& domain() const noexcept override {
        return domain_;
    }
    [[nodiscard]] field_block read(
        box<std::int64_t> const& points, regular_grid<std::int64_t> const& grid) const override;

private:
    [[nodiscard]] std::vector<std::byte> read_step(grid_source& from, box<std::int64_t> const& points) const;

    std::vector<std::unique_ptr<grid_source>> steps_;
    std::shared_ptr<flow_domain const> domain_;
    value_type type_ = value_type::float32; // of what is kept
    mutable std::mutex one_reads_;          // the libraries below are not made for threads
};

} // namespace weft
