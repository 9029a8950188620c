#include <grids/values/real_type.hpp>
#include <grids/views/point_means_grid.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

namespace weft {

namespace {

class point_means_grid final : public grid_source {
public:
    point_means_grid(std::unique_ptr<grid_source> source, std::array<bool, 3> const& closes)
        : source_(std::move(source)), shape_(source_->shape()), closes_(closes) {
        for (std::size_t d = 0; d < 3; ++d) {
            shape_.axes[d] = std::move(shape_.cell_ends[d]);
            shape_.points[d] = static_cast<std::int64_t>(shape_.axes[d].size());
            shape_.cell_ends[d].clear();
        }
        shape_.values_at = value_place::points;
        shape_.hides_cells = true;
        shape_.missing.reset();
        shape_.type = real_type_for(shape_.type);
    }

    grid_shape const& shape() const noexcept override { return shape_; }

    void read(box<std::int64_t> const& points, std::span<std::byte> into) override {
        auto const width = static_cast<std::size_t>(shape_.components);
        std::vector<double> sums(into.size() / size_of(shape_.type));
        std::vector<std::int32_t> counts(sums.size());
        for_parts(points, [&](std::array<std::int64_t, 3> const& shift, box<std::int64_t> const& cells) {
            std::vector<double> const values = values_of(cells);
            std::size_t at = 0;
            for (std::int64_t z = cells.lo[2]; z < cells.hi[2]; ++z)
                for (std::int64_t y = cells.lo[1]; y < cells.hi[1]; ++y)
                    for (std::int64_t x = cells.lo[0]; x < cells.hi[0]; ++x, at += width)
                        add(points, {x + shift[0], y + shift[1], z + shift[2]}, values.data() + at, sums,
                            counts);
        });
        auto const write = [&]<class T>(T) {
            for (std::size_t i = 0; i < sums.size(); ++i) {
                auto const mean = static_cast<T>(
                    counts[i] == 0 ? std::numeric_limits<double>::quiet_NaN() : sums[i] / counts[i]);
                std::memcpy(into.data() + i * sizeof mean, &mean, sizeof mean);
            }
        };
        if (shape_.type == value_type::float32)
            write(float{});
        else
            write(double{});
    }

    void read_hidden(box<std::int64_t> const& cells, std::span<std::uint8_t> into) override {
        std::vector<double> const values = values_of(cells);
        auto const width = static_cast<std::size_t>(shape_.components);
        for (std::size_t cell = 0; cell < into.size(); ++cell) {
            into[cell] = 0;
            for (std::size_t c = 0; c < width; ++c)
                if (std::isnan(values[cell * width + c])) into[cell] = 1;
        }
    }

private:
    /// Calls `use(shift, cells)` for the boxes of cells around a box of points: those within the grid, and
    /// beyond periodic axes those of the other end, shifted by `shift`.
    template <class Use>
    void for_parts(box<std::int64_t> const& points, Use&& use) const {
        for (std::int64_t sz = -1; sz <= 1; ++sz)
            for (std::int64_t sy = -1; sy <= 1; ++sy)
                for (std::int64_t sx = -1; sx <= 1; ++sx) {
                    std::array<std::int64_t, 3> const turns{sx, sy, sz};
                    std::array<std::int64_t, 3> shift{};
                    box<std::int64_t> cells = points;
                    bool some = true;
                    for (std::size_t d = 0; d < 3; ++d) {
                        std::int64_t const all = source_->shape().points[d];
                        shift[d] = turns[d] * all;
                        some = some && (turns[d] == 0 || (closes_[d] && shape_.points[d] > 1));
                        cells.lo[d] =
                            std::max<std::int64_t>(points.lo[d] - (shape_.points[d] > 1) - shift[d], 0);
                        cells.hi[d] = std::min(points.hi[d] - shift[d], all);
                        some = some && cells.lo[d] < cells.hi[d];
                    }
                    if (some) use(shift, cells);
                }
    }

    /// Adds the values of a cell to its corners among the points of a box.
    void add(box<std::int64_t> const& points, std::array<std::int64_t, 3> const& cell, double const* values,
        std::vector<double>& sums, std::vector<std::int32_t>& counts) const {
        std::array<std::int64_t, 3> last;
        for (std::size_t d = 0; d < 3; ++d) last[d] = cell[d] + (shape_.points[d] > 1 ? 1 : 0);
        auto const width = static_cast<std::size_t>(shape_.components);
        for (std::int64_t z = std::max(cell[2], points.lo[2]); z <= last[2] && z < points.hi[2]; ++z)
            for (std::int64_t y = std::max(cell[1], points.lo[1]); y <= last[1] && y < points.hi[1]; ++y)
                for (std::int64_t x = std::max(cell[0], points.lo[0]); x <= last[0] && x < points.hi[0];
                     ++x) {
                    std::int64_t const row =
                        (z - points.lo[2]) * (points.hi[1] - points.lo[1]) + y - points.lo[1];
                    std::int64_t const point = row * (points.hi[0] - points.lo[0]) + x - points.lo[0];
                    for (std::size_t c = 0; c < width; ++c) {
                        if (std::isnan(values[c])) continue;
                        std::size_t const at = static_cast<std::size_t>(point) * width + c;
                        sums[at] += values[c];
                        ++counts[at];
                    }
                }
    }

    /// Returns the values of cells; NaN for missing ones.
    [[nodiscard]] std::vector<double> values_of(box<std::int64_t> const& cells) const {
        grid_shape const& shape = source_->shape();
        std::vector<std::byte> bytes(bytes_of(shape, cells));
        source_->read(cells, bytes);
        std::vector<double> values;
        visit_values(shape.type, bytes, [&](auto stored) {
            values.reserve(stored.size());
            for (auto const each : stored) {
                auto const value = static_cast<double>(each);
                values.push_back(shape.missing && value == *shape.missing
                                     ? std::numeric_limits<double>::quiet_NaN()
                                     : value);
            }
        });
        return values;
    }

    std::unique_ptr<grid_source> source_;
    grid_shape shape_;
    std::array<bool, 3> closes_;
};

} // namespace

std::unique_ptr<grid_source> with_values_at_points(
    std::unique_ptr<grid_source> source, std::array<bool, 3> const& closes) {
    if (source->shape().values_at == value_place::points) return source;
    return std::make_unique<point_means_grid>(std::move(source), closes);
}

} // namespace weft
