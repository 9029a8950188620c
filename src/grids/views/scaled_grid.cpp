#include <grids/values/real_type.hpp>
#include <grids/views/scaled_grid.hpp>

#include <cstring>
#include <utility>

namespace weft {

namespace {

class scaled_grid final : public grid_source {
public:
    scaled_grid(std::unique_ptr<grid_source> source, double slope, double offset)
        : source_(std::move(source)), shape_(source_->shape()), slope_(slope), offset_(offset) {
        shape_.type = real_type_for(shape_.type);
    }

    grid_shape const& shape() const noexcept override { return shape_; }

    void read(box<std::int64_t> const& points, std::span<std::byte> into) override {
        std::vector<std::byte> stored(bytes_of(source_->shape(), points));
        source_->read(points, stored);
        visit_values(source_->shape().type, stored, [&](auto values) {
            auto const scale = [&]<class To>(To) {
                for (std::size_t i = 0; i < values.size(); ++i) {
                    auto const value = static_cast<To>(slope_ * static_cast<double>(values[i]) + offset_);
                    std::memcpy(into.data() + i * sizeof value, &value, sizeof value);
                }
            };
            if (shape_.type == value_type::float32)
                scale(float{});
            else
                scale(double{});
        });
    }

private:
    std::unique_ptr<grid_source> source_;
    grid_shape shape_;
    double slope_;
    double offset_;
};

} // namespace

std::unique_ptr<grid_source> with_scaled_values(
    std::unique_ptr<grid_source> source, double slope, double offset) {
    return std::make_unique<scaled_grid>(std::move(source), slope, offset);
}

} // namespace weft
