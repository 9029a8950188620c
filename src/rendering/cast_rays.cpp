#include <rendering/cast_rays.hpp>

#include <rendering/sample_table.hpp>
#include <rendering/slab_bricks.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace weft {

namespace {

using cell_index = std::array<int, 3>;
using float4 = float __attribute__((vector_size(16)));

/// Samples the values of a slab by trilinear interpolation.
class sampler {
public:
    /// `missing`: the slab has missing values.
    sampler(volume_slab const& slab, bool missing) : values_(slab.values.data()) {
        std::array<std::int64_t, 3> const extent = slab.extent();
        stride_ = {1, extent[0], extent[0] * extent[1]};
        for (std::size_t d = 0; d < 3; ++d)
            most_[d] = static_cast<int>(std::max<std::int64_t>(extent[d] - 2, 0));
        for (std::size_t d = 0; d < 3; ++d) next_[d] = extent[d] > 1 ? stride_[d] : 0;
        lo_[slab.axis] = static_cast<double>(slab.first_held);
        in_pairs_ = !missing && extent[0] > 1;
    }

    /// Returns the ray relative to the first point held by the slab. Places below are relative, too.
    [[nodiscard]] view_ray within(view_ray ray) const noexcept {
        for (std::size_t d = 0; d < 3; ++d) ray.origin[d] -= lo_[d];
        return ray;
    }
    [[nodiscard]] cell_index cell_of(vector3d const& place) const noexcept {
        cell_index cell;
        for (std::size_t d = 0; d < 3; ++d) // rounding may have led out of the slab
            cell[d] = std::max(std::min(static_cast<int>(place[d]), most_[d]), 0);
        return cell;
    }
    [[nodiscard]] float at(vector3d const& place, cell_index const& cell) const noexcept {
        float const* const v = values_ + cell[0] + cell[1] * stride_[1] + cell[2] * stride_[2];
        float share[3];
        for (std::size_t d = 0; d < 3; ++d)
            share[d] = static_cast<float>(place[d] - static_cast<double>(cell[d]));
        if (in_pairs_) [[likely]]
            return in_pairs(v, share);
        auto const along_z = [&](std::int64_t from) {
            return between(v[from], v[from + next_[2]], share[2]);
        };
        auto const along_yz = [&](std::int64_t from) {
            return between(along_z(from), along_z(from + next_[1]), share[1]);
        };
        return between(along_yz(0), along_yz(next_[0]), share[0]);
    }

    /// Returns central differences within the points that the slab holds, and one-sided ones at its rim.
    /// `here`: the value at the place.
    [[nodiscard]] vector3d gradient(vector3d const& place, float here) const noexcept {
        vector3d result{};
        auto const value_at = [&](vector3d const& beside) {
            float const value = at(beside, cell_of(beside));
            return static_cast<double>(std::isnan(value) ? here : value);
        };
        for (std::size_t d = 0; d < 3; ++d) {
            vector3d before = place;
            vector3d after = place;
            before[d] = std::max(place[d] - 0.5, 0.0);
            after[d] = std::min(place[d] + 0.5, static_cast<double>(most_[d] + 1));
            result[d] = value_at(after) - value_at(before);
        }
        return result;
    }

private:
    /// Interpolates. At the place of `a` or `b` the result is that value, even if the other one is missing.
    static float between(float a, float b, float share) noexcept {
        constexpr float rounded = 1e-6F;
        float const value = a + share * (b - a);
        if (!std::isnan(value)) return value;
        return share < rounded ? a : share > 1 - rounded ? b : value;
    }
    /// Interpolates along all four lines in z at once, for slabs without missing values.
    [[nodiscard]] float in_pairs(float const* v, float const (&share)[3]) const noexcept {
        float const* const y = v + next_[1];
        float const* const z = v + next_[2];
        float const* const yz = y + next_[2];
        float4 const low = {v[0], v[1], y[0], y[1]};
        float4 const high = {z[0], z[1], yz[0], yz[1]};
        float4 const lines = low + share[2] * (high - low);
        float const left = lines[0] + share[1] * (lines[2] - lines[0]);
        float const right = lines[1] + share[1] * (lines[3] - lines[1]);
        return left + share[0] * (right - left);
    }

