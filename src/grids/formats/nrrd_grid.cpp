#include <grids/formats/nrrd_grid.hpp>

#include <grids/values/grid_memory.hpp>
#include <grids/values/text_cursor.hpp>
#include <grids/views/memory_grid.hpp>

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
    case nrrdTypeLLong:
        return value_type::int64;
    case nrrdTypeULLong:
        return value_type::uint64;
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

/// teem copies lines of the head into buffers of 2 KB without counting, and takes a last number that is cut
/// short; both are found here before it is called.
void check_head(std::filesystem::path const& file) {
    text_cursor in(file);
    bool is_text = false;
    for (bool more = true; more;) {
        std::int64_t const line = in.line();
        std::string const text = in.rest_of_line();
        if (in.line() == line) break; // the last line: values beside it, or none
        if (line == 1 && !text.starts_with("NRRD"))
            throw io_error(file.string() + ": cannot read: it does not begin with NRRD");
        if (text.size() > 1000)
            throw io_error(file.string() + ":" + std::to_string(line) +
                           ": cannot read: expected a line of at most 1000 characters in the head, found " +
                           std::to_string(text.size()));
        for (char const* const encoding : {"encoding: ascii", "encoding: text", "encoding: txt"})
            is_text = is_text || text == encoding;
        more = !text.empty();
    }
    char last = '\n';
    if (is_text && in.file().size() > 0) (void)in.file().read(&last, 1, in.file().size() - 1);
    if (last >= '0' && last <= '9')
        throw io_error(file.string() +
                       ": cannot read: it ends right behind a value, which may be cut short; copy it again");
}

/// Reads all, or the head alone, which allocates nothing.
void load(Nrrd& data, std::filesystem::path const& file, bool head_alone) {
    std::unique_ptr<NrrdIoState, NrrdIoState* (*)(NrrdIoState*)> const state(
        nrrdIoStateNew(), nrrdIoStateNix);
    nrrdIoStateSet(state.get(), nrrdIoStateSkipData, head_alone ? 1 : 0);
    if (nrrdLoad(&data, file.c_str(), state.get()) != 0) {
        std::unique_ptr<char, void (*)(void*)> const cause(biffGetDone(NRRD), std::free);
        std::string text = cause.get();
        // The last line is the first cause.
        while (!text.empty() && text.back() == '\n') text.pop_back();
        text.erase(0, text.rfind('\n') + 1);
        text.erase(0, text.find(": ") + 2); // the name of a function
        throw io_error(file.string() + ": cannot read: " + text);
    }
}

} // namespace

std::unique_ptr<grid_source> open_nrrd_grid(std::filesystem::path const& file) {
    check_head(file);
    nrrdStateVerboseIO = 0; // else teem prints a warning of bytes behind the values
    std::shared_ptr<Nrrd> const data(nrrdNew(), nrrdNuke);
    load(*data, file, true);
    grid_shape shape;
    shape.type = type_of_nrrd(data->type, file.string());
    bool const has_components =
        data->dim == 4 || (data->axis[0].kind != nrrdKindUnknown && !nrrdKindIsDomain(data->axis[0].kind));
    unsigned const first = has_components ? 1 : 0;
    if (data->dim < first + 1 || data->dim > first + 3)
        throw io_error(file.string() + ": has " + std::to_string(data->dim) +
                       " dimensions; up to three, and one of components, can be read");
    if (has_components) {
        if (data->axis[0].size > 1 << 20)
            throw io_error(file.string() + ": has " + std::to_string(data->axis[0].size) + " values a point");
        shape.components = static_cast<int>(data->axis[0].size);
    }
    for (unsigned axis = first; axis < data->dim; ++axis)
        shape.points[axis - first] = static_cast<std::int64_t>(data->axis[axis].size);
    check_shape(file.string(), shape);
    check_memory(file.string(), static_cast<std::int64_t>(bytes_of(shape, points_of(shape))), "its values");
    load(*data, file, false);
    number_axes(shape);
    for (unsigned axis = first; axis < data->dim; ++axis) {
        auto const [start, step] = line_of(*data, axis, axis - first);
        for (double& each : shape.axes[axis - first]) each = start + each * step;
    }
    std::span const bytes(static_cast<std::byte const*>(data->data), bytes_of(shape, points_of(shape)));
    return grid_in_memory(std::move(shape), bytes, data);
}

} // namespace weft
