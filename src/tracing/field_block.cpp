#include <tracing/field_block.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace weft {

namespace {
template <class T>
vector3 three_at(std::vector<std::byte> const& values, std::size_t point) noexcept {
    T three[3];
    std::memcpy(three, values.data() + point * sizeof three, sizeof three);
    return {static_cast<double>(three[0]), static_cast<double>(three[1]), static_cast<double>(three[2])};
}
} // namespace

vector3 flow_domain::wrapped(vector3 at) const noexcept {
    for (std::size_t d = 0; d < 3; ++d) {
        if (period[d] == 0) continue;
        double const first = axes[d].lo();
        // Rounding must not lead beyond the end.
        if (!axes[d].holds(at[d]))
            at[d] = std::min(at[d] - period[d] * std::floor((at[d] - first) / period[d]), axes[d].hi());
    }
    return at;
}

box<std::int64_t> flow_domain::cells() const noexcept {
    return {3, {}, {axes[0].cells(), axes[1].cells(), axes[2].cells()}};
}

box<std::int64_t> flow_domain::points_around(box<std::int64_t> const& cells) const noexcept {
    box<std::int64_t> points = cells;
    for (std::size_t d = 0; d < 3; ++d)
        points.hi[d] = std::min(points.hi[d] + 1, static_cast<std::int64_t>(axes[d].points().size()));
    return points;
}

field_block::field_block(std::shared_ptr<flow_domain const> domain, box<std::int64_t> const& points,
    value_type type, std::vector<std::vector<std::byte>> steps, std::vector<std::vector<std::uint8_t>> hidden)
    : domain_(std::move(domain)),
      points_(points),
      type_(type),
      steps_(std::move(steps)),
      hidden_(std::move(hidden)) {
    stride_[0] = 1;
    for (std::size_t d = 1; d < 3; ++d) stride_[d] = stride_[d - 1] * (points_.hi[d - 1] - points_.lo[d - 1]);
}

bool field_block::has(coordinates<std::int64_t> const& cell) const noexcept {
    for (std::size_t d = 0; d < 3; ++d) {
        auto const all = static_cast<std::int64_t>(domain_->axes[d].points().size());
        if (cell[d] < points_.lo[d] || std::min(cell[d] + 1, all - 1) >= points_.hi[d]) return false;
    }
    return true;
}

bool field_block::hides(std::size_t step, coordinates<std::int64_t> const& cell) const noexcept {
    std::int64_t place = 0;
    std::int64_t stride = 1;
    for (std::size_t d = 0; d < 3; ++d) {
        bool const flat = domain_->axes[d].points().size() == 1;
        place += (cell[d] - points_.lo[d]) * stride;
        stride *= points_.hi[d] - points_.lo[d] - (flat ? 0 : 1);
    }
    return hidden_[step][static_cast<std::size_t>(place)] != 0;
}

vector3 field_block::at(std::size_t step, coordinates<std::int64_t> const& point) const noexcept {
    std::int64_t place = 0;
    for (std::size_t d = 0; d < 3; ++d) place += (point[d] - points_.lo[d]) * stride_[d];
    auto const index = static_cast<std::size_t>(place);
    return type_ == value_type::float32 ? three_at<float>(steps_[step], index)
                                        : three_at<double>(steps_[step], index);
}

std::array<vector3, 8> field_block::corners(
    std::size_t step, coordinates<std::int64_t> const& cell) const noexcept {
    if (!hidden_.empty() && !hidden_[step].empty() && hides(step, cell)) {
        double const none = std::numeric_limits<double>::quiet_NaN();
        std::array<vector3, 8> corner;
        corner.fill({none, none, none});
        return corner;
    }
    std::int64_t first = 0;
    std::array<std::int64_t, 3> next{}; // from a corner to the next; 0 along an axis of one point
    for (std::size_t d = 0; d < 3; ++d) {
        first += (cell[d] - points_.lo[d]) * stride_[d];
        next[d] = domain_->axes[d].points().size() > 1 ? stride_[d] : 0;
    }
    auto const all = [&](auto const& three) {
        std::array<vector3, 8> corner;
        for (std::size_t i = 0; i < 8; ++i) {
            std::int64_t const place =
                first + (i & 1 ? next[0] : 0) + (i & 2 ? next[1] : 0) + (i & 4 ? next[2] : 0);
            corner[i] = three(steps_[step], static_cast<std::size_t>(place));
        }
        return corner;
    };
    return type_ == value_type::float32 ? all(three_at<float>) : all(three_at<double>);
}

double field_block::greatest_speed() const noexcept {
    double greatest = 0;
    std::size_t const count = steps_.empty() ? 0 : steps_[0].size() / (3 * size_of(type_));
    for (auto const& values : steps_)
        for (std::size_t i = 0; i < count; ++i) {
            vector3 const v =
                type_ == value_type::float32 ? three_at<float>(values, i) : three_at<double>(values, i);
            double const square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
            if (square > greatest) greatest = square;
        }
    return std::sqrt(greatest);
}

flow_cursor::found flow_cursor::move_to(vector3 const& at, double time) noexcept {
    flow_domain const& domain = field_.domain();
    if (!domain.holds(at)) return found::outside;
    if (!is_steady_ && !domain.times.holds(time)) return found::too_late;
    coordinates<std::int64_t> const cell = domain.cell_of(at);
    if (!field_.has(cell)) return found::elsewhere;
    for (std::size_t d = 0; d < 3; ++d) {
        begin_[d] = domain.axes[d].begin(cell[d]);
        until_[d] = domain.axes[d].end(cell[d]);
        scale_[d] = domain.axes[d].scale(cell[d]);
    }
    if (is_steady_) {
        before_ = flow_between(field_.corners(0, cell));
        return found::here;
    }
    std::int64_t const step = domain.times.cell_of(time);
    since_ = domain.times.begin(step);
    till_ = domain.times.end(step);
    time_scale_ = domain.times.scale(step);
    before_ = flow_between(field_.corners(static_cast<std::size_t>(step), cell));
    after_ = flow_between(field_.corners(static_cast<std::size_t>(step) + 1, cell));
    return found::here;
}

flow_cursor::cell_flow flow_cursor::flow_between(std::array<vector3, 8> const& corner) noexcept {
    cell_flow flow;
    for (std::size_t d = 0; d < 3; ++d) {
        auto const v = [&](std::size_t i) { return corner[i][d]; };
        flow.c[0][d] = v(0);
        flow.c[1][d] = v(1) - v(0);
        flow.c[2][d] = v(2) - v(0);
        flow.c[3][d] = (v(3) - v(2)) - (v(1) - v(0));
        flow.c[4][d] = v(4) - v(0);
        flow.c[5][d] = (v(5) - v(4)) - (v(1) - v(0));
        flow.c[6][d] = (v(6) - v(4)) - (v(2) - v(0));
        flow.c[7][d] = ((v(7) - v(6)) - (v(5) - v(4))) - ((v(3) - v(2)) - (v(1) - v(0)));
    }
    return flow;
}

} // namespace weft
