#include <grids/views/parts_grid.hpp>

#include <grids/values/box_copy.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/protocol/agreement.hpp>

#include <cstring>
#include <stdexcept>
#include <utility>

namespace weft {

namespace {

bool is_empty(box<std::int64_t> const& points) {
    for (std::size_t d = 0; d < static_cast<std::size_t>(points.dimensions); ++d)
        if (points.hi[d] <= points.lo[d]) return true;
    return false;
}

/// Boxes of a grid, in memory.
class boxes_in_memory final : public grid_source {
public:
    boxes_in_memory(grid_shape shape, std::vector<box<std::int64_t>> const& boxes)
        : shape_(std::move(shape)) {
        for (box<std::int64_t> const& each : boxes)
            boxes_.push_back({each, std::vector<std::byte>(bytes_of(shape_, each))});
    }

    grid_shape const& shape() const noexcept override { return shape_; }

    void read(box<std::int64_t> const& points, std::span<std::byte> into) override {
        for (stored_box const& each : boxes_) {
            if (intersection(points, each.points) != points) continue;
            for_rows(points, each.points, [&](std::int64_t offset, std::int64_t first, std::int64_t count) {
                std::memcpy(into.data() + bytes_of_points(first), each.bytes.data() + bytes_of_points(offset),
                    bytes_of_points(count));
            });
            return;
        }
        throw std::logic_error("a box of a grid in parts for which this rank did not ask");
    }

    /// Copies the values of `held` that lie in the boxes.
    void fill(box<std::int64_t> const& held, std::span<std::byte const> from) {
        for (stored_box& each : boxes_) {
            box<std::int64_t> const both = intersection(each.points, held);
            if (is_empty(both)) continue;
            for_rows(both, each.points, [&](std::int64_t offset, std::int64_t first, std::int64_t count) {
                std::memcpy(each.bytes.data() + bytes_of_points(offset), from.data() + bytes_of_points(first),
                    bytes_of_points(count));
            });
            from = from.subspan(bytes_of(shape_, both));
        }
    }

private:
    struct stored_box {
        box<std::int64_t> points;
        std::vector<std::byte> bytes;
    };

    [[nodiscard]] std::size_t bytes_of_points(std::int64_t count) const {
        return static_cast<std::size_t>(count) * size_of(shape_.type) *
               static_cast<std::size_t>(shape_.components);
    }

    grid_shape shape_;
    std::vector<stored_box> boxes_;
};

} // namespace

std::unique_ptr<grid_source> grid_of_parts(communicator const& comm, grid_source& mine,
    std::vector<box<std::int64_t>> const& held, std::vector<std::vector<box<std::int64_t>>> const& wanted) {
    auto const here = static_cast<std::size_t>(comm.rank());
    outbox<std::byte> out(comm);
    std::unique_ptr<boxes_in_memory> made;
    agreed(comm, [&] {
        std::vector<std::byte> values;
        for (std::size_t rank = 0; rank < wanted.size(); ++rank)
            for (box<std::int64_t> const& each : wanted[rank]) {
                box<std::int64_t> const both = intersection(each, held[here]);
                if (is_empty(both)) continue;
                values.resize(bytes_of(mine.shape(), both));
                mine.read(both, values);
                out[static_cast<int>(rank)].append(values);
            }
        made = std::make_unique<boxes_in_memory>(mine.shape(), wanted[here]);
    });
    for (auto const [source, bytes] : exchange(std::move(out)))
        made->fill(held[static_cast<std::size_t>(source)], bytes);
    return made;
}

} // namespace weft
