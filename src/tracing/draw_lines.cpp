#include <tracing/draw_lines.hpp>

#include <tracing/line_canvas.hpp>
#include <tracing/small_letters.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace weft {

namespace {

constexpr int width = 1600;
constexpr int height = 1100;
constexpr float margin = 70;
constexpr float scale_room = 150; // at the right, for the colours
constexpr colour background{0.006F, 0.008F, 0.014F};
constexpr colour frame{0.10F, 0.12F, 0.16F};
constexpr colour ink{0.62F, 0.66F, 0.72F};

/// How the domain lies in the picture: no perspective.
class view {
public:
    view(line_set const& lines, flow_domain const& domain) {
        for (std::size_t d = 0; d < 3; ++d) {
            corner_[0][d] = domain.axes[d].lo();
            corner_[1][d] = domain.axes[d].hi();
            lay_flat(lines, d);
        }
        set_directions();
        double lo[3] = {};
        double hi[3] = {};
        for (unsigned i = 0; i < 8; ++i) {
            vector3 const at = corner(i);
            for (std::size_t k = 0; k < 3; ++k) {
                double const along = dot(axes_[k], at);
                lo[k] = i == 0 ? along : std::min(lo[k], along);
                hi[k] = i == 0 ? along : std::max(hi[k], along);
            }
        }
        double const room_x = width - 2 * margin - scale_room;
        double const room_y = height - 2 * margin;
        scale_ = std::min(room_x / std::max(hi[0] - lo[0], 1e-300), room_y / std::max(hi[1] - lo[1], 1e-300));
        for (std::size_t k = 0; k < 3; ++k) middle_[k] = (lo[k] + hi[k]) / 2;
        depth_ = hi[2] - lo[2];
        is_flat_ = depth_ <= 0;
    }

    [[nodiscard]] vector3 corner(unsigned i) const {
        return {corner_[i & 1][0], corner_[i >> 1 & 1][1], corner_[i >> 2 & 1][2]};
    }
    [[nodiscard]] line_canvas::place place_of(vector3 const& at) const {
        return {static_cast<float>((width - scale_room) / 2.0 + scale_ * (dot(axes_[0], at) - middle_[0])),
            static_cast<float>(height / 2.0 - scale_ * (dot(axes_[1], at) - middle_[1])),
            static_cast<float>(scale_ * (dot(axes_[2], at) - middle_[2]))};
    }
    /// From 0 for the farthest to 1 for the nearest.
    [[nodiscard]] float nearness(line_canvas::place const& at) const {
        if (is_flat_) return 1;
        return std::clamp(static_cast<float>(at.depth / (scale_ * depth_)) + 0.5F, 0.0F, 1.0F);
    }

private:
    static double dot(vector3 const& a, vector3 const& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
    /// Lines within a plane are seen along the axis across it, whatever the domain is there.
    void lay_flat(line_set const& lines, std::size_t d) {
        if (lines.points.empty()) return;
        auto const [least, greatest] = std::minmax_element(lines.points.begin(), lines.points.end(),
            [d](line_point const& a, line_point const& b) { return a.place[d] < b.place[d]; });
        if (greatest->place[d] - least->place[d] < 1e-4 * (corner_[1][d] - corner_[0][d]))
            corner_[0][d] = corner_[1][d] = least->place[d];
    }
    /// Right, up, and towards the eye.
    void set_directions() {
        auto const is_flat = [&](std::size_t d) { return corner_[0][d] == corner_[1][d]; };
        if (is_flat(2)) {
            axes_ = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
        } else if (is_flat(1)) {
            axes_ = {{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}};
        } else if (is_flat(0)) {
            axes_ = {{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}};
        } else {
            double const around = -1.05; // radians
            double const above = 0.45;
            axes_ = {{{-std::sin(around), std::cos(around), 0},
                {-std::sin(above) * std::cos(around), -std::sin(above) * std::sin(around), std::cos(above)},
                {std::cos(above) * std::cos(around), std::cos(above) * std::sin(around), std::sin(above)}}};
        }
    }

    std::array<vector3, 3> axes_{};
    std::array<vector3, 2> corner_{};
    double scale_ = 1; // pixels a unit
    std::array<double, 3> middle_{};
    double depth_ = 1;
    bool is_flat_ = false;
};

struct speed_range {
    float lo = 0;
    float hi = 1;
    [[nodiscard]] colour of(float speed) const {
        return speed_colour(std::clamp((speed - lo) / (hi - lo), 0.0F, 1.0F));
    }
};

/// From nothing, or from the slowest where that is fast too, to what a hundredth exceeds.
speed_range range_of(line_set const& lines) {
    std::vector<float> speeds;
    for (line_point const& each : lines.points)
        if (std::isfinite(each.speed)) speeds.push_back(each.speed);
    if (speeds.empty()) return {};
    auto const at = [&](double share) {
        auto const nth =
            speeds.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(speeds.size() - 1));
        std::nth_element(speeds.begin(), nth, speeds.end());
        return *nth;
    };
    speed_range range{at(0.01), at(0.99)};
    if (range.lo < 0.4F * range.hi) range.lo = 0;
    if (!(range.hi > range.lo)) range.hi = range.lo + std::max(1e-6F, std::abs(range.lo));
    return range;
}

void draw_frame(line_canvas& canvas, view const& seen) {
    for (unsigned from = 0; from < 8; ++from)
        for (unsigned const bit : {1U, 2U, 4U})
            if ((from & bit) == 0) {
                auto const a = seen.place_of(seen.corner(from));
                auto const b = seen.place_of(seen.corner(from | bit));
                canvas.line(a, b, 0.7F, frame);
            }
}

void draw_scale(line_canvas& canvas, speed_range const& range) {
    constexpr float left = width - 130;
    constexpr float top = 300;
    constexpr float high = height - 2 * top;
    constexpr int steps = 256;
    for (int i = 0; i < steps; ++i)
        canvas.fill(left, top + high * static_cast<float>(steps - 1 - i) / steps, 18, high / steps + 0.4F,
            speed_colour((i + 0.5) / steps));
    write_small(canvas, left, top - 34, "speed", ink);
    for (int tick = 0; tick <= 4; ++tick) {
        float const share = static_cast<float>(tick) / 4;
        float const y = top + high * (1 - share);
        canvas.fill(left + 18, y - 0.7F, 6, 1.4F, ink);
        write_small(
            canvas, left + 30, y - 7, fmt::format("{:.3g}", range.lo + share * (range.hi - range.lo)), ink);
    }
}

} // namespace

