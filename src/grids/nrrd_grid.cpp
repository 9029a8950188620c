#include <grids/nrrd_grid.hpp>

#include <grids/memory_grid.hpp>

#include <weft/core/error.hpp>

#include <teem/nrrd.h>

#include <cmath>
#include <cstdlib>
#include <utility>

namespace weft {

namespace {

value_type type_of_nrrd(int type, std::string const& file) {
    switch (type) {
    case nrrdTypeChar:
        return value_type::int8;
    case nrrdTypeUChar:
        return value_type::uint8;
    case nrrdTypeShort:
        return value_type::int16;
    case nrrdTypeUShort:
        return value_type::uint16;
    case nrrdTypeInt:
        return value_type::int32;
    case nrrdTypeUInt:
        return value_type::uint32;
    case nrrdTypeFloat:
        return value_type::float32;
    case nrrdTypeDouble:
        return value_type::float64;
    default:
        throw io_error(file + ": cannot use values of type " + airEnumStr(nrrdType, type));
    }
}

/// Where an axis starts and how far its points are apart; 0 and 1 where the file does not say, or its axes
/// are oblique.
std::pair<double, double> line_of(Nrrd const& data, unsigned axis, unsigned of_space) {
    NrrdAxisInfo const& info = data.axis[axis];
    if (std::isfinite(info.spacing) && info.spacing > 0)
        return {std::isfinite(info.min) ? info.min : 0, info.spacing};
    if (data.spaceDim == 0 || of_space >= data.spaceDim) return {0, 1};
    for (unsigned d = 0; d < data.spaceDim; ++d)
        if (d != of_space && info.spaceDirection[d] != 0) return {0, 1};
    double const step = info.spaceDirection[of_space];
    double const origin = data.spaceOrigin[of_space];
    if (!(std::isfinite(step) && step > 0)) return {0, 1};
    return {std::isfinite(origin) ? origin : 0, step};
}

} // namespace

std::unique_ptr<grid_source> open_nrrd_grid(std::filesystem::path const& file) {
    std::shared_ptr<Nrrd> const data(nrrdNew(), nrrdNuke);
    if (nrrdLoad(data.get(), file.c_str(), nullptr) != 0) {
        std::unique_ptr<char, void (*)(void*)> const cause(biffGetDone(NRRD), std::free);
        std::string text = cause.get();
        // The last line is the first cause.
        while (!text.empty() && text.back() == '\n') text.pop_back();
        text.erase(0, text.rfind('\n') + 1);
        text.erase(0, text.find(": ") + 2); // the name of a function
        throw io_error(file.string() + ": cannot read: " + text);
    }
    grid_shape shape;
    shape.type = type_of_nrrd(data->type, file.string());
    bool const has_components =
        data->dim == 4 || (data->axis[0].kind != nrrdKindUnknown && !nrrdKindIsDomain(data->axis[0].kind));
    unsigned const first = has_components ? 1 : 0;
    if (data->dim < first + 1 || data->dim > first + 3)
        throw io_error(file.string() + ": has " + std::to_string(data->dim) +
                       " dimensions; up to three, and one of components, can be read");
    if (has_components) shape.components = static_cast<int>(data->axis[0].size);
    for (unsigned axis = first; axis < data->dim; ++axis)
        shape.points[axis - first] = static_cast<std::int64_t>(data->axis[axis].size);
    number_axes(shape);
    for (unsigned axis = first; axis < data->dim; ++axis) {
        auto const [start, step] = line_of(*data, axis, axis - first);
        for (double& each : shape.axes[axis - first]) each = start + each * step;
    }
    std::span const bytes(static_cast<std::byte const*>(data->data), bytes_of(shape, points_of(shape)));
    return grid_in_memory(std::move(shape), bytes, data);
}

} // namespace weft
