/// Vector fields in files, or in sources with the same interface.
#pragma once

#include <tracing/flow.hpp>

#include <grids/grid_source.hpp>

#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace weft {

/// A field in one file, or in several files with a step each.
class file_flow final : public flow {
public:
    /// `times`: of the steps, ascending. `periodic`: the axes whose last point is their first one. Throws:
    /// `usage_error` for files without two or three values at each point, for files with different points,
    /// and for `times` that do not match the steps.
    file_flow(std::vector<std::unique_ptr<grid_source>> steps, std::string const& name,
        std::vector<double> times, std::array<bool, 3> const& periodic = {});

    [[nodiscard]] std::shared_ptr<flow_domain const> const& domain() const noexcept override {
        return domain_;
    }
    [[nodiscard]] field_block read(
        box<std::int64_t> const& points, regular_grid<std::int64_t> const& grid) const override;

private:
    [[nodiscard]] std::vector<std::byte> read_step(grid_source& from, box<std::int64_t> const& points) const;
    /// Returns a mark for each cell between the points; empty if the step hides no cells.
    [[nodiscard]] std::vector<std::uint8_t> hidden_in(
        grid_source& from, box<std::int64_t> const& points) const;

    std::vector<std::unique_ptr<grid_source>> steps_;
    std::shared_ptr<flow_domain const> domain_;
    value_type type_ = value_type::float32; // of the values kept
    mutable std::mutex one_reads_;          // the libraries below are not thread-safe
};

} // namespace weft
