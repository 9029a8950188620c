/// The placement of a grid in space.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace weft {

/// Turns coordinates along the axes of a grid into coordinates in the world, the space that holds the grid:
/// `origin + matrix * coordinates`. The default changes nothing. Columns of the matrix have length 1 if the
/// grid uses the unit of the world.
struct placement {
    std::array<double, 3> origin{}; ///< The place of coordinates (0, 0, 0) in the world.
    /// The matrix by rows; column d is the direction of axis d.
    std::array<std::array<double, 3>, 3> matrix{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

    friend bool operator==(placement const&, placement const&) = default;

    /// Returns true if the placement is not the identity. Local, O(1).
    [[nodiscard]] bool moves() const noexcept { return *this != placement{}; }
    /// Returns the point of the world that has the coordinates `along` the axes of the grid. Local, O(1).
    [[nodiscard]] std::array<double, 3> to_world(std::array<double, 3> const& along) const noexcept {
        std::array<double, 3> place = origin;
        for (std::size_t d = 0; d < 3; ++d)
            place[d] += matrix[d][0] * along[0] + matrix[d][1] * along[1] + matrix[d][2] * along[2];
        return place;
    }
    /// Returns the determinant of the matrix: below 0 if the axes are mirrored, 0 if they lie in one plane.
    /// Local, O(1).
    [[nodiscard]] double determinant() const noexcept {
        double sum = 0;
        for (std::size_t d = 0; d < 3; ++d)
            sum += matrix[0][d] * (matrix[1][(d + 1) % 3] * matrix[2][(d + 2) % 3] -
                                      matrix[1][(d + 2) % 3] * matrix[2][(d + 1) % 3]);
        return sum;
    }
    /// Returns the inverse, which turns coordinates in the world into coordinates along the axes. Local,
    /// O(1). The determinant must not be 0.
    [[nodiscard]] placement inverse() const noexcept {
        placement back;
        double const all = determinant();
        for (std::size_t row = 0; row < 3; ++row)
            for (std::size_t column = 0; column < 3; ++column)
                back.matrix[column][row] =
                    (matrix[(row + 1) % 3][(column + 1) % 3] * matrix[(row + 2) % 3][(column + 2) % 3] -
                        matrix[(row + 1) % 3][(column + 2) % 3] * matrix[(row + 2) % 3][(column + 1) % 3]) /
                    all;
        for (std::size_t d = 0; d < 3; ++d)
            for (std::size_t e = 0; e < 3; ++e) back.origin[d] -= back.matrix[d][e] * origin[e];
        return back;
    }
    /// Returns true if the placement keeps lengths and angles within a millionth. Local, O(1).
    [[nodiscard]] bool keeps_lengths() const noexcept {
        for (std::size_t a = 0; a < 3; ++a)
            for (std::size_t b = 0; b < 3; ++b) {
                double product = 0;
                for (std::size_t d = 0; d < 3; ++d) product += matrix[d][a] * matrix[d][b];
                if (!(std::abs(product - (a == b ? 1 : 0)) < 1e-6)) return false;
            }
        return true;
    }
};

} // namespace weft
