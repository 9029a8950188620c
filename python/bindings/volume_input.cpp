#include "volume_input.hpp"

#include <algorithm>
#include <cstring>

namespace weft::python {

namespace {

/// Values with strides of their own, as those of a transposed array, perhaps in the other order of bytes.
class strided_grid final : public grid_source {
public:
    strided_grid(grid_shape shape, std::byte const* first, volume_input const& given)
        : shape_(std::move(shape)),
          first_(first),
          strides_(given.strides),
          component_stride_(given.component_stride),
          swapped_(given.swapped) {}

    [[nodiscard]] grid_shape const& shape() const noexcept override { return shape_; }

    void read(box<std::int64_t> const& points, std::span<std::byte> into) override {
        std::size_t const bytes = size_of(shape_.type);
        std::byte* to = into.data();
        for (std::int64_t z = points.lo[2]; z < points.hi[2]; ++z)
            for (std::int64_t y = points.lo[1]; y < points.hi[1]; ++y)
                for (std::int64_t x = points.lo[0]; x < points.hi[0]; ++x)
                    for (int c = 0; c < shape_.components; ++c, to += bytes)
                        std::memcpy(to,
                            first_ + x * strides_[0] + y * strides_[1] + z * strides_[2] +
                                c * component_stride_,
                            bytes);
        if (!swapped_) return;
        for (std::byte* value = into.data(); value != to; value += bytes) std::reverse(value, value + bytes);
    }

private:
    grid_shape shape_;
    std::byte const* first_;
    std::array<std::int64_t, 3> strides_;
    std::int64_t component_stride_;
    bool swapped_;
};

} // namespace

value_bound bound_of(nb::handle number) {
    if (!nb::isinstance<nb::int_>(number)) return nb::cast<double>(number);
    std::int64_t whole = 0;
    if (nb::try_cast(number, whole)) return whole;
    return nb::cast<std::uint64_t>(number);
}

volume_input volume_input::of_files(
    std::vector<std::shared_ptr<volume_file>> files, std::optional<double> missing) {
    grid_shape const& shape = files.at(0)->shape();
    volume_input made;
    made.type = name_of(shape.type);
    made.points = shape.points;
    made.components = shape.components;
    made.axes = shape.axes;
    made.missing = missing ? missing : shape.missing;
    made.files = std::move(files);
    return made;
}

grid_shape volume_input::shape() const {
    grid_shape made;
    made.points = points;
    made.type = value_type_named(type);
    made.components = components;
    made.missing = missing;
    number_axes(made);
    for (std::size_t d = 0; d < 3; ++d)
        if (!axes[d].empty()) made.axes[d] = axes[d];
    return made;
}

bool volume_input::is_plain() const {
    if (!files.empty()) return false;
    auto expected = static_cast<std::int64_t>(size_of(value_type_named(type)));
    if (swapped || (components > 1 && component_stride != expected)) return false;
    expected *= components;
    for (std::size_t d = 0; d < 3; ++d) {
        if (points[d] > 1 && strides[d] != expected) return false;
        expected *= points[d];
    }
    return true;
}

std::unique_ptr<grid_source> volume_input::source(std::size_t step) const {
    if (!files.empty()) return files.at(step)->source(missing);
    grid_shape made = shape();
    auto const* const first = reinterpret_cast<std::byte const*>(steps.at(step));
    if (!is_plain()) return std::make_unique<strided_grid>(std::move(made), first, *this);
    std::size_t bytes = size_of(made.type) * static_cast<std::size_t>(components);
    for (std::int64_t const along : points) bytes *= static_cast<std::size_t>(along);
    return grid_in_memory(std::move(made), {first, bytes}, nullptr);
}

} // namespace weft::python
