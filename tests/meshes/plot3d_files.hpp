/// Grids and solutions of PLOT3D in all variants. Private.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace weft_test {

/// The format in which a program wrote its files of PLOT3D.
struct plot3d_writer {
    bool swapped = false;
    bool records = false;
    bool counted = false;
    bool doubles = false;
    bool blanked = false;

    template <class T>
    void put(std::string& into, T value) const {
        char bytes[sizeof(T)];
        std::memcpy(bytes, &value, sizeof(T));
        if (swapped) std::reverse(bytes, bytes + sizeof(T));
        into.append(bytes, sizeof(T));
    }
    void real(std::string& into, double value) const {
        doubles ? put(into, value) : put(into, static_cast<float>(value));
    }
    void close(std::string& into, std::string const& record) const {
        if (records) put(into, static_cast<std::int32_t>(record.size()));
        into += record;
        if (records) put(into, static_cast<std::int32_t>(record.size()));
    }
    [[nodiscard]] std::string head(std::vector<std::array<int, 3>> const& blocks) const {
        std::string made;
        std::string numbers;
        put(numbers, static_cast<std::int32_t>(blocks.size()));
        if (counted) close(made, numbers);
        numbers.clear();
        for (auto const& block : blocks)
            for (int const each : block) put(numbers, static_cast<std::int32_t>(each));
        close(made, numbers);
        return made;
    }
};

/// Returns cubes of side 1; the blocks follow each other along x.
inline std::string plot3d_grid(plot3d_writer const& how, std::vector<std::array<int, 3>> const& blocks,
    int blank = -1, double first = 0) {
    std::string made = how.head(blocks);
    for (std::size_t block = 0; block < blocks.size(); ++block) {
        auto const& n = blocks[block];
        std::string record;
        for (int axis = 0; axis < 3; ++axis)
            for (int k = 0; k < n[2]; ++k)
                for (int j = 0; j < n[1]; ++j)
                    for (int i = 0; i < n[0]; ++i)
                        how.real(record,
                            axis == 0 ? first + i + 100.0 * static_cast<double>(block) : (axis == 1 ? j : k));
        for (int point = 0; how.blanked && point < n[0] * n[1] * n[2]; ++point)
            how.put(record, static_cast<std::int32_t>(point == blank ? 0 : 1));
        how.close(made, record);
    }
    return made;
}

/// Returns a solution whose density is z, energy x, and momentum y, 1, 2.
inline std::string plot3d_solution(plot3d_writer const& how, std::vector<std::array<int, 3>> const& blocks) {
    std::string made = how.head(blocks);
    for (auto const& n : blocks) {
        std::string record;
        for (int i = 0; i < 4; ++i) how.real(record, i);
        how.close(made, record);
        record.clear();
        for (int array = 0; array < 5; ++array)
            for (int k = 0; k < n[2]; ++k)
                for (int j = 0; j < n[1]; ++j)
                    for (int i = 0; i < n[0]; ++i)
                        how.real(record, std::array<double, 5>{0.0 + k, 0.0 + j, 1, 2,
                                             0.0 + i}[static_cast<std::size_t>(array)]);
        how.close(made, record);
    }
    return made;
}

} // namespace weft_test
