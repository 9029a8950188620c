#include <tracing/line_seam.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace weft {

namespace {

/// The number of periods along each axis between a place and the domain.
using turns = std::array<double, 3>;

class seam_cutter {
public:
    seam_cutter(flow_domain const& domain, line_set& into) : domain_(domain), into_(into) {}

    void begin(std::int64_t seed, line_point const& at) {
        seed_ = seed;
        turn_ = turns_of(at);
        add(at);
    }
    void go_to(line_point const& from, line_point const& to) {
        turns const last = turns_of(to);
        // Each crossing changes the period of one axis; the nearest crossing comes first.
        for (;;) {
            std::size_t axis = 3;
            double nearest = 2;
            for (std::size_t d = 0; d < 3; ++d) {
                if (last[d] == turn_[d]) continue;
                double const share = (seam(d, last[d] > turn_[d]) - from.place[d]) /
                                     (static_cast<double>(to.place[d]) - from.place[d]);
                if (axis < 3 && !(share < nearest)) continue;
                axis = d;
                nearest = share;
            }
            if (axis == 3) break;
            cross(axis, last[axis] > turn_[axis], between(from, to, std::clamp(nearest, 0.0, 1.0)));
        }
        add(to);
    }
    /// Ends a line; a line of one point is dropped.
    void end() {
        auto const begin = into_.ends.empty() ? std::int64_t{0} : into_.ends.back();
        auto const count = static_cast<std::int64_t>(into_.points.size()) - begin;
        if (count < 2) {
            into_.points.resize(static_cast<std::size_t>(begin));
            return;
        }
        into_.seeds.push_back(seed_);
        into_.ends.push_back(begin + count);
    }

private:
    [[nodiscard]] turns turns_of(line_point const& at) const {
        turns found{};
        for (std::size_t d = 0; d < 3; ++d)
            if (domain_.period[d] > 0)
                found[d] = std::floor((at.place[d] - domain_.axes[d].lo()) / domain_.period[d]);
        return found;
    }
    /// Returns the end of the current period.
    [[nodiscard]] double seam(std::size_t axis, bool ahead) const {
        return domain_.axes[axis].lo() + (turn_[axis] + (ahead ? 1 : 0)) * domain_.period[axis];
    }
    [[nodiscard]] static line_point between(line_point const& a, line_point const& b, double share) {
        auto const mix = [share](float x, float y) {
            return static_cast<float>(x + share * (static_cast<double>(y) - x));
        };
        line_point made{{}, mix(a.speed, b.speed)};
        for (std::size_t d = 0; d < 3; ++d) made.place[d] = mix(a.place[d], b.place[d]);
        return made;
    }
    void cross(std::size_t axis, bool ahead, line_point at) {
        at.place[axis] = static_cast<float>(seam(axis, ahead));
        add(at);
        end();
        turn_[axis] += ahead ? 1 : -1;
        add(at);
    }
    void add(line_point at) {
        for (std::size_t d = 0; d < 3; ++d)
            at.place[d] = static_cast<float>(at.place[d] - turn_[d] * domain_.period[d]);
        into_.points.push_back(at);
    }

    flow_domain const& domain_;
    line_set& into_;
    std::int64_t seed_ = 0;
    turns turn_{};
};

} // namespace

line_set cut_at_seams(line_set lines, flow_domain const& domain) {
    if (!domain.is_periodic()) return lines;
    line_set cut;
    seam_cutter cutter(domain, cut);
    for (std::size_t line = 0; line < lines.seeds.size(); ++line) {
        auto const first = static_cast<std::size_t>(lines.begin_of(line));
        auto const end = static_cast<std::size_t>(lines.ends[line]);
        cutter.begin(lines.seeds[line], lines.points[first]);
        for (std::size_t i = first + 1; i < end; ++i) cutter.go_to(lines.points[i - 1], lines.points[i]);
        cutter.end();
    }
    return cut;
}

} // namespace weft
