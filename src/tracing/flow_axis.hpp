/// The points along one axis of a field; finds the cell of a coordinate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft {

/// Ascending coordinates. Cell c reaches from point c up to, but without, point c + 1; the last cell includes
/// its end. A single point makes one cell of no width, which contains the point only. All queries are local
/// and give the same results in every block.
class flow_axis {
public:
    /// Throws: `usage_error` if the list is empty or not strictly ascending.
    explicit flow_axis(std::vector<double> points);

    [[nodiscard]] std::vector<double> const& points() const noexcept { return points_; }
    [[nodiscard]] std::int64_t cells() const noexcept { return static_cast<std::int64_t>(scales_.size()); }
    [[nodiscard]] double lo() const noexcept { return points_.front(); }
    [[nodiscard]] double hi() const noexcept { return points_.back(); }
    [[nodiscard]] bool holds(double x) const noexcept { return lo() <= x && x <= hi(); }

    /// Returns the cell of a coordinate of the axis. O(1) if the points are evenly spaced, else O(log
    /// n).
    [[nodiscard]] std::int64_t cell_of(double x) const noexcept;
    [[nodiscard]] double begin(std::int64_t cell) const noexcept {
        return points_[static_cast<std::size_t>(cell)];
    }
    /// Returns the least coordinate after a cell.
    [[nodiscard]] double end(std::int64_t cell) const noexcept {
        return cell + 1 < cells() ? points_[static_cast<std::size_t>(cell) + 1] : behind_;
    }
    /// Returns 1 over the width of a cell; 0 for a cell of no width.
    [[nodiscard]] double scale(std::int64_t cell) const noexcept {
        return scales_[static_cast<std::size_t>(cell)];
    }
    /// Returns the least width of a cell; 0 for a single point.
    [[nodiscard]] double least_width() const noexcept { return least_width_; }

private:
    std::vector<double> points_;
    std::vector<double> scales_; // for each cell
    double behind_ = 0;          // the least coordinate after the end
    double least_width_ = 0;
    double even_scale_ = 0; // 1 over the common width of all cells, 0 if widths differ
};

} // namespace weft
