#include <pictures/surface_canvas.hpp>

#include <pictures/lit_samples.hpp>

#include <algorithm>
#include <cmath>

namespace weft {

namespace {

constexpr int fine_surface = 2; // samples along the edge of a pixel

colour lit(colour const& base, std::array<float, 3> const& normal) {
    float const length = std::sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    float const side = length > 0 ? (normal[2] < 0 ? -1 : 1) / length : 0; // towards the visible side
    float diffuse = 0;
    float shine = 0;
    for (std::size_t d = 0; d < 3; ++d) {
        diffuse += light_from[d] * normal[d] * side;
        shine += light_half_way[d] * normal[d] * side;
    }
    diffuse = std::max(diffuse, 0.0F);
    shine = std::pow(std::max(shine, 0.0F), 24.0F);
    colour of;
    for (std::size_t c = 0; c < 3; ++c) of[c] = base[c] * (0.22F + 0.85F * diffuse) + 0.15F * shine;
    return of;
}

} // namespace

surface_canvas::surface_canvas(int width, int height)
    : width_(width),
      height_(height),
      samples_(
          static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * fine_surface * fine_surface) {
}

void surface_canvas::triangle(corner const& a, corner const& b, corner const& c, sample_mask into) {
    double const ax = a.at[0] * fine_surface;
    double const ay = a.at[1] * fine_surface;
    double const bx = b.at[0] * fine_surface - ax;
    double const by = b.at[1] * fine_surface - ay;
    double const cx = c.at[0] * fine_surface - ax;
    double const cy = c.at[1] * fine_surface - ay;
    double const twice = bx * cy - by * cx;
    if (!(std::abs(twice) > 1e-12)) return; // seen edge-on
    auto const first = [](double from, double p, double q) {
        return static_cast<int>(std::max(std::floor(from + std::min({0.0, p, q}) - 0.5), 0.0));
    };
    auto const last = [](double from, double p, double q, int end) {
        return static_cast<int>(std::min(std::ceil(from + std::max({0.0, p, q})), end - 1.0));
    };
    int const x_end = last(ax, bx, cx, width_ * fine_surface);
    int const y_end = last(ay, by, cy, height_ * fine_surface);
    constexpr double depths = 0x1p33;
    for (int y = first(ay, by, cy); y <= y_end; ++y)
        for (int x = first(ax, bx, cx); x <= x_end; ++x) {
            double const px = x + 0.5 - ax;
            double const py = y + 0.5 - ay;
            double const to_b = (px * cy - py * cx) / twice;
            double const to_c = (bx * py - by * px) / twice;
            double const to_a = 1 - to_b - to_c;
            if (to_a < 0 || to_b < 0 || to_c < 0) continue;
            if ((into >> ((y & 3) * 4 + (x & 3)) & 1) == 0) continue;
            double const depth = to_a * a.at[2] + to_b * b.at[2] + to_c * c.at[2];
            auto const far = static_cast<std::uint64_t>(1 + std::clamp(depth, 0.0, 1.0) * (depths - 2));
            std::uint64_t& here =
                samples_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_ * fine_surface) +
                         static_cast<std::size_t>(x)];
            if (far < here >> 30) continue;
            colour base;
            std::array<float, 3> normal;
            for (std::size_t d = 0; d < 3; ++d) {
                base[d] = static_cast<float>(to_a) * a.base[d] + static_cast<float>(to_b) * b.base[d] +
                          static_cast<float>(to_c) * c.base[d];
                normal[d] = static_cast<float>(to_a) * a.normal[d] + static_cast<float>(to_b) * b.normal[d] +
                            static_cast<float>(to_c) * c.normal[d];
            }
            here = std::max(here, far << 30 | sample_of(lit(base, normal)));
        }
}

picture surface_canvas::drawn(colour const& background) const {
    picture result(width_, height_);
    auto into = result.rgb.begin();
    auto const row = static_cast<std::size_t>(width_ * fine_surface);
    for (int y = 0; y < height_; ++y)
        for (int x = 0; x < width_; ++x) {
            colour sum{};
            for (std::size_t j = 0; j < fine_surface; ++j)
                for (std::size_t i = 0; i < fine_surface; ++i) {
                    std::uint64_t const sample =
                        samples_[(static_cast<std::size_t>(y) * fine_surface + j) * row +
                                 static_cast<std::size_t>(x) * fine_surface + i];
                    for (std::size_t c = 0; c < 3; ++c)
                        sum[c] += sample == 0
                                      ? background[c]
                                      : part_of_sample(static_cast<std::uint32_t>(sample & 0x3FFFFFFF), c);
                }
            into =
                std::ranges::copy(on_screen(mixed({}, sum, 1.0F / (fine_surface * fine_surface))), into).out;
        }
    return result;
}

} // namespace weft
