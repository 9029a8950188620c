/// The points along one axis of a field, and which cell between them a coordinate lies in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft {

/// Ascending coordinates. Cell c is from point c up to, not including, point c + 1; the last includes its
/// end. One point makes one cell of no width, of which only the point itself is inside. All queries are local
/// and do not depend on who asks: what is computed of them is the same in every block.
class flow_axis {
public:
    /// Throws: `usage_error` for no points, and for points that are not strictly ascending.
    explicit flow_axis(std::vector<double> points);

    [[nodiscard]] std::vector<double> const& points() const noexcept { return points_; }
    [[nodiscard]] std::int64_t cells() const noexcept { return static_cast<std::int64_t>(scales_.size()); }
    [[nodiscard]] double lo() const noexcept { return points_.front(); }
    [[nodiscard]] double hi() const noexcept { return points_.back(); }
    [[nodiscard]] bool holds(double x) const noexcept { return lo() <= x && x <= hi(); }

    /// The cell that a coordinate of the axis lies in. O(1) where the points are evenly spaced, else O(log
    /// n).
    [[nodiscard]] std::int64_t cell_of(double x) const noexcept;
    [[nodiscard]] double begin(std::int64_t cell) const noexcept {
        return points_[static_cast<std::size_t>(cell)];
    }
    /// The least coordinate behind a cell.
    [[nodiscard]] double end(std::int64_t cell) const noexcept {
        return cell + 1 < cells() ? points_[static_cast<std::size_t>(cell) + 1] : behind_;
    }
    /// 1 over the width of a cell; 0 for a cell of no width.
    [[nodiscard]] double scale(std::int64_t cell) const noexcept {
        return scales_[static_cast<std::size_t>(cell)];
    }
    /// The least width of a cell; 0 for one point.
    [[nodiscard]] double least_width() const noexcept { return least_width_; }

private:
    std::vector<double> points_;
    std::vector<double> scales_; // by cell
    double behind_ = 0;          // the least coordinate that is not inside
    double least_width_ = 0;
    double even_scale_ = 0; // 1 over the width of all cells, 0 where they differ
};

} // namespace weft
