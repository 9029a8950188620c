/// Maps values to light and opacity.
#pragma once

#include <pictures/colour.hpp>

#include <array>
#include <string>
#include <vector>

namespace weft {

/// A pixel or a piece of a ray: its light, premultiplied by its opacity, and its opacity.
struct rgba {
    float red = 0;
    float green = 0;
    float blue = 0;
    float opacity = 0;
};

/// The operator *over*: the front, and the light of `behind` that passes it. Associative, not commutative.
/// Source: Porter, Duff, Compositing digital images, 1984.
[[nodiscard]] inline rgba over(rgba const& front, rgba const& behind) noexcept {
    float const through = 1 - front.opacity;
    return {front.red + through * behind.red, front.green + through * behind.green,
        front.blue + through * behind.blue, front.opacity + through * behind.opacity};
}

/// The colour and opacity of values between 0 and 1.
class transfer_function {
public:
    /// `grey`: brightness and opacity are proportional to the value. `tissue`: skin and soft parts faint,
    /// bright parts solid. `heat`: from dark red over orange to white. Throws: `usage_error` for another
    /// name, or an opacity outside of 0..1.
    transfer_function(std::string const& preset, double opacity);

    /// Returns the colour, not premultiplied, and the opacity of a piece of a ray as long as one voxel.
    [[nodiscard]] rgba at(double value) const noexcept;

private:
    struct knot {
        float value;
        colour light;
        float opacity;
    };
    std::vector<knot> knots_;
    double opacity_;
};

} // namespace weft
