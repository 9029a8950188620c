#include <grids/formats/array_indices.hpp>

#include <grids/values/grid_memory.hpp>

#include <weft/core/error.hpp>

namespace weft {

array_indices indices_of(std::span<std::int64_t const> lengths, grid_file_options const& options,
    std::string const& where, grid_shape& shape) {
    std::string text;
    for (std::int64_t const each : lengths) text += (text.empty() ? "" : " x ") + std::to_string(each);
    array_indices found;
    found.has_step = options.step >= 0;
    found.has_components = options.vectors;
    std::size_t const others = (found.has_step ? 1U : 0U) + (found.has_components ? 1U : 0U);
    if (lengths.size() <= others || lengths.size() > others + 3)
        throw usage_error(where + ": is an array of " + (text.empty() ? "no indices" : text) + "; expected " +
                          (found.has_step ? "an index of time steps, then " : "") +
                          "up to three indices, z, y and x" +
                          (found.has_components ? ", then one of two or three components" : "") +
                          (lengths.size() == others + 4 && !found.has_step
                                  ? "; if the first index counts time steps, choose one with `step`"
                                  : ""));
    found.in_space = lengths.size() - others;
    if (found.has_step && options.step >= lengths[0])
        throw usage_error(where + ": has " + std::to_string(lengths[0]) +
                          " steps, counted from 0; there is no " + std::to_string(options.step));
    if (found.has_step) shape.steps = lengths[0];
    if (found.has_components) {
        if (lengths.back() != 2 && lengths.back() != 3)
            throw usage_error(where + ": is an array of " + text +
                              "; the last index of a field of vectors is that of two or three components");
        shape.components = static_cast<int>(lengths.back());
    }
    for (std::size_t d = 0; d < found.in_space; ++d) shape.points[d] = lengths[found.of_axis(d)];
    check_shape(where, shape);
    number_axes(shape);
    return found;
}

} // namespace weft
