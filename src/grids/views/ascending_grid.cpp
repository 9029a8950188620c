#include <grids/views/ascending_grid.hpp>

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

namespace weft {

namespace {

bool descends(std::vector<double> const& axis) {
    return axis.size() > 1 && std::ranges::adjacent_find(axis, std::less_equal{}) == axis.end();
}

class ascending_grid final : public grid_source {
public:
    ascending_grid(std::unique_ptr<grid_source> source, std::array<bool, 3> const& turned)
        : source_(std::move(source)), shape_(source_->shape()), turned_(turned) {
        for (std::size_t d = 0; d < 3; ++d)
            if (turned_[d]) {
                std::ranges::reverse(shape_.axes[d]);
                std::ranges::reverse(shape_.cell_ends[d]);
            }
    }

    grid_shape const& shape() const noexcept override { return shape_; }

    void read(box<std::int64_t> const& points, std::span<std::byte> into) override {
        std::vector<std::byte> values(into.size());
        std::size_t const point = size_of(shape_.type) * static_cast<std::size_t>(shape_.components);
        turn(points, shape_.points, point, values, into,
            [&](box<std::int64_t> const& stored) { source_->read(stored, values); });
    }

    void read_hidden(box<std::int64_t> const& cells, std::span<std::uint8_t> into) override {
        std::vector<std::uint8_t> marks(into.size());
        std::array<std::int64_t, 3> all = shape_.points;
        for (std::int64_t& each : all) each = std::max<std::int64_t>(each - 1, 1);
        turn(cells, all, 1, std::as_bytes(std::span(marks)), std::as_writable_bytes(into),
            [&](box<std::int64_t> const& stored) { source_->read_hidden(stored, marks); });
    }

private:
    /// `load(stored)` fills `values`, with `point` bytes for each, with a box of the `all` points of the
    /// source.
    template <class Load>
    void turn(box<std::int64_t> const& points, std::array<std::int64_t, 3> const& all, std::size_t point,
        std::span<std::byte const> values, std::span<std::byte> into, Load&& load) const {
        box<std::int64_t> stored = points;
        std::array<std::int64_t, 3> width{};
        for (std::size_t d = 0; d < 3; ++d) {
            width[d] = points.hi[d] - points.lo[d];
            if (width[d] <= 0) return;
            if (!turned_[d]) continue;
            stored.lo[d] = all[d] - points.hi[d];
            stored.hi[d] = all[d] - points.lo[d];
        }
        load(stored);
        std::size_t const row = point * static_cast<std::size_t>(width[0]);
        std::byte* to = into.data();
        for (std::int64_t z = 0; z < width[2]; ++z)
            for (std::int64_t y = 0; y < width[1]; ++y, to += row) {
                std::int64_t const from_z = turned_[2] ? width[2] - 1 - z : z;
                std::int64_t const from_y = turned_[1] ? width[1] - 1 - y : y;
                std::byte const* const from =
                    values.data() + static_cast<std::size_t>(from_z * width[1] + from_y) * row;
                if (!turned_[0])
                    std::memcpy(to, from, row);
                else
                    for (std::size_t at = 0; at < row; at += point)
                        std::memcpy(to + at, from + (row - point - at), point);
            }
    }

    std::unique_ptr<grid_source> source_;
    grid_shape shape_;
    std::array<bool, 3> turned_;
};

} // namespace

std::unique_ptr<grid_source> with_ascending_axes(std::unique_ptr<grid_source> source) {
    std::array<bool, 3> turned{};
    for (std::size_t d = 0; d < 3; ++d) turned[d] = descends(source->shape().axes[d]);
    if (turned == std::array<bool, 3>{}) return source;
    return std::make_unique<ascending_grid>(std::move(source), turned);
}

} // namespace weft