    float const* values_;
    std::array<std::int64_t, 3> stride_{};
    std::array<std::int64_t, 3> next_{};
    cell_index most_{}; // the last cell
    vector3d lo_{};
    bool in_pairs_;
};

struct sample_range {
    std::int64_t first;
    std::int64_t end;
};

bool is_inside(double place, double lo, double hi, bool open) {
    return place >= lo && (open ? place < hi : place <= hi);
}

/// Returns the samples of a ray in a slab, without some that lie outside of its visible part. The range is
/// estimated by division, and then made exact by the places of samples, so that no two slabs share one.
sample_range samples_in(view_ray const& ray, volume_slab const& slab, slab_bricks::extent const& visible) {
    double enter = 0;
    double leave = static_cast<double>(ray.samples - 1);
    for (std::size_t d = 0; d < 3; ++d) {
        if (ray.step[d] == 0) {
            if (ray.origin[d] < visible.lo[d] || ray.origin[d] > visible.hi[d]) return {0, 0};
            continue;
        }
        double const a = (visible.lo[d] - ray.origin[d]) / ray.step[d];
        double const b = (visible.hi[d] - ray.origin[d]) / ray.step[d];
        enter = std::max(enter, std::min(a, b));
        leave = std::min(leave, std::max(a, b));
    }
    if (enter > leave + 2) return {0, 0};
    bool const open = slab.last + 1 < slab.points[slab.axis];
    auto const holds = [&](std::int64_t k) {
        for (std::size_t d = 0; d < 3; ++d) {
            bool const across = d == slab.axis;
            double const place = ray.origin[d] + static_cast<double>(k) * ray.step[d];
            if (!is_inside(place, across ? static_cast<double>(slab.first) : 0,
                    static_cast<double>(across ? slab.last : slab.points[d] - 1), open && across))
                return false;
        }
        return true;
    };
    std::int64_t first = std::max<std::int64_t>(static_cast<std::int64_t>(std::floor(enter)) - 1, 0);
    std::int64_t end = std::min<std::int64_t>(static_cast<std::int64_t>(std::ceil(leave)) + 2, ray.samples);
    while (first < end && !holds(first)) ++first;
    while (end > first && !holds(end - 1)) --end;
    return {first, end};
}

/// Returns the factor of the light: 1 without a surface, less for a surface that faces away from the eye.
float4 light_at(vector3d const& gradient, vector3d const& along) {
    double const steepness = std::hypot(gradient[0], gradient[1], gradient[2]);
    double const way = std::hypot(along[0], along[1], along[2]);
    if (steepness < 1e-6) return float4{1, 1, 1, 1};
    double const facing = std::abs(gradient[0] * along[0] + gradient[1] * along[1] + gradient[2] * along[2]) /
                          (steepness * way);
    // A small gradient means that there is no surface to be lit.
    double const surface = std::min(1.0, 8 * steepness);
    auto const light = static_cast<float>(1 - surface + surface * (0.25 + 0.75 * facing));
    return float4{light, light, light, 1};
}

/// Returns the number of samples, at least 1, that stay in this brick, so that the next bricks are not
/// skipped.
std::int64_t samples_to_border(
    vector3d const& place, cell_index const& cell, view_ray const& ray, vector3d const& per_step) {
    double least = 1e9;
    for (std::size_t d = 0; d < 3; ++d) {
        if (ray.step[d] == 0) continue;
        int const brick = cell[d] >> slab_bricks::shift;
        auto const border = static_cast<double>((ray.step[d] > 0 ? brick + 1 : brick) * slab_bricks::edge);
        least = std::min(least, (border - place[d]) * per_step[d]);
    }
    return std::max<std::int64_t>(static_cast<std::int64_t>(least), 1);
}

/// The slab and the tables that all rays use.
struct cast_scene {
    cast_scene(volume_slab const& slab, volume_view const& view, transfer_function const& transfer,
        cast_options const& how)
        : options(how),
          bricks(slab),
          values(slab, bricks.has_missing()),
          table(transfer, view.step_length()),
          exact(view.step_length() == 1) {
        clear.reserve(bricks.all().size());
        for (slab_bricks::bounds const& each : bricks.all())
            clear.push_back(each.greatest < each.least ||
                            (how.how == projection::light && table.is_clear(each.least, each.greatest)));
        visible = bricks.extent_of_others(slab, clear);
    }

