#include <rendering/transfer.hpp>

#include <core/number_text.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <cmath>

namespace weft {

transfer_function::transfer_function(std::string const& preset, double opacity) : opacity_(opacity) {
    if (!(opacity >= 0 && opacity <= 1))
        throw usage_error("`opacity` " + number_text(opacity) + ": expected a number in 0..1");
    if (preset == "grey")
        knots_ = {{0, {0, 0, 0}, 0}, {1, {1, 1, 1}, 1}};
    else if (preset == "tissue")
        knots_ = {{0, {0, 0, 0}, 0}, {0.14F, {0.30F, 0.10F, 0.05F}, 0}, {0.25F, {0.75F, 0.38F, 0.22F}, 0.06F},
            {0.45F, {0.90F, 0.62F, 0.45F}, 0.35F}, {0.7F, {1, 0.90F, 0.78F}, 0.8F}, {1, {1, 1, 1}, 1}};
    else if (preset == "heat")
        knots_ = {{0, {0, 0, 0}, 0}, {0.35F, {0.35F, 0.01F, 0.01F}, 0.15F},
            {0.7F, {0.95F, 0.35F, 0.02F}, 0.6F}, {1, {1, 0.95F, 0.80F}, 1}};
    else
        throw usage_error("`preset` " + preset + ": expected grey, tissue or heat");
}

rgba transfer_function::at(double value) const noexcept {
    auto const x = static_cast<float>(std::clamp(value, 0.0, 1.0));
    auto const above =
        std::find_if(knots_.begin() + 1, knots_.end() - 1, [x](knot const& each) { return x <= each.value; });
    knot const& hi = *above;
    knot const& lo = *(above - 1);
    float const share = (x - lo.value) / (hi.value - lo.value);
    colour const light = mixed(lo.light, hi.light, share);
    auto const opacity = static_cast<float>(opacity_) * (lo.opacity + share * (hi.opacity - lo.opacity));
    return {light[0], light[1], light[2], opacity};
}

} // namespace weft
