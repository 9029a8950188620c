/// Stacks in ImageJ's format for more than 4 GB. Private.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace weft_test {

/// Returns a TIFF file with one directory, followed by two planes of 3 x 2 values of 16 bits.
inline std::string imagej_stack(std::vector<std::uint16_t> const& values) {
    constexpr std::uint32_t behind_directory = 134;
    constexpr std::uint32_t first_plane = 168;
    std::string text = "ImageJ=1.53\nimages=2\nslices=2\n";
    text += '\0';
    std::string out = "II*";
    auto const put = [&](std::uint32_t value, int bytes) {
        for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> 8 * i);
    };
    put(0, 1);
    put(8, 4);
    auto const length = static_cast<std::uint32_t>(text.size());
    std::vector<std::array<std::uint32_t, 4>> const tags{{256, 3, 1, 3}, {257, 3, 1, 2}, {258, 3, 1, 16},
        {259, 3, 1, 1}, {262, 3, 1, 1}, {270, 2, length, behind_directory}, {273, 4, 1, first_plane},
        {277, 3, 1, 1}, {278, 3, 1, 2}, {279, 4, 1, 12}};
    put(static_cast<std::uint32_t>(tags.size()), 2);
    for (auto const& each : tags) {
        put(each[0], 2);
        put(each[1], 2);
        put(each[2], 4);
        put(each[3], 4);
    }
    put(0, 4);
    out += text;
    out.resize(first_plane);
    for (std::uint16_t const each : values) put(each, 2);
    return out;
}

} // namespace weft_test