    [[nodiscard]] float greatest_along(view_ray const& from, sample_range const& range) const;
    [[nodiscard]] rgba light_along(view_ray const& from, sample_range const& range) const;

    cast_options const& options;
    slab_bricks bricks;
    sampler values;
    sample_table table;
    bool exact;              ///< Rays do not end early where light is exhausted: samples are the voxels.
    std::vector<char> clear; // of bricks: true if nothing in them is visible
    slab_bricks::extent visible;
};

vector3d place_on(view_ray const& ray, std::int64_t sample) {
    auto const times = static_cast<double>(sample);
    return {ray.origin[0] + times * ray.step[0], ray.origin[1] + times * ray.step[1],
        ray.origin[2] + times * ray.step[2]};
}

vector3d inverse_of(vector3d const& step) {
    return {1 / step[0], 1 / step[1], 1 / step[2]};
}

float cast_scene::greatest_along(view_ray const& from, sample_range const& range) const {
    view_ray const ray = values.within(from);
    vector3d const per_step = inverse_of(ray.step);
    float greatest = std::numeric_limits<float>::quiet_NaN();
    for (std::int64_t k = range.first; k < range.end;) {
        vector3d const place = place_on(ray, k);
        cell_index const cell = values.cell_of(place);
        std::size_t const brick = bricks.brick_of(cell);
        if (clear[brick] != 0 || bricks.all()[brick].greatest <= greatest) { // comparisons with NaN are false
            k += samples_to_border(place, cell, ray, per_step);
            continue;
        }
        float const value = values.at(place, cell);
        greatest = std::fmax(greatest, value);
        ++k;
    }
    return greatest;
}

rgba cast_scene::light_along(view_ray const& from, sample_range const& range) const {
    view_ray const ray = values.within(from);
    constexpr float opaque = 0.9999F;
    vector3d const per_step = inverse_of(ray.step);
    float4 sum{};
    for (std::int64_t k = range.first; k < range.end;) {
        vector3d const place = place_on(ray, k);
        cell_index const cell = values.cell_of(place);
        if (clear[bricks.brick_of(cell)] != 0) {
            k += samples_to_border(place, cell, ray, per_step);
            continue;
        }
        ++k;
        float const value = values.at(place, cell);
        if (std::isnan(value)) continue;
        float4 here = table.at(value);
        if (options.shaded && here[3] > 0) here *= light_at(values.gradient(place, value), ray.step);
        sum += (1 - sum[3]) * here; // the operator *over*
        if (sum[3] > opaque && !exact) break;
    }
    return {sum[0], sum[1], sum[2], sum[3]};
}

} // namespace

void cast_rays(volume_slab const& slab, volume_view const& view, transfer_function const& transfer,
    cast_options const& options, std::span<rgba> image) {
    cast_scene const scene(slab, view, transfer, options);
    std::size_t pixel = 0;
    for (std::int64_t y = 0; y < view.height(); ++y)
        for (std::int64_t x = 0; x < view.width(); ++x, ++pixel) {
            view_ray const ray = view.ray(x, y);
            sample_range const range = samples_in(ray, slab, scene.visible);
            image[pixel] = options.how == projection::maximum ? rgba{scene.greatest_along(ray, range)}
                                                              : scene.light_along(ray, range);
        }
}

} // namespace weft