std::array<float, 3> speed_colour(double share) noexcept {
    double const light = 0.36 + 0.58 * share;
    double const hue = (278 - 172 * share) * 3.14159265358979 / 180;
    double const strength = 0.105 + 0.07 * share * share;
    double const a = strength * std::cos(hue);
    double const b = strength * std::sin(hue);
    double const l = std::pow(light + 0.3963377774 * a + 0.2158037573 * b, 3);
    double const m = std::pow(light - 0.1055613458 * a - 0.0638541728 * b, 3);
    double const s = std::pow(light - 0.0894841775 * a - 1.2914855480 * b, 3);
    auto const limited = [](double of) { return static_cast<float>(std::clamp(of, 0.0, 1.0)); };
    return {limited(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
        limited(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
        limited(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

picture draw_lines(line_set const& lines, flow_domain const& domain) {
    line_canvas canvas(width, height, background);
    view const seen(lines, domain);
    speed_range const range = range_of(lines);
    draw_frame(canvas, seen);
    // Many lines are thin.
    auto const count = static_cast<float>(std::max<std::size_t>(lines.seeds.size(), 1));
    float const radius = std::clamp(2.4F * std::sqrt(300 / count), 0.6F, 2.8F);
    auto const shaded = [&](line_canvas::place const& at, float speed) {
        float const dim = 0.30F + 0.70F * seen.nearness(at);
        colour of = range.of(speed);
        for (std::size_t c = 0; c < 3; ++c) of[c] = background[c] + dim * (of[c] - background[c]);
        return of;
    };
    for (std::size_t line = 0; line < lines.seeds.size(); ++line) {
        auto const at = [&](std::int64_t i) -> line_point const& {
            return lines.points[static_cast<std::size_t>(i)];
        };
        auto const place = [&](line_point const& p) {
            return seen.place_of({p.place[0], p.place[1], p.place[2]});
        };
        std::int64_t const first = lines.begin_of(line);
        auto from = place(at(first));
        colour from_colour = shaded(from, at(first).speed);
        for (std::int64_t i = first + 1; i < lines.ends[line]; ++i) {
            auto const to = place(at(i));
            // Steps shorter than a pixel are drawn together.
            if (std::hypot(to.x - from.x, to.y - from.y) < 1 && i + 1 < lines.ends[line]) continue;
            colour const to_colour = shaded(to, at(i).speed);
            canvas.tube(from, to, radius, from_colour, to_colour);
            from = to;
            from_colour = to_colour;
        }
    }
    draw_scale(canvas, range);
    return canvas.drawn();
}

} // namespace weft
