#include <tracing/line_view.hpp>

#include <pictures/ticks.hpp>

#include <algorithm>
#include <cmath>

namespace weft {

namespace {

constexpr double axis_number_size = 16;
constexpr double axis_name_size = 19;

double dot(vector3 const& a, vector3 const& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

} // namespace

line_view::line_view(line_set const& lines, flow_domain const& domain, extent const& room) {
    for (std::size_t d = 0; d < 3; ++d) {
        corners_[0][d] = domain.axes[d].lo();
        corners_[1][d] = domain.axes[d].hi();
        lay_flat(lines, d);
    }
    set_directions();
    for (unsigned bits = 0; bits < 8; ++bits) {
        vector3 const at = corner(bits);
        for (std::size_t k = 0; k < 3; ++k) {
            double const along = dot(directions_[k], at);
            lo_[k] = bits == 0 ? along : std::min(lo_[k], along);
            hi_[k] = bits == 0 ? along : std::max(hi_[k], along);
        }
    }
    auto const fit = [](double pixels, double units) { return pixels / std::max(units, 1e-300); };
    scale_ = std::min(fit(room.width, hi_[0] - lo_[0]), fit(room.height, hi_[1] - lo_[1]));
    is_flat_ = hi_[2] <= lo_[2];
}

extent line_view::size() const noexcept {
    return {scale_ * (hi_[0] - lo_[0]), scale_ * (hi_[1] - lo_[1])};
}

vector3 line_view::corner(unsigned bits) const noexcept {
    return {corners_[bits & 1][0], corners_[bits >> 1 & 1][1], corners_[bits >> 2 & 1][2]};
}

line_canvas::place line_view::place_of(vector3 const& at) const noexcept {
    return {static_cast<float>(scale_ * (dot(directions_[0], at) - lo_[0])),
        static_cast<float>(scale_ * (hi_[1] - dot(directions_[1], at))),
        static_cast<float>(scale_ * (dot(directions_[2], at) - hi_[2]))};
}

float line_view::nearness(line_canvas::place const& at) const noexcept {
    if (is_flat_) return 1;
    return std::clamp(1 + static_cast<float>(at.depth / (scale_ * (hi_[2] - lo_[2]))), 0.0F, 1.0F);
}

std::array<vector3, 2> line_view::edge_of(std::size_t axis) const noexcept {
    // Seen from the side and above, the marks of x and y are at the lower front edges, those of z at the
    // left.
    unsigned const begin = axis == 1 && !is_flat_ ? 0b001 : 0b000;
    return {corner(begin), corner(begin | 1U << axis)};
}

/// Flattens the box along an axis if all lines lie in a plane across it.
void line_view::lay_flat(line_set const& lines, std::size_t axis) {
    if (lines.points.empty()) return;
    auto const [least, greatest] = std::minmax_element(lines.points.begin(), lines.points.end(),
        [axis](line_point const& a, line_point const& b) { return a.place[axis] < b.place[axis]; });
    if (greatest->place[axis] - least->place[axis] < 1e-4 * (corners_[1][axis] - corners_[0][axis]))
        corners_[0][axis] = corners_[1][axis] = least->place[axis];
}

void line_view::set_directions() {
    if (is_across(2)) {
        directions_ = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    } else if (is_across(1)) {
        directions_ = {{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}};
    } else if (is_across(0)) {
        directions_ = {{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}};
    } else {
        double const around = -1.05; // radians
        double const above = 0.45;
        directions_ = {{{-std::sin(around), std::cos(around), 0},
            {-std::sin(above) * std::cos(around), -std::sin(above) * std::sin(around), std::cos(above)},
            {std::cos(above) * std::cos(around), std::cos(above) * std::sin(around), std::sin(above)}}};
    }
}

void draw_axis(sheet& on, line_view const& view, spot const& origin, std::size_t axis,
    std::string const& name, colour const& ink) {
    if (view.is_across(axis)) return;
    auto const edge = view.edge_of(axis);
    vector3 const begin = edge[0];
    vector3 const end = edge[1];
    auto const spot_at = [&](double value) {
        vector3 at = begin;
        at[axis] = value;
        auto const place = view.place_of(at);
        return spot{origin.x + place.x, origin.y + place.y};
    };
    spot const from = spot_at(begin[axis]);
    spot const to = spot_at(end[axis]);
    double const length = std::hypot(to.x - from.x, to.y - from.y);
    if (length < 1) return;
    // The direction away from the middle of the box.
    spot out{-(to.y - from.y) / length, (to.x - from.x) / length};
    spot const middle{origin.x + view.size().width / 2, origin.y + view.size().height / 2};
    spot const half{(from.x + to.x) / 2, (from.y + to.y) / 2};
    if (out.x * (half.x - middle.x) + out.y * (half.y - middle.y) < 0) out = {-out.x, -out.y};
    auto const beyond = [&](spot const& at, double by) { return spot{at.x + by * out.x, at.y + by * out.y}; };

    on.line({from, to}, {.width = 1.5, .ink = ink});
    bool const sideways = std::abs(out.x) > 0.4;
    text_style numbers{.size = axis_number_size, .ink = ink, .at = align::centre};
    if (sideways) numbers.at = out.x < 0 ? align::right : align::left;
    double widest = 0;
    for (tick const& each :
        linear_ticks(begin[axis], end[axis], std::max(2, static_cast<int>(length / 90)))) {
        spot const at = spot_at(each.value);
        on.line({at, beyond(at, 7)}, {.width = 1.5, .ink = ink});
        on.text(beyond(at, sideways ? 12 : 19), each.label, numbers);
        widest = std::max(widest, on.size_of(each.label, numbers).width);
    }
    bool const steep = std::abs(to.x - from.x) < 0.2 * length;
    double const away = sideways ? 26 + widest * std::abs(out.x) + axis_name_size * 0.7 : 48;
    text_style style{.size = axis_name_size, .ink = ink, .at = align::centre, .upwards = steep};
    if (sideways && !steep) style.at = out.x < 0 ? align::right : align::left;
    spot place = beyond(half, away);
    // Long names, such as those of files, are moved to stay on the sheet.
    double const room = on.width() - on.size_of(name, style).width - 6;
    if (style.at == align::left) place.x = std::min(place.x, room);
    if (style.at == align::right) place.x = std::max(place.x, on.width() - room);
    on.text(place, name, style);
}

} // namespace weft
