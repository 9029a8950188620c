/// The part of a vector field that a block holds, and the velocity at any point of it.
#pragma once

#include <tracing/flow_axis.hpp>

#include <grids/grid_source.hpp>

#include <weft/blocks/box.hpp>
#include <weft/blocks/placement.hpp>
#include <weft/tracing/traces.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace weft {

/// The domain of a field in space and time: the same on all ranks.
struct flow_domain {
    std::array<flow_axis, 3> axes;
    flow_axis times;  ///< of the steps; a steady field has one
    vector3 period{}; ///< length of a periodic axis, whose last point is its first one; 0 for others
    /// The placement of the axes in the world; keeps lengths. Places and velocities here are along the axes.
    placement place = {};

    [[nodiscard]] bool is_steady() const noexcept { return times.points().size() == 1; }
    [[nodiscard]] bool is_periodic() const noexcept { return period != vector3{}; }
    /// Returns a place moved by whole periods to lie within each periodic axis.
    [[nodiscard]] vector3 wrapped(vector3 at) const noexcept;
    [[nodiscard]] bool holds(vector3 const& at) const noexcept {
        return axes[0].holds(at[0]) && axes[1].holds(at[1]) && axes[2].holds(at[2]);
    }
    /// Returns all cells.
    [[nodiscard]] box<std::int64_t> cells() const noexcept;
    /// Returns the cell of a place in the domain.
    [[nodiscard]] coordinates<std::int64_t> cell_of(vector3 const& at) const noexcept {
        return {axes[0].cell_of(at[0]), axes[1].cell_of(at[1]), axes[2].cell_of(at[2])};
    }
    /// Returns the points at the corners of a box of cells.
    [[nodiscard]] box<std::int64_t> points_around(box<std::int64_t> const& cells) const noexcept;
};

/// The values at a box of points for all steps of the field, in the precision in which they were read.
class field_block {
public:
    /// `steps`: for each step three values at each point, x fastest; `type` is float32 or float64. `hidden`:
    /// for each step a mark of each cell, not 0 if it is hidden; empty if all are visible.
    field_block(std::shared_ptr<flow_domain const> domain, box<std::int64_t> const& points, value_type type,
        std::vector<std::vector<std::byte>> steps, std::vector<std::vector<std::uint8_t>> hidden = {});

    [[nodiscard]] flow_domain const& domain() const noexcept { return *domain_; }
    [[nodiscard]] box<std::int64_t> const& points() const noexcept { return points_; }
    /// Returns true if the block has the corners of a cell.
    [[nodiscard]] bool has(coordinates<std::int64_t> const& cell) const noexcept;
    /// Returns the velocity at a point of the block.
    [[nodiscard]] vector3 at(std::size_t step, coordinates<std::int64_t> const& point) const noexcept;
    /// Returns the velocities at the corners of a cell of the block, x fastest; NaN if it is hidden.
    [[nodiscard]] std::array<vector3, 8> corners(
        std::size_t step, coordinates<std::int64_t> const& cell) const noexcept;
    /// Returns the greatest speed at the points, over all steps.
    [[nodiscard]] double greatest_speed() const noexcept;

private:
    std::shared_ptr<flow_domain const> domain_;
    box<std::int64_t> points_;
    value_type type_;
    std::vector<std::vector<std::byte>> steps_;
    std::vector<std::vector<std::uint8_t>> hidden_;
    std::array<std::int64_t, 3> stride_{};

    [[nodiscard]] bool hides(std::size_t step, coordinates<std::int64_t> const& cell) const noexcept;
};

/// Returns velocities at successive places: trilinear in cells, linear in time. It keeps the polynomial of
/// the last cell, since most places are in the same one. The result depends on the values of the cell and the
/// place only, to the last bit, not on the block.
class flow_cursor {
public:
    enum class found : std::uint8_t {
        here,
        elsewhere, ///< inside, but another block has the values
        outside,   ///< outside of the domain, or without a velocity (NaN)
        too_late,  ///< before the first or after the last step of the field
    };

    explicit flow_cursor(field_block const& field) noexcept
        : field_(field), is_steady_(field.domain().is_steady()), is_periodic_(field.domain().is_periodic()) {
        until_ = begin_; // no cell yet
    }

    [[nodiscard]] found velocity(vector3 const& at, double time, vector3& v) noexcept {
        return is_periodic_ ? velocity_within(field_.domain().wrapped(at), time, v)
                            : velocity_within(at, time, v);
    }

private:
    /// The velocity c0 + c1 x + c2 y + c3 xy + c4 z + c5 xz + c6 yz + c7 xyz, with x, y, z from 0 to 1.
    struct cell_flow {
        std::array<vector3, 8> c{};

        [[nodiscard]] vector3 at(double x, double y, double z) const noexcept {
            vector3 v;
            for (std::size_t d = 0; d < 3; ++d)
                v[d] = ((c[0][d] + c[1][d] * x) + y * (c[2][d] + c[3][d] * x)) +
                       z * ((c[4][d] + c[5][d] * x) + y * (c[6][d] + c[7][d] * x));
            return v;
        }
    };

    [[nodiscard]] found velocity_within(vector3 const& at, double time, vector3& v) noexcept {
        bool const known = begin_[0] <= at[0] && at[0] < until_[0] && begin_[1] <= at[1] &&
                           at[1] < until_[1] && begin_[2] <= at[2] && at[2] < until_[2] &&
                           (is_steady_ || (since_ <= time && time < till_));
        if (!known)
            if (found const moved = move_to(at, time); moved != found::here) return moved;
        double const x = (at[0] - begin_[0]) * scale_[0];
        double const y = (at[1] - begin_[1]) * scale_[1];
        double const z = (at[2] - begin_[2]) * scale_[2];
        v = before_.at(x, y, z);
        if (!is_steady_) {
            vector3 const later = after_.at(x, y, z);
            double const t = (time - since_) * time_scale_;
            for (std::size_t d = 0; d < 3; ++d) v[d] += t * (later[d] - v[d]);
        }
        // The sum is NaN if one of the components is.
        return v[0] + v[1] + v[2] == v[0] + v[1] + v[2] ? found::here : found::outside;
    }

    [[nodiscard]] found move_to(vector3 const& at, double time) noexcept;
    [[nodiscard]] static cell_flow flow_between(std::array<vector3, 8> const& corner) noexcept;

    field_block const& field_;
    bool is_steady_;
    bool is_periodic_;
    vector3 begin_{};
    vector3 until_{};
    vector3 scale_{};
    double since_ = 0;
    double till_ = 0;
    double time_scale_ = 0;
    cell_flow before_;
    cell_flow after_; // not used for a steady field
};

} // namespace weft
