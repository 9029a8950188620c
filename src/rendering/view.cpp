#include <rendering/view.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>

namespace weft {

namespace {

vector3d scaled(vector3d const& of, double by) {
    return {of[0] * by, of[1] * by, of[2] * by};
}
vector3d sum(vector3d const& a, vector3d const& b) {
    return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
double length(vector3d const& of) {
    return std::hypot(of[0], of[1], of[2]);
}

struct angles {
    double azimuth;
    double elevation;
};

std::optional<angles> angles_in(std::string const& text) {
    angles found{};
    char const* const end = text.data() + text.size();
    auto const first = std::from_chars(text.data(), end, found.azimuth);
    if (first.ec != std::errc{} || first.ptr == end || *first.ptr != ',') return std::nullopt;
    auto const second = std::from_chars(first.ptr + 1, end, found.elevation);
    if (second.ec != std::errc{} || second.ptr != end) return std::nullopt;
    if (!std::isfinite(found.azimuth) || std::abs(found.elevation) > 90) return std::nullopt;
    return found;
}

} // namespace

volume_view::volume_view(view_options const& options, std::array<std::int64_t, 3> const& points,
    vector3d const& spacing, placement const& turn)
    : points_(points), spacing_(spacing), perspective_(options.perspective) {
    std::string const& from = options.from;
    bool const backwards = from.starts_with('-');
    std::string const axis = from.substr(backwards ? 1 : 0);
    if (axis.size() == 1 && axis[0] >= 'x' && axis[0] <= 'z') {
        if (perspective_)
            throw usage_error("`view` " + from + ": along an axis there is no perspective; give angles");
        look_along(static_cast<std::size_t>(axis[0] - 'x'), backwards, options);
    } else if (auto const found = angles_in(from)) {
        look_from(found->azimuth, found->elevation, options, turn);
    } else {
        throw usage_error("`view` " + from +
                          ": expected x, y, z, -x, -y, -z, or AZIMUTH,ELEVATION in degrees with an "
                          "elevation in -90..90");
    }
    if (width_ < 1 || height_ < 1)
        throw usage_error(
            "a picture of " + std::to_string(width_) + " x " + std::to_string(height_) + " pixels");
}

void volume_view::look_along(std::size_t axis, bool backwards, view_options const& options) {
    std::size_t const right = axis == 0 ? 1 : 0;
    std::size_t const down = axis == 2 ? 1 : 2;
    width_ = options.width > 0 ? options.width : points_[right];
    height_ = options.height > 0 ? options.height : points_[down];
    axis_ = axis;
    spacing_ = {1, 1, 1}; // rays go through the points themselves, without rounding
    forward_[axis] = backwards ? -1 : 1;
    corner_[axis] = backwards ? static_cast<double>(points_[axis] - 1) : 0;
    depth_ = static_cast<double>(points_[axis] - 1);
    // The centres of the first and last pixels are the first and last points at any number of pixels.
    auto const between = [&](std::size_t across, std::int64_t pixels) {
        return pixels > 1 ? static_cast<double>(points_[across] - 1) / static_cast<double>(pixels - 1) : 0.0;
    };
    right_[right] = between(right, width_);
    down_[down] = between(down, height_);
    within_ = true;
}

void volume_view::look_from(
    double azimuth, double elevation, view_options const& options, placement const& turn) {
    width_ = options.width > 0 ? options.width : 640;
    height_ = options.height > 0 ? options.height : 640;
    double const around = azimuth * std::numbers::pi / 180;
    double const above = elevation * std::numbers::pi / 180;
    // Azimuth 0 looks along y; z is up.
    vector3d const back_in_world{
        std::sin(around) * std::cos(above), -std::cos(around) * std::cos(above), std::sin(above)};
    vector3d const right_in_world{std::cos(around), std::sin(around), 0};
    vector3d const up_in_world{
        -std::sin(around) * std::sin(above), std::cos(around) * std::sin(above), std::cos(above)};
    // Below, directions are along the axes of the grid, which may be turned in the world.
    placement to_grid = turn;
    to_grid.origin = {};
    if (to_grid.moves()) to_grid = to_grid.inverse();
    vector3d const back = to_grid.moves() ? to_grid.to_world(back_in_world) : back_in_world;
    vector3d const right = to_grid.moves() ? to_grid.to_world(right_in_world) : right_in_world;
    vector3d const up = to_grid.moves() ? to_grid.to_world(up_in_world) : up_in_world;
    auto const share_of = [&](std::size_t axis, vector3d const& direction) { // of a step along the axis
        return std::abs(turn.matrix[0][axis] * direction[0] + turn.matrix[1][axis] * direction[1] +
                        turn.matrix[2][axis] * direction[2]);
    };
    forward_ = scaled(back, -1);

    vector3d middle{};
    vector3d diagonal{};
    unit_ = 0;
    for (std::size_t d = 0; d < 3; ++d) {
        diagonal[d] = static_cast<double>(points_[d] - 1) * spacing_[d];
        middle[d] = diagonal[d] / 2;
        unit_ += spacing_[d] / 3;
        if (std::abs(forward_[d]) > std::abs(forward_[axis_])) axis_ = d;
    }
    step_ = unit_ / options.samples_a_voxel;
    double const radius = std::max(length(diagonal) / 2, unit_);
    // The box just fits. Perspective leaves some room, since points behind the front look smaller.
    double half_width = 0;
    double half_height = 0;
    for (std::size_t d = 0; d < 3; ++d) {
        half_width += share_of(d, right_in_world) * diagonal[d] / 2;
        half_height += share_of(d, up_in_world) * diagonal[d] / 2;
    }
    double const pixel = std::max({2 * half_width / static_cast<double>(width_),
                             2 * half_height / static_cast<double>(height_), 1e-6 * unit_}) *
                         1.02 / options.zoom;
    depth_ = 2 * radius;
    right_ = scaled(right, pixel);
    down_ = scaled(up, -pixel);
    // Rays begin on the plane in front of the ball around the volume.
    vector3d const front = sum(middle, scaled(back, radius));
    corner_ = sum(front, sum(scaled(right_, -0.5 * static_cast<double>(width_ - 1)),
                             scaled(down_, -0.5 * static_cast<double>(height_ - 1))));
    if (perspective_) {
        constexpr double half_angle = 15 * std::numbers::pi / 180;
        eye_ = sum(front, scaled(back, radius / std::tan(half_angle)));
        depth_ *= 1 / std::cos(2 * half_angle);
    }
}

view_ray volume_view::ray(std::int64_t x, std::int64_t y) const noexcept {
    vector3d const start =
        sum(corner_, sum(scaled(right_, static_cast<double>(x)), scaled(down_, static_cast<double>(y))));
    vector3d along = forward_;
    if (perspective_) {
        along = sum(start, scaled(eye_, -1));
        along = scaled(along, 1 / length(along));
    }
    view_ray made;
    for (std::size_t d = 0; d < 3; ++d) {
        made.origin[d] = start[d] / spacing_[d];
        made.step[d] = along[d] * step_ / spacing_[d];
        if (within_) made.origin[d] = std::clamp(made.origin[d], 0.0, static_cast<double>(points_[d] - 1));
    }
    made.samples = static_cast<std::int64_t>(std::floor(depth_ / step_ + 1e-9)) + 1;
    return made;
}

std::int64_t volume_view::slab_at(std::int64_t place, std::int64_t slabs) const noexcept {
    std::int64_t const last = slabs - 1;
    if (!perspective_) return forward_[axis_] > 0 ? place : last - place;
    // The slab that contains the eye, or the nearest one, comes first; then the slabs in the direction of
    // view.
    double const share = eye_[axis_] / (static_cast<double>(points_[axis_] - 1) * spacing_[axis_]);
    auto const at_eye = std::clamp(
        static_cast<std::int64_t>(std::floor(share * static_cast<double>(slabs))), std::int64_t{0}, last);
    bool const upwards = forward_[axis_] > 0;
    std::int64_t const behind = upwards ? slabs - at_eye : at_eye + 1; // at the eye and ahead of it
    if (place < behind) return upwards ? at_eye + place : at_eye - place;
    std::int64_t const back = place - behind + 1;
    return upwards ? at_eye - back : at_eye + back;
}

} // namespace weft
