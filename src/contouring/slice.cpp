#include <contouring/check_grid.hpp>
#include <contouring/field_print.hpp>
#include <contouring/plane_touch.hpp>

#include <frames/equal_values.hpp>

#include <weft/contouring/slice.hpp>

#include <weft/core/error.hpp>
#include <weft/extend/protocol/alone.hpp>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace weft {

namespace {

/// The signed distance of points from a plane, positive in front of it.
class distance_from {
public:
    explicit distance_from(plane const& of) : through_(of.through) {
        double const length = std::hypot(of.normal[0], of.normal[1], of.normal[2]);
        bool finite = std::isfinite(length) && length > 0;
        for (double const each : of.through) finite = finite && std::isfinite(each);
        if (!finite)
            throw usage_error("slice: expected a plane through a point, with a normal that is not 0");
        for (std::size_t d = 0; d < 3; ++d) normal_[d] = of.normal[d] / length;
    }

    /// A distance that may be only a rounding error becomes 0, so that a plane through points of a grid goes
    /// exactly through them.
    [[nodiscard]] double operator()(std::array<double, 3> const& place) const noexcept {
        constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
        double sum = 0;
        double size = 0;
        for (std::size_t d = 0; d < 3; ++d) {
            sum += normal_[d] * (place[d] - through_[d]);
            size += std::abs(normal_[d]) * std::max(std::abs(place[d]), std::abs(through_[d]));
        }
        return std::abs(sum) <= rounding * size ? 0 : sum;
    }

private:
    std::array<double, 3> through_;
    std::array<double, 3> normal_{};
};

value_print print_of(plane const& of) {
    value_print print;
    for (std::size_t d = 0; d < 3; ++d) print.add(of.through[d]).add(of.normal[d]);
    return print;
}

contour_options one_contour(slice_options const& options) {
    return {.values = {0}, .balance = options.balance, .lap = options.lap};
}

double coordinate_of(grid_lines const& grid, std::size_t d, std::int64_t at) {
    return grid.axes[d].empty() ? static_cast<double>(at) : grid.axes[d][static_cast<std::size_t>(at)];
}

bool is_missing(grid_lines const& grid, double value) {
    return !std::isfinite(value) || (grid.missing && value == *grid.missing);
}

/// Returns the axis along which a grid has one layer of points, if it is a plane.
std::optional<std::size_t> flat_axis_of(grid_lines const& grid) {
    std::optional<std::size_t> flat;
    for (std::size_t d = 0; d < 3; ++d) {
        if (grid.points[d] != 1) continue;
        if (flat) return std::nullopt; // the grid is a line
        flat = d;
    }
    return flat;
}

/// A box of distances, with the data to carry. Views refer to its data, or to that of the original box.
class cut_box {
public:
    cut_box(grid_lines const& grid, grid_values<double> const& part, distance_from const& distance)
        : view_(part) {
        if (!grid.values_of_cells) view_.carried.insert(view_.carried.begin(), part.values);
        if (grid.values_of_cells) view_.carried_of_cells.insert(view_.carried_of_cells.begin(), part.values);
        find_distances(grid, distance);
        hidden_.assign(part.hidden.begin(), part.hidden.end());
        if (grid.values_of_cells) {
            hidden_.resize(part.values.size());
            for (std::size_t i = 0; i < hidden_.size(); ++i)
                if (is_missing(grid, part.values[i])) hidden_[i] = 1;
        } else {
            for (std::size_t i = 0; i < distances_.size(); ++i)
                if (is_missing(grid, part.values[i])) distances_[i] = std::nan("");
        }
    }

