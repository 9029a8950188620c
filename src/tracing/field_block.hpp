/// The part of a field of vectors that a block holds, and the velocity at any point of it.
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

/// Where and when a field is: the same on all ranks.
struct flow_domain {
    std::array<flow_axis, 3> axes;
    flow_axis times;  ///< of the steps; one for a field that is steady
    vector3 period{}; ///< the length of an axis whose last point is its first one again; 0 for others
    /// Of the axes in the world; keeps lengths. Places and velocities here are along the axes.
    placement place = {};

    [[nodiscard]] bool is_steady() const noexcept { return times.points().size() == 1; }
    [[nodiscard]] bool is_periodic() const noexcept { return period != vector3{}; }
    /// A place with whole periods taken off, so that it lies between the ends of each periodic axis.
    [[nodiscard]] vector3 wrapped(vector3 at) const noexcept;
    [[nodiscard]] bool holds(vector3 const& at) const noexcept {
        return axes[0].holds(at[0]) && axes[1].holds(at[1]) && axes[2].holds(at[2]);
    }
    /// All cells.
    [[nodiscard]] box<std::int64_t> cells() const noexcept;
    /// The cell that a place of the domain lies in.
    [[nodiscard]] coordinates<std::int64_t> cell_of(vector3 const& at) const noexcept {
        return {axes[0].cell_of(at[0]), axes[1].cell_of(at[1]), axes[2].cell_of(at[2])};
    }
    /// The points at the corners of a box of cells.
    [[nodiscard]] box<std::int64_t> points_around(box<std::int64_t> const& cells) const noexcept;
};

/// Values at a box of points, as float32 or float64 as they were read; those of all steps of the field.
class field_block {
public:
    /// `steps`: for every step three values a point, x fastest; `type` is float32 or float64. `hidden`: for
    /// every step a mark a cell, not 0 where the field is not to be seen; empty where all of it is.
    field_block(std::shared_ptr<flow_domain const> domain, box<std::int64_t> const& points, value_type type,
        std::vector<std::vector<std::byte>> steps, std::vector<std::vector<std::uint8_t>> hidden = {});

    [[nodiscard]] flow_domain const& domain() const noexcept { return *domain_; }
    [[nodiscard]] box<std::int64_t> const& points() const noexcept { return points_; }
    /// True if the corners of a cell are here.
    [[nodiscard]] bool has(coordinates<std::int64_t> const& cell) const noexcept;
    /// The velocity at a point of the grid that is here.
    [[nodiscard]] vector3 at(std::size_t step, coordinates<std::int64_t> const& point) const noexcept;
    /// The velocities at the corners of a cell that is here, x fastest; not numbers where it is hidden.
    [[nodiscard]] std::array<vector3, 8> corners(
        std::size_t step, coordinates<std::int64_t> const& cell) const noexcept;
    /// The greatest speed at the points, of all steps.
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

/// Velocities at one place after another: trilinear in the cells, linear in time. Keeps the polynomial of the
/// cell that it was in last, as most places are in the same one. Its result depends on the values of that
/// cell and the place alone, to the last bit, not on the block.
class flow_cursor {
public:
    enum class found : std::uint8_t {
        here,
        elsewhere, ///< inside, but this block has not got the values
        outside,   ///< of the domain, or where it has no velocity (not a number)
        too_late,  ///< or too early: no steps of the field are on both sides
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
    /// The velocity in a cell: c0 + c1 x + c2 y + c3 xy + c4 z + c5 xz + c6 yz + c7 xyz, from 0 to 1.
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
        // The sum is no number if one of them is none.
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
    cell_flow after_; // not used where the field is steady
};

} // namespace weft
