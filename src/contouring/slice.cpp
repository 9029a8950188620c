#include <contouring/check_grid.hpp>

#include <frames/equal_values.hpp>

#include <weft/contouring/slice.hpp>

#include <weft/core/error.hpp>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace weft {

namespace {

/// How far points are from a plane, in front of it where that is positive.
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

    [[nodiscard]] double operator()(std::array<double, 3> const& place) const noexcept {
        double sum = 0;
        for (std::size_t d = 0; d < 3; ++d) sum += normal_[d] * (place[d] - through_[d]);
        return sum;
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

/// The distances of the points of a box; none where a value is missing.
std::vector<double> distances_in(
    grid_lines const& grid, grid_values<double> const& part, distance_from const& distance) {
    std::vector<double> found;
    found.reserve(part.values.size());
    auto const& [dimensions, lo, hi] = part.points;
    for (std::int64_t z = lo[2]; z < hi[2]; ++z)
        for (std::int64_t y = lo[1]; y < hi[1]; ++y)
            for (std::int64_t x = lo[0]; x < hi[0]; ++x) {
                double const value = part.values[found.size()];
                bool const missing = !std::isfinite(value) || (grid.missing && value == *grid.missing);
                found.push_back(missing ? std::numeric_limits<double>::quiet_NaN()
                                        : distance(contouring::place_of(grid, {x, y, z})));
            }
    return found;
}

} // namespace

contour_result slice(
    communicator const& comm, mesh const& of, plane const& by, slice_options const& options) {
    std::vector<double> distances;
    std::exception_ptr const failure = detail::failure_in([&] {
        distance_from const distance(by);
        for (auto const& place : of.places) distances.push_back(distance(place));
    });
    (void)agree_on("slice", comm, failure, print_of(by), "have different planes");
    return contour(comm, of, distances, one_contour(options));
}

contour_result slice(communicator const& comm, grid_lines const& grid,
    std::span<grid_values<double> const> mine, std::string const& name, plane const& by,
    slice_options const& options) {
    std::vector<std::vector<double>> distances;
    std::vector<grid_values<double>> boxes;
    grid_lines with_field;
    std::exception_ptr const failure = detail::failure_in([&] {
        distance_from const distance(by);
        contouring::check_axes(grid);
        for (grid_values<double> const& part : mine) {
            contouring::check_box(grid, part);
            distances.push_back(distances_in(grid, part, distance));
        }
        for (std::size_t i = 0; i < mine.size(); ++i) {
            boxes.push_back({mine[i].points, distances[i], {mine[i].values}});
            boxes.back().carried.insert(
                boxes.back().carried.end(), mine[i].carried.begin(), mine[i].carried.end());
        }
        with_field = grid;
        with_field.missing.reset(); // distances may be any number
        with_field.carried.insert(with_field.carried.begin(), name);
    });
    value_print equal = print_of(by);
    equal.add(std::int64_t{grid.missing.has_value()}).add(grid.missing.value_or(0));
    (void)agree_on("slice", comm, failure, equal, "have different planes or missing values");
    return contour(comm, with_field, std::span<grid_values<double> const>(boxes), one_contour(options));
}

} // namespace weft
