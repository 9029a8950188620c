#include <pictures/line_canvas.hpp>

#include <pictures/lit_samples.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace weft {

namespace {
constexpr int fine_line = 3; // samples along the edge of a pixel

float dot(float const (&a)[3], float x, float y, float z) {
    return a[0] * x + a[1] * y + a[2] * z;
}
} // namespace

struct line_canvas::segment {
    place from;
    place to;
    float radius;
};

line_canvas::line_canvas(int width, int height, colour const& background)
    : width_(width),
      height_(height),
      samples_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * fine_line * fine_line,
          {sample_of(background), -std::numeric_limits<float>::infinity()}) {
}

/// Calls `shade(along, across, side x, side y)` for the visible samples of a segment: `along` is 0 at one end
/// and 1 at the other; `across` is 0 in the middle and 1 at the edge in the direction of `side`.
template <class Shade>
void line_canvas::cover(segment const& what, Shade&& shade) {
    auto const to_fine = [](place const& at) {
        return place{at.x * fine_line, at.y * fine_line, at.depth * fine_line};
    };
    place const a = to_fine(what.from);
    place const b = to_fine(what.to);
    float const radius = what.radius * fine_line;
    auto const first = [&](float p, float q) {
        return static_cast<int>(std::floor(std::min(p, q) - radius));
    };
    auto const last = [&](float p, float q) { return static_cast<int>(std::ceil(std::max(p, q) + radius)); };
    float const dx = b.x - a.x;
    float const dy = b.y - a.y;
    float const square = dx * dx + dy * dy;
    int const x_end = std::min(last(a.x, b.x), width_ * fine_line - 1);
    int const y_end = std::min(last(a.y, b.y), height_ * fine_line - 1);
    for (int y = std::max(first(a.y, b.y), 0); y <= y_end; ++y)
        for (int x = std::max(first(a.x, b.x), 0); x <= x_end; ++x) {
            float const px = static_cast<float>(x) + 0.5F - a.x;
            float const py = static_cast<float>(y) + 0.5F - a.y;
            float const along = square > 0 ? std::clamp((px * dx + py * dy) / square, 0.0F, 1.0F) : 0;
            float const ox = px - along * dx;
            float const oy = py - along * dy;
            float const off = std::sqrt(ox * ox + oy * oy);
            if (off > radius) continue;
            float const across = off / radius;
            float const bulge = std::sqrt(1 - across * across);
            float const depth = a.depth + along * (b.depth - a.depth) + radius * bulge;
            sample& here =
                samples_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_ * fine_line) +
                         static_cast<std::size_t>(x)];
            if (depth < here.depth) continue;
            float const unit = off > 0 ? 1 / off : 0;
            here = {sample_of(shade(along, across, ox * unit, oy * unit)), depth};
        }
}

void line_canvas::tube(
    place const& from, place const& to, float radius, colour const& first, colour const& last) {
    // Of the surface's normal, the part that is not sideways points to the eye, less so the more the tube
    // points to the eye.
    float const dx = to.x - from.x;
    float const dy = to.y - from.y;
    float const dz = to.depth - from.depth;
    float const length = std::sqrt(dx * dx + dy * dy + dz * dz);
    float const z = length > 0 ? dz / length : 0;
    float const flat = std::sqrt(std::max(1 - z * z, 1e-6F));
    float const front[3] = {
        length > 0 ? -z * dx / length / flat : 0, length > 0 ? -z * dy / length / flat : 0, flat};
    cover({from, to, radius}, [&](float along, float across, float sx, float sy) {
        float const bulge = std::sqrt(1 - across * across);
        float const nx = across * sx + bulge * front[0];
        float const ny = across * sy + bulge * front[1];
        float const nz = bulge * front[2];
        float const diffuse = std::max(0.0F, dot(light_from, nx, ny, nz));
        float shine = std::max(0.0F, dot(light_half_way, nx, ny, nz));
        shine *= shine;
        shine *= shine;
        shine *= shine;
        shine *= shine * shine; // the 24th power
        colour of;
        for (std::size_t c = 0; c < 3; ++c) {
            float const base = first[c] + along * (last[c] - first[c]);
            of[c] = base * (0.22F + 0.85F * diffuse) + 0.22F * shine;
        }
        return of;
    });
}

void line_canvas::line(place const& from, place const& to, float radius, colour const& of) {
    cover({from, to, radius}, [&](float, float, float, float) { return of; });
}

picture line_canvas::drawn() const {
    picture result(width_, height_);
    auto into = result.rgb.begin();
    auto const row = static_cast<std::size_t>(width_ * fine_line);
    std::uint32_t last = ~std::uint32_t{0}; // the sample shared by all of the last pixel, and its bytes
    std::array<std::uint8_t, 3> last_bytes{};
    for (int y = 0; y < height_; ++y)
        for (int x = 0; x < width_; ++x) {
            sample const* const corner = samples_.data() + static_cast<std::size_t>(y * fine_line) * row +
                                         static_cast<std::size_t>(x * fine_line);
            bool is_same = true;
            for (std::size_t j = 0; j < fine_line && is_same; ++j)
                for (std::size_t i = 0; i < fine_line; ++i)
                    is_same = is_same && corner[j * row + i].packed == last;
            if (!is_same) {
                colour sum{};
                for (std::size_t j = 0; j < fine_line; ++j)
                    for (std::size_t i = 0; i < fine_line; ++i)
                        for (std::size_t c = 0; c < 3; ++c)
                            sum[c] += part_of_sample(corner[j * row + i].packed, c);
                last_bytes = on_screen(mixed({}, sum, 1.0F / (fine_line * fine_line)));
                last = corner->packed;
                for (std::size_t j = 0; j < fine_line; ++j)
                    for (std::size_t i = 0; i < fine_line; ++i)
                        if (corner[j * row + i].packed != last) last = ~std::uint32_t{0};
            }
            into = std::ranges::copy(last_bytes, into).out;
        }
    return result;
}

} // namespace weft
