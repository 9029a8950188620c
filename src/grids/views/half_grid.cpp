#include <grids/views/half_grid.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

namespace weft {

float from_half(std::uint16_t bits) noexcept {
    unsigned const exponent = bits >> 10 & 31U;
    auto const fraction = static_cast<float>(bits & 1023U);
    float value = 0;
    if (exponent == 31)
        value =
            fraction == 0 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
    else if (exponent == 0)
        value = std::ldexp(fraction, -24);
    else
        value = std::ldexp(1024 + fraction, static_cast<int>(exponent) - 25);
    return (bits & 0x8000U) != 0 ? -value : value;
}

namespace {

class half_grid final : public grid_source {
public:
    explicit half_grid(std::unique_ptr<grid_source> bits) : bits_(std::move(bits)), shape_(bits_->shape()) {
        shape_.type = value_type::float32;
    }

    grid_shape const& shape() const noexcept override { return shape_; }

    void read(box<std::int64_t> const& points, std::span<std::byte> into) override {
        std::vector<std::uint16_t> held(into.size() / sizeof(float));
        bits_->read(points, std::as_writable_bytes(std::span(held)));
        for (std::size_t i = 0; i < held.size(); ++i) {
            float const value = from_half(held[i]);
            std::memcpy(into.data() + i * sizeof value, &value, sizeof value);
        }
    }

private:
    std::unique_ptr<grid_source> bits_;
    grid_shape shape_;
};

} // namespace

std::unique_ptr<grid_source> grid_of_halves(std::unique_ptr<grid_source> bits) {
    return std::make_unique<half_grid>(std::move(bits));
}

} // namespace weft
