#include <grids/views/periodic_grid.hpp>

#include <grids/values/box_copy.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>
#include <utility>
#include <vector>

namespace weft {

namespace {

double widest_cell(std::vector<double> const& axis) {
    double widest = 0;
    for (std::size_t i = 1; i < axis.size(); ++i) widest = std::max(widest, axis[i] - axis[i - 1]);
    return widest;
}

/// Returns the distance from the last point to the first one of the next period; 0 if they are the same.
double gap_of(std::vector<double> const& axis, double period, std::size_t which) {
    auto const fail = [&](std::string const& why) {
        std::ostringstream text;
        text << "periodic "
             << "xyz"[which] << ", from " << axis.front() << " to " << axis.back() << ", period " << period
             << ": " << why;
        throw usage_error(text.str());
    };
    if (axis.size() < 2) fail("the axis has one point");
    double const gap = period - (axis.back() - axis.front());
    double const widest = widest_cell(axis);
    if (std::abs(gap) < 1e-3 * widest) return 0;
    if (!(gap > 0)) fail("the axis is longer than its period");
    if (gap > 1.5 * widest) fail("the field has a hole between the last point and the first");
    return gap;
}

class periodic_grid final : public grid_source {
public:
    periodic_grid(std::unique_ptr<grid_source> source, std::array<double, 3> const& gaps)
        : source_(std::move(source)), shape_(source_->shape()) {
        for (std::size_t d = 0; d < 3; ++d) {
            if (gaps[d] == 0) continue;
            shape_.axes[d].push_back(shape_.axes[d].back() + gaps[d]);
            ++shape_.points[d];
        }
    }

    grid_shape const& shape() const noexcept override { return shape_; }

    void read(box<std::int64_t> const& points, std::span<std::byte> into) override {
        auto const& stored = source_->shape().points;
        unsigned beyond = 0; // a bit for each axis along which the box has the added point
        for (std::size_t d = 0; d < 3; ++d)
            if (points.lo[d] >= points.hi[d])
                return;
            else if (points.hi[d] > stored[d])
                beyond |= 1U << d;
        if (beyond == 0) {
            source_->read(points, into);
            return;
        }
        std::size_t const point = size_of(shape_.type) * static_cast<std::size_t>(shape_.components);
        std::vector<std::byte> values;
        for (unsigned part = 0; part < 8; ++part) {
            if ((part & ~beyond) != 0) continue;
            box<std::int64_t> there = points;
            box<std::int64_t> here = points;
            for (std::size_t d = 0; d < 3; ++d) {
                if ((part >> d & 1) != 0) {
                    there.lo[d] = stored[d];
                    here.lo[d] = 0;
                    here.hi[d] = 1;
                } else {
                    there.hi[d] = here.hi[d] = std::min(points.hi[d], stored[d]);
                }
            }
            if (there.lo[0] >= there.hi[0] || there.lo[1] >= there.hi[1] || there.lo[2] >= there.hi[2])
                continue;
            values.resize(bytes_of(shape_, here));
            source_->read(here, values);
            for_rows(there, points, [&](std::int64_t offset, std::int64_t first, std::int64_t count) {
                std::memcpy(into.data() + static_cast<std::size_t>(offset) * point,
                    values.data() + static_cast<std::size_t>(first) * point,
                    static_cast<std::size_t>(count) * point);
            });
        }
    }

    /// Cells between the last and first points are not in the file, so they are visible.
    void read_hidden(box<std::int64_t> const& cells, std::span<std::uint8_t> into) override {
        std::ranges::fill(into, std::uint8_t{0});
        box<std::int64_t> here = cells;
        for (std::size_t d = 0; d < 3; ++d) {
            here.hi[d] = std::min(cells.hi[d], std::max<std::int64_t>(source_->shape().points[d] - 1, 1));
            if (here.lo[d] >= here.hi[d]) return;
        }
        std::vector<std::uint8_t> marks(static_cast<std::size_t>(
            (here.hi[0] - here.lo[0]) * (here.hi[1] - here.lo[1]) * (here.hi[2] - here.lo[2])));
        source_->read_hidden(here, marks);
        for_rows(here, cells, [&](std::int64_t offset, std::int64_t first, std::int64_t count) {
            std::copy_n(marks.begin() + first, count, into.begin() + offset);
        });
    }

private:
    std::unique_ptr<grid_source> source_;
    grid_shape shape_;
};

} // namespace

std::unique_ptr<grid_source> with_periodic_axes(
    std::unique_ptr<grid_source> source, std::array<double, 3> const& periods) {
    std::array<double, 3> gaps{};
    for (std::size_t d = 0; d < 3; ++d)
        if (periods[d] != 0) gaps[d] = gap_of(source->shape().axes[d], periods[d], d);
    if (gaps == std::array<double, 3>{}) return source;
    return std::make_unique<periodic_grid>(std::move(source), gaps);
}

} // namespace weft
