/// Volumes of Python. Private.
#pragma once

#include "call.hpp"
#include "volume_files.hpp"

#include <grids/views/memory_grid.hpp>
#include <weft/core/value_bound.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weft::python {

/// A number of Python as values are compared with it: whole ones of 64 bits exactly.
[[nodiscard]] value_bound bound_of(nb::handle number);

/// A volume as Python gives it: where the first value of each step lies, and how far it is to the next one;
/// or files.
struct volume_input {
    /// Of files that are open, one a step, with their own shape.
    [[nodiscard]] static volume_input of_files(
        std::vector<std::shared_ptr<volume_file>> files, std::optional<double> missing);

    std::vector<std::uintptr_t> steps;
    nb::object owner; ///< of the values
    std::string type;
    std::array<std::int64_t, 3> points{};
    int components = 1;
    std::array<std::int64_t, 3> strides{}; ///< bytes along x, y and z
    std::int64_t component_stride = 0;
    bool swapped = false; ///< in the other order of bytes
    std::array<std::vector<double>, 3> axes;
    std::optional<double> missing;
    std::vector<std::shared_ptr<volume_file>> files = {}; ///< in place of steps in memory

    /// Reads boxes where they are. The values live as long as this does.
    [[nodiscard]] std::unique_ptr<grid_source> source(std::size_t step = 0) const;
    /// True if the values lie one after the other, x fastest, as this machine writes them.
    [[nodiscard]] bool is_plain() const;
    [[nodiscard]] grid_shape shape() const;
};

} // namespace weft::python
