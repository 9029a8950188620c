#include <grids/views/masked_grid.hpp>

#include <grids/values/box_copy.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

namespace weft {

namespace {

value_type type_with_room(value_type type) noexcept {
    switch (type) {
    case value_type::int8:
    case value_type::uint8:
        return value_type::int16;
    case value_type::int16:
    case value_type::uint16:
        return value_type::int32;
    case value_type::int32:
    case value_type::uint32:
        return value_type::int64;
    default:
        return type;
    }
}

/// Returns the value of a type that marks missing data.
template <class T>
constexpr T value_for_none() noexcept {
    if constexpr (std::is_floating_point_v<T>)
        return std::numeric_limits<T>::quiet_NaN();
    else if constexpr (std::is_signed_v<T>)
        return std::numeric_limits<T>::lowest();
    else
        return std::numeric_limits<T>::max();
}

bool hides_some(std::vector<std::uint8_t> const& marks) {
    return std::ranges::any_of(marks, [](std::uint8_t each) { return each != 0; });
}

/// Copies the marks of a box from those of the whole grid.
void copy_marks(std::vector<std::uint8_t> const& marks, box<std::int64_t> const& part,
    box<std::int64_t> const& all, std::span<std::uint8_t> into) {
    for_rows(part, all, [&](std::int64_t offset, std::int64_t first, std::int64_t count) {
        std::copy_n(marks.begin() + offset, count, into.begin() + first);
    });
}

class masked_grid final : public grid_source {
public:
    masked_grid(std::unique_ptr<grid_source> source, grid_mask mask, std::string file)
        : source_(std::move(source)),
          shape_(source_->shape()),
          mask_(std::move(mask)),
          file_(std::move(file)) {
        shape_.hides_cells = hides_some(mask_.cells);
        if (mask_.values.empty()) return;
        shape_.type = type_with_room(shape_.type);
        visit_values(shape_.type, {}, [&]<class T>(std::span<T const>) {
            if constexpr (std::is_integral_v<T>) shape_.missing = static_cast<double>(value_for_none<T>());
        });
    }

    grid_shape const& shape() const noexcept override { return shape_; }

    void read(box<std::int64_t> const& points, std::span<std::byte> into) override {
        if (mask_.values.empty()) {
            source_->read(points, into);
            return;
        }
        std::vector<std::byte> stored(bytes_of(source_->shape(), points));
        source_->read(points, stored);
        std::vector<std::uint8_t> hidden(into.size() / point_bytes());
        copy_marks(mask_.values, points, points_of(shape_), hidden);
        auto const width = static_cast<std::size_t>(shape_.components);
        visit_values(source_->shape().type, stored, [&]<class From>(std::span<From const> from) {
            visit_values(shape_.type, into, [&]<class To>(std::span<To const>) {
                To* const to = reinterpret_cast<To*>(into.data());
                for (std::size_t i = 0; i < from.size(); ++i) {
                    to[i] = hidden[i / width] != 0 ? value_for_none<To>() : static_cast<To>(from[i]);
                    if constexpr (std::is_integral_v<To> && sizeof(To) == sizeof(From))
                        if (hidden[i / width] == 0 && shape_.missing &&
                            static_cast<double>(to[i]) == *shape_.missing)
                            throw io_error(file_ + ": has the visible value " + std::to_string(to[i]) +
                                           ", which stands for hidden values; write its values as float64");
                }
            });
        });
    }

    void read_hidden(box<std::int64_t> const& cells, std::span<std::uint8_t> into) override {
        if (mask_.cells.empty()) {
            std::ranges::fill(into, std::uint8_t{0});
            return;
        }
        box<std::int64_t> all = points_of(shape_);
        for (std::size_t d = 0; d < 3; ++d) all.hi[d] = std::max<std::int64_t>(all.hi[d] - 1, 1);
        copy_marks(mask_.cells, cells, all, into);
        for (std::uint8_t& each : into) each = each != 0 ? 1 : 0;
    }

private:
    [[nodiscard]] std::size_t point_bytes() const noexcept {
        return size_of(shape_.type) * static_cast<std::size_t>(shape_.components);
    }

    std::unique_ptr<grid_source> source_;
    grid_shape shape_;
    grid_mask mask_;
    std::string file_;
};

} // namespace

std::unique_ptr<grid_source> with_mask(
    std::unique_ptr<grid_source> source, grid_mask mask, std::string const& file) {
    if (!hides_some(mask.values)) mask.values.clear();
    if (!hides_some(mask.cells)) mask.cells.clear();
    if (mask.values.empty() && mask.cells.empty()) return source;
    return std::make_unique<masked_grid>(std::move(source), std::move(mask), file);
}

} // namespace weft
