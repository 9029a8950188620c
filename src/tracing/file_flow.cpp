#include <tracing/file_flow.hpp>

#include <core/number_text.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <utility>

namespace weft {

namespace {
/// Returns the type in which blocks keep values: float64 for types with more precision than float32.
value_type kept_as(value_type type) noexcept {
    switch (type) {
    case value_type::float64:
    case value_type::int32:
    case value_type::uint32:
    case value_type::int64:
    case value_type::uint64:
        return value_type::float64;
    default:
        return value_type::float32;
    }
}

/// Rotates vectors from the world to the axes of a grid: the inverse of `place` is its transpose.
template <class To>
void turn_to_axes(placement const& place, To (&v)[3]) noexcept {
    double turned[3] = {};
    for (std::size_t d = 0; d < 3; ++d)
        for (std::size_t e = 0; e < 3; ++e) turned[d] += place.matrix[e][d] * static_cast<double>(v[e]);
    for (std::size_t d = 0; d < 3; ++d) v[d] = static_cast<To>(turned[d]);
}

/// Returns three values for each point from two or three of any type, along the axes; NaN for missing ones.
template <class To>
std::vector<std::byte> three_of(grid_shape const& shape, std::span<std::byte const> bytes) {
    auto const components = static_cast<std::size_t>(shape.components);
    std::size_t const points = bytes.size() / (size_of(shape.type) * components);
    std::vector<std::byte> three(points * 3 * sizeof(To));
    visit_values(shape.type, bytes, [&](auto values) {
        for (std::size_t i = 0; i < points; ++i) {
            To v[3] = {};
            for (std::size_t d = 0; d < components; ++d) {
                auto const value = values[i * components + d];
                bool const none = shape.missing && static_cast<double>(value) == *shape.missing;
                v[d] = none ? std::numeric_limits<To>::quiet_NaN() : static_cast<To>(value);
            }
            if (shape.place.moves()) turn_to_axes(shape.place, v);
            std::memcpy(three.data() + i * sizeof v, v, sizeof v);
        }
    });
    return three;
}
} // namespace

file_flow::file_flow(std::vector<std::unique_ptr<grid_source>> steps, std::string const& name,
    std::vector<double> times, std::array<bool, 3> const& periodic)
    : steps_(std::move(steps)) {
    if (steps_.empty()) throw usage_error("field: no file is given");
    grid_shape const& first = steps_.front()->shape();
    for (auto const& step : steps_) {
        grid_shape const& shape = step->shape();
        if (!shape.bent.empty())
            throw usage_error(name + ": " + shape.bent +
                              ": the grid is curvilinear; resample it to image data or a rectilinear grid");
        if (shape.components != 2 && shape.components != 3)
            throw usage_error(name + ": has " + std::to_string(shape.components) + " value" +
                              (shape.components == 1 ? "" : "s") +
                              " a point; a field of vectors has three, or two in a plane: name one array of "
                              "vectors, or its components with `variable` U,V,W (an empty name is zero)");
        if (!shape.place.keeps_lengths())
            throw usage_error(name + ": has axes that are not at right angles to each other; resample it");
        if (shape.points != first.points || shape.axes != first.axes || shape.place != first.place)
            throw usage_error(name + ": the steps of a field must have the same points");
        if (kept_as(shape.type) == value_type::float64) type_ = value_type::float64;
    }
    if (times.size() != steps_.size() ||
        std::ranges::adjacent_find(times, std::greater_equal{}) != times.end())
        throw usage_error(name + ": the times of the steps do not ascend; say them with `times` T0,DT, the "
                                 "time between two of them being more than 0");
    for (std::size_t d = 0; d < 3; ++d) {
        auto const bad = std::ranges::adjacent_find(first.axes[d], std::greater_equal{});
        if (bad != first.axes[d].end())
            throw usage_error(name + ": its coordinates along " + "xyz"[d] + " neither ascend nor descend: " +
                              number_text(*bad) + ", then " + number_text(*(bad + 1)));
    }
    flow_domain made{{flow_axis(first.axes[0]), flow_axis(first.axes[1]), flow_axis(first.axes[2])},
        flow_axis(std::move(times))};
    for (std::size_t d = 0; d < 3; ++d)
        if (periodic[d]) made.period[d] = made.axes[d].hi() - made.axes[d].lo();
    made.place = first.place;
    domain_ = std::make_shared<flow_domain const>(std::move(made));
}

field_block file_flow::read(box<std::int64_t> const& points, regular_grid<std::int64_t> const&) const {
    std::vector<std::vector<std::byte>> values;
    std::vector<std::vector<std::uint8_t>> hidden;
    for (auto const& step : steps_) {
        values.push_back(read_step(*step, points));
        hidden.push_back(hidden_in(*step, points));
    }
    return {domain_, points, type_, std::move(values), std::move(hidden)};
}

std::vector<std::uint8_t> file_flow::hidden_in(grid_source& from, box<std::int64_t> const& points) const {
    if (!from.shape().hides_cells) return {};
    box<std::int64_t> cells = points;
    std::int64_t count = 1;
    for (std::size_t d = 0; d < 3; ++d) {
        if (from.shape().points[d] > 1) --cells.hi[d];
        count *= cells.hi[d] - cells.lo[d];
    }
    std::vector<std::uint8_t> marks(static_cast<std::size_t>(count));
    std::lock_guard const only_me(one_reads_);
    from.read_hidden(cells, marks);
    return marks;
}

std::vector<std::byte> file_flow::read_step(grid_source& from, box<std::int64_t> const& points) const {
    grid_shape const& shape = from.shape();
    std::vector<std::byte> bytes(bytes_of(shape, points));
    {
        std::lock_guard const only_me(one_reads_);
        from.read(points, bytes);
    }
    if (shape.type == type_ && shape.components == 3 && !shape.missing && !shape.place.moves()) return bytes;
    return type_ == value_type::float32 ? three_of<float>(shape, bytes) : three_of<double>(shape, bytes);
}

} // namespace weft