    /// Doubles a layer of points along `flat`; the copy is `distance` further from the plane. The cells
    /// between the two layers represent those of the layer, and are hidden unless they lie on the plane.
    void thicken(std::size_t flat, double distance) {
        box<std::int64_t>& in = view_.points;
        auto const size = [&](std::size_t d) { return static_cast<std::size_t>(in.hi[d] - in.lo[d]); };
        std::size_t const inner = flat == 0 ? 1 : flat == 1 ? size(0) : size(0) * size(1);
        auto const doubled = [&](std::span<double const> from) {
            std::vector<double> made;
            made.reserve(2 * from.size());
            for (std::size_t at = 0; at < from.size(); at += inner)
                for (int layer = 0; layer < 2; ++layer)
                    made.insert(made.end(), from.begin() + static_cast<std::ptrdiff_t>(at),
                        from.begin() + static_cast<std::ptrdiff_t>(at + inner));
            return made;
        };
        for (std::span<double const>& each : view_.carried) each = held_.emplace_back(doubled(each));
        std::vector<double> const one = std::move(distances_);
        distances_ = doubled(one);
        for (std::size_t at = inner; at < distances_.size(); at += 2 * inner)
            for (std::size_t i = at; i < at + inner; ++i) distances_[i] += distance;
        std::size_t const a = flat == 0 ? 1 : 0;
        std::size_t const b = flat == 2 ? 1 : 2;
        std::size_t const row = size(a);
        if (size(a) > 1 && size(b) > 1) hidden_.resize((size(a) - 1) * (size(b) - 1));
        std::size_t cell = 0;
        for (std::size_t j = 0; j + 1 < size(b); ++j)
            for (std::size_t i = 0; i + 1 < row; ++i, ++cell)
                for (std::size_t const corner :
                    {j * row + i, j * row + i + 1, (j + 1) * row + i, (j + 1) * row + i + 1})
                    if (one[corner] != 0) hidden_[cell] = 1;
        ++in.hi[flat];
    }

    [[nodiscard]] grid_values<double> view() const {
        grid_values<double> made = view_;
        made.values = distances_;
        made.hidden = hidden_;
        return made;
    }

private:
    void find_distances(grid_lines const& grid, distance_from const& distance) {
        auto const& [dimensions, lo, hi] = view_.points;
        for (std::int64_t z = lo[2]; z < hi[2]; ++z)
            for (std::int64_t y = lo[1]; y < hi[1]; ++y)
                for (std::int64_t x = lo[0]; x < hi[0]; ++x)
                    distances_.push_back(distance(contouring::place_of(grid, {x, y, z})));
    }

    grid_values<double> view_;
    std::vector<double> distances_;
    std::vector<std::uint8_t> hidden_;
    std::deque<std::vector<double>> held_;
};

} // namespace

contour_result slice(
    communicator const& comm, mesh const& of, plane const& by, slice_options const& options) try {
    std::vector<double> distances;
    std::exception_ptr const failure = detail::failure_in([&] {
        distance_from const distance(by);
        for (auto const& place : of.places) distances.push_back(distance(place));
    });
    (void)agree_on("slice", comm, failure, print_of(by), "have different planes");
    return contouring::contour_of_plane(comm, of, distances, one_contour(options));
} catch (std::bad_alloc const&) {
    alone_unless_agreed("slice");
    throw;
}

contour_result slice(communicator const& comm, grid_lines const& grid,
    std::span<grid_values<double> const> mine, std::string const& name, plane const& by,
    slice_options const& options) try {
    std::deque<cut_box> cut;
    std::vector<grid_values<double>> boxes;
    grid_lines with_field;
    std::exception_ptr const failure = detail::failure_in([&] {
        with_field = grid;
        distance_from const distance(by);
        contouring::check_axes(grid);
        for (grid_values<double> const& part : mine) {
            contouring::check_box(grid, part);
            cut.emplace_back(grid, part, distance);
        }
        if (auto const flat = flat_axis_of(grid)) {
            double const layer = coordinate_of(grid, *flat, 0);
            with_field.points[*flat] = 2;
            with_field.axes[*flat] = {layer, layer + 1};
            double const step = by.normal[*flat] < 0 ? -1 : 1;
            for (cut_box& each : cut) each.thicken(*flat, step);
        }
        for (cut_box const& each : cut) boxes.push_back(each.view());
        auto& fields = grid.values_of_cells ? with_field.carried_of_cells : with_field.carried;
        fields.insert(fields.begin(), name);
        with_field.values_of_cells = false;
        with_field.missing.reset(); // distances may have any value
    });
    value_print equal = print_of(by);
    contouring::add_grid(equal, grid);
    (void)agree_on("slice", comm, failure, equal, "have different planes, grids or missing values");
    return contouring::contour_of_plane(comm, with_field, boxes, one_contour(options));
} catch (std::bad_alloc const&) {
    alone_unless_agreed("slice");
    throw;
}

} // namespace weft
