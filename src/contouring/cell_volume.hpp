/// Volumes of cells. Private.
#pragma once

#include <contouring/case_table.hpp>

#include <array>
#include <cstddef>

namespace weft::contouring {

/// Returns the volume between the faces of a cell, negative if it is turned inside out. A face of four
/// corners is cut from its first corner. `place(c)`: the place of corner c.
template <class Place>
[[nodiscard]] double volume_of(cell_table const& table, Place&& place) noexcept {
    std::array<double, 3> const origin = place(0);
    auto const six_times = [&](std::size_t a, std::size_t b, std::size_t c) {
        std::array<double, 3> side[3] = {place(a), place(b), place(c)};
        for (auto& each : side)
            for (std::size_t d = 0; d < 3; ++d) each[d] -= origin[d];
        double sum = 0;
        for (std::size_t d = 0; d < 3; ++d)
            sum += side[0][d] * (side[1][(d + 1) % 3] * side[2][(d + 2) % 3] -
                                    side[1][(d + 2) % 3] * side[2][(d + 1) % 3]);
        return sum;
    };
    double volume = 0;
    for (auto const& face : table.faces) {
        volume += six_times(face[0], face[1], face[2]);
        if (face[3] != face[0]) volume += six_times(face[0], face[2], face[3]);
    }
    return volume / 6;
}

} // namespace weft::contouring
