#include <rendering/cast_rays.hpp>

#include <algorithm>
#include <cmath>

namespace weft {

namespace {

/// Trilinear values of a slab.
class sampler {
public:
    explicit sampler(volume_slab const& slab) : slab_(slab) {
        std::array<std::int64_t, 3> extent = slab.points;
        extent[slab.axis] = slab.last - slab.first + 1;
        stride_ = {1, extent[0], extent[0] * extent[1]};
        for (std::size_t d = 0; d < 3; ++d) most_[d] = std::max<std::int64_t>(extent[d] - 2, 0);
        for (std::size_t d = 0; d < 3; ++d) next_[d] = extent[d] > 1 ? stride_[d] : 0;
        lo_[slab.axis] = static_cast<double>(slab.first);
    }

    /// At a place within the slab.
    [[nodiscard]] float at(vector3d const& place) const noexcept {
        std::int64_t base = 0;
        float share[3];
        for (std::size_t d = 0; d < 3; ++d) {
            double const within = place[d] - lo_[d];
            auto const cell = std::min(static_cast<std::int64_t>(within), most_[d]);
            share[d] = static_cast<float>(within - static_cast<double>(cell));
            base += cell * stride_[d];
        }
        float const* const v = slab_.values.data() + base;
        auto const along_x = [&](std::int64_t from) {
            return between(v[from], v[from + next_[0]], share[0]);
        };
        float const low = between(along_x(0), along_x(next_[1]), share[1]);
        if (share[2] == 0) return low;
        return between(low, between(along_x(next_[2]), along_x(next_[1] + next_[2]), share[1]), share[2]);
    }

    /// Differences to both sides, within the slab.
    [[nodiscard]] vector3d gradient(vector3d const& place) const noexcept {
        vector3d result{};
        for (std::size_t d = 0; d < 3; ++d) {
            vector3d before = place;
            vector3d after = place;
            before[d] = std::max(place[d] - 0.5, lo_[d]);
            after[d] = std::min(place[d] + 0.5, lo_[d] + static_cast<double>(most_[d] + 1));
            result[d] = static_cast<double>(at(after)) - static_cast<double>(at(before));
        }
        return result;
    }

private:
    /// `a` alone where the share is 0: what is missing beyond does not matter then.
    static float between(float a, float b, float share) noexcept {
        return share == 0 ? a : a + share * (b - a);
    }

    volume_slab const& slab_;
    std::array<std::int64_t, 3> stride_{};
    std::array<std::int64_t, 3> next_{};
    std::array<std::int64_t, 3> most_{}; // the last cell
    vector3d lo_{};
};

struct sample_range {
    std::int64_t first;
    std::int64_t end;
};

bool is_inside(double place, double lo, double hi, bool open) {
    return place >= lo && (open ? place < hi : place <= hi);
}

/// The samples of a ray that a slab has. First by division, then to the sample as the places are computed.
sample_range samples_in(view_ray const& ray, volume_slab const& slab) {
    double enter = 0;
    double leave = static_cast<double>(ray.samples - 1);
    vector3d lo{};
    vector3d hi{};
    bool const open = slab.last + 1 < slab.points[slab.axis];
    for (std::size_t d = 0; d < 3; ++d) {
        lo[d] = d == slab.axis ? static_cast<double>(slab.first) : 0;
        hi[d] = static_cast<double>(d == slab.axis ? slab.last : slab.points[d] - 1);
        if (ray.step[d] == 0) {
            if (!is_inside(ray.origin[d], lo[d], hi[d], open && d == slab.axis)) return {0, 0};
            continue;
        }
        double const a = (lo[d] - ray.origin[d]) / ray.step[d];
        double const b = (hi[d] - ray.origin[d]) / ray.step[d];
        enter = std::max(enter, std::min(a, b));
        leave = std::min(leave, std::max(a, b));
    }
    if (enter > leave + 2) return {0, 0};
    auto const holds = [&](std::int64_t k) {
        for (std::size_t d = 0; d < 3; ++d)
            if (!is_inside(ray.origin[d] + static_cast<double>(k) * ray.step[d], lo[d], hi[d],
                    open && d == slab.axis))
                return false;
        return true;
    };
    std::int64_t first = std::max<std::int64_t>(static_cast<std::int64_t>(std::floor(enter)) - 1, 0);
    std::int64_t end = std::min<std::int64_t>(static_cast<std::int64_t>(std::ceil(leave)) + 2, ray.samples);
    while (first < end && !holds(first)) ++first;
    while (end > first && !holds(end - 1)) --end;
    return {first, end};
}

rgba lit(rgba sample, vector3d const& gradient, vector3d const& along) {
    double const steepness = std::hypot(gradient[0], gradient[1], gradient[2]);
    double const way = std::hypot(along[0], along[1], along[2]);
    if (steepness < 1e-6) return sample;
    double const facing = std::abs(gradient[0] * along[0] + gradient[1] * along[1] + gradient[2] * along[2]) /
                          (steepness * way);
    // Where the values hardly change there is no surface to be lit.
    double const surface = std::min(1.0, 8 * steepness);
    auto const light = static_cast<float>(1 - surface + surface * (0.25 + 0.75 * facing));
    return {sample.red * light, sample.green * light, sample.blue * light, sample.opacity};
}

} // namespace

void cast_rays(volume_slab const& slab, volume_view const& view, transfer_function const& transfer,
    cast_options const& options, std::span<rgba> image) {
    sampler const values(slab);
    bool const whole_voxels = view.step_length() == 1;
    constexpr float opaque = 0.9999F;
    std::size_t pixel = 0;
    for (std::int64_t y = 0; y < view.height(); ++y)
        for (std::int64_t x = 0; x < view.width(); ++x, ++pixel) {
            view_ray const ray = view.ray(x, y);
            auto const [first, end] = samples_in(ray, slab);
            rgba sum{options.how == projection::maximum ? -1.0F : 0.0F};
            for (std::int64_t k = first; k < end; ++k) {
                vector3d place;
                for (std::size_t d = 0; d < 3; ++d)
                    place[d] = ray.origin[d] + static_cast<double>(k) * ray.step[d];
                float const value = values.at(place);
                if (std::isnan(value)) continue;
                if (options.how == projection::maximum) {
                    sum.red = std::max(sum.red, value);
                    continue;
                }
                rgba here = transfer.at(static_cast<double>(value));
                if (here.opacity <= 0) continue;
                if (options.shaded) here = lit(here, values.gradient(place), ray.step);
                if (!whole_voxels)
                    here.opacity = static_cast<float>(
                        1 - std::pow(1 - static_cast<double>(here.opacity), view.step_length()));
                sum = over(sum, {here.red * here.opacity, here.green * here.opacity, here.blue * here.opacity,
                                    here.opacity});
                if (sum.opacity > opaque && !whole_voxels) break;
            }
            image[pixel] = sum;
        }
}

} // namespace weft
