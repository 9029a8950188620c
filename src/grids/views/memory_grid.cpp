#include <grids/views/memory_grid.hpp>

#include <grids/values/box_copy.hpp>

#include <cstring>
#include <utility>

namespace weft {

namespace {

class memory_grid final : public grid_source {
public:
    memory_grid(grid_shape shape, std::span<std::byte const> bytes, std::shared_ptr<void const> owner)
        : shape_(std::move(shape)), bytes_(bytes), owner_(std::move(owner)) {}

    grid_shape const& shape() const noexcept override { return shape_; }

    void read(box<std::int64_t> const& points, std::span<std::byte> into) override {
        std::size_t const point = size_of(shape_.type) * static_cast<std::size_t>(shape_.components);
        for_rows(points, points_of(shape_), [&](std::int64_t offset, std::int64_t first, std::int64_t count) {
            std::memcpy(into.data() + static_cast<std::size_t>(first) * point,
                bytes_.data() + static_cast<std::size_t>(offset) * point,
                static_cast<std::size_t>(count) * point);
        });
    }

private:
    grid_shape shape_;
    std::span<std::byte const> bytes_;
    std::shared_ptr<void const> owner_;
};

} // namespace

std::unique_ptr<grid_source> grid_in_memory(
    grid_shape shape, std::span<std::byte const> bytes, std::shared_ptr<void const> owner) {
    return std::make_unique<memory_grid>(std::move(shape), bytes, std::move(owner));
}

} // namespace weft
