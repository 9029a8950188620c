#include <tracing/flow_axis.hpp>

#include <core/number_text.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace weft {

flow_axis::flow_axis(std::vector<double> points) : points_(std::move(points)) {
    if (points_.empty()) throw usage_error("field: an axis has no points");
    for (std::size_t i = 1; i < points_.size(); ++i)
        if (!(points_[i - 1] < points_[i]))
            throw usage_error("field: the coordinates of an axis neither ascend nor descend: " +
                              number_text(points_[i - 1]) + ", then " + number_text(points_[i]));
    behind_ = std::nextafter(hi(), std::numeric_limits<double>::infinity());
    if (points_.size() == 1) {
        scales_ = {0};
        return;
    }
    double widest = 0;
    least_width_ = hi() - lo();
    for (std::size_t i = 1; i < points_.size(); ++i) {
        double const width = points_[i] - points_[i - 1];
        scales_.push_back(1 / width);
        least_width_ = std::min(least_width_, width);
        widest = std::max(widest, width);
    }
    if (widest - least_width_ < 1e-3 * widest) even_scale_ = static_cast<double>(cells()) / (hi() - lo());
}

std::int64_t flow_axis::cell_of(double x) const noexcept {
    std::int64_t const last = cells() - 1;
    if (even_scale_ == 0) {
        auto const above = std::upper_bound(points_.begin(), points_.end(), x);
        return std::min<std::int64_t>(above - points_.begin() - 1, last);
    }
    // The mean width gives a first guess, which is corrected by the coordinates.
    auto cell = std::clamp<std::int64_t>(static_cast<std::int64_t>((x - lo()) * even_scale_), 0, last);
    while (x < begin(cell)) --cell;
    while (x >= end(cell)) ++cell;
    return cell;
}

} // namespace weft
