/// Volumes of Python. Private.
#pragma once

#include "call.hpp"

#include <grids/views/memory_grid.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weft::python {

/// A volume as Python gives it: bytes of one array for each step, x fastest.
struct volume_input {
    std::vector<input_bytes> steps;
    std::string type;
    std::array<std::int64_t, 3> points{};
    int components = 1;
    std::array<std::vector<double>, 3> axes;
    std::optional<double> missing;

    /// The bytes live as long as this does.
    [[nodiscard]] std::unique_ptr<grid_source> source(std::size_t step = 0) const {
        grid_shape shape;
        shape.points = points;
        shape.type = value_type_named(type);
        shape.components = components;
        shape.missing = missing;
        number_axes(shape);
        for (std::size_t d = 0; d < 3; ++d)
            if (!axes[d].empty()) shape.axes[d] = axes[d];
        return grid_in_memory(std::move(shape), bytes_of(steps.at(step)), nullptr);
    }
};

} // namespace weft::python
