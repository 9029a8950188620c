#include <grids/formats/nrrd_grid.hpp>

#include <files/file_handle.hpp>
#include <grids/formats/raw_grid.hpp>
#include <grids/values/grid_memory.hpp>
#include <grids/values/text_cursor.hpp>
#include <grids/values/text_values.hpp>
#include <grids/values/value_reader.hpp>
#include <grids/views/memory_grid.hpp>

#include <weft/core/error.hpp>

#include <teem/nrrd.h>

#include <cmath>
#include <cstdlib>
#include <utility>

namespace weft {

namespace {

value_type type_of_nrrd(int type, std::string const& file) {
    constexpr std::pair<int, value_type> types[] = {{nrrdTypeChar, value_type::int8},
        {nrrdTypeUChar, value_type::uint8}, {nrrdTypeShort, value_type::int16},
        {nrrdTypeUShort, value_type::uint16}, {nrrdTypeInt, value_type::int32},
        {nrrdTypeUInt, value_type::uint32}, {nrrdTypeLLong, value_type::int64},
        {nrrdTypeULLong, value_type::uint64}, {nrrdTypeFloat, value_type::float32},
        {nrrdTypeDouble, value_type::float64}};
    for (auto const& [theirs, ours] : types)
        if (theirs == type) return ours;
    throw io_error(file + ": cannot use values of type " + airEnumStr(nrrdType, type));
}

/// Returns the step along an axis and the place of its first point, for axes without a space: 1 and 0 unless
/// given.
std::pair<double, double> line_of(NrrdAxisInfo const& info) {
    bool const has_ends = std::isfinite(info.min) && std::isfinite(info.max) && info.max != info.min;
    bool const of_cells = info.center == nrrdCenterCell; // the ends are those of cells around the points
    double step = 1;
    if (std::isfinite(info.spacing) && info.spacing != 0)
        step = info.spacing;
    else if (has_ends && (of_cells || info.size > 1))
        step = (info.max - info.min) / static_cast<double>(of_cells ? info.size : info.size - 1);
    double const start = std::isfinite(info.min) ? info.min : 0;
    return {step, std::isfinite(info.min) && of_cells ? start + step / 2 : start};
}

std::array<double, 3> across(std::array<double, 3> const& a, std::array<double, 3> const& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

bool has_directions(Nrrd const& data, unsigned first) {
    for (unsigned axis = first; axis < data.dim; ++axis)
        for (unsigned d = 0; d < data.spaceDim; ++d)
            if (std::isfinite(data.axis[axis].spaceDirection[d])) return true;
    return false;
}

/// Places a grid by the directions of its axes in a space; axes without a direction, and absent ones, are
/// orthogonal to the others.
void place_in_space(Nrrd const& data, unsigned first, grid_shape& shape, std::string const& file) {
    if (data.spaceDim > 3)
        throw io_error(file + ": lies in a space of " + std::to_string(data.spaceDim) +
                       " dimensions; expected up to three");
    std::array<double, 3> origin{};
    std::array<std::array<double, 3>, 3> steps{};
    std::array<bool, 3> known{};
    for (unsigned axis = first; axis < data.dim; ++axis)
        for (unsigned d = 0; d < data.spaceDim; ++d) {
            double const each = data.axis[axis].spaceDirection[d];
            known[axis - first] = known[axis - first] || std::isfinite(each);
            steps[axis - first][d] = std::isfinite(each) ? each : 0;
        }
    for (unsigned d = 0; d < data.spaceDim; ++d)
        if (std::isfinite(data.spaceOrigin[d])) origin[d] = data.spaceOrigin[d];
    if (known == std::array{true, true, false}) {
        steps[2] = across(steps[0], steps[1]);
        double const length = std::hypot(steps[2][0], steps[2][1], steps[2][2]);
        for (double& each : steps[2]) each /= length > 0 ? length : 1;
    } else if (known != std::array{true, true, true}) {
        throw io_error(file + ": has no 'space directions' for some of its axes, and " +
                       std::to_string(data.dim - first) + " of them");
    }
    shape.space = data.space == nrrdSpaceUnknown ? "" : airEnumStr(nrrdSpace, data.space);
    place_points(shape, origin, steps, file);
}

/// Refuses vectors that are measured along other directions than those of the space.
void check_measurement_frame(Nrrd const& data, std::string const& file) {
    for (unsigned d = 0; d < data.spaceDim && d < 3; ++d)
        for (unsigned e = 0; e < data.spaceDim && e < 3; ++e) {
            double const each = data.measurementFrame[d][e];
            if (std::isfinite(each) && each != (d == e ? 1 : 0))
                throw io_error(file +
                               ": has vectors in a 'measurement frame' that is turned against its space; "
                               "write them along the axes of the space");
        }
}

void place(Nrrd const& data, unsigned first, grid_shape& shape, std::string const& file) {
    if (shape.components > 1) check_measurement_frame(data, file);
    if (data.spaceDim > 0 && has_directions(data, first)) {
        place_in_space(data, first, shape, file);
        return;
    }
    number_axes(shape);
    for (unsigned axis = first; axis < data.dim; ++axis) {
        auto const [step, start] = line_of(data.axis[axis]);
        for (double& each : shape.axes[axis - first]) each = start + each * step;
        if (char const* const units = data.axis[axis].units) shape.axis_units[axis - first] = units;
    }
}

/// Checks a head for two errors that teem does not detect: lines of more than 2 KB, which overflow its
/// buffers, and a truncated last number. Returns the offset after the empty line that ends the head.
std::int64_t check_head(std::filesystem::path const& file) {
    text_cursor in(file);
    bool is_text = false;
    for (bool more = true; more;) {
        std::int64_t const line = in.line();
        std::string const text = in.rest_of_line();
        if (in.line() == line) break; // last line: the values are in another file, or missing
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
    std::int64_t const behind = in.offset();
    char last = '\n';
    if (is_text && in.file().size() > 0) (void)in.file().read(&last, 1, in.file().size() - 1);
    if (last >= '0' && last <= '9')
        throw io_error(file.string() +
                       ": cannot read: it ends right behind a value, which may be cut short; copy it again");
    return behind;
}

using io_state = std::unique_ptr<NrrdIoState, NrrdIoState* (*)(NrrdIoState*)>;

/// Reads all, or only the head without allocating. Returns the state, with the names of files of values.
io_state load(Nrrd& data, std::filesystem::path const& file, bool head_alone) {
    io_state state(nrrdIoStateNew(), nrrdIoStateNix);
    nrrdIoStateSet(state.get(), nrrdIoStateSkipData, head_alone ? 1 : 0);
    if (nrrdLoad(&data, file.c_str(), state.get()) != 0) {
        std::unique_ptr<char, void (*)(void*)> const cause(biffGetDone(NRRD), std::free);
        std::string text = cause.get();
        // The last line has the first cause.
        while (!text.empty() && text.back() == '\n') text.pop_back();
        text.erase(0, text.rfind('\n') + 1);
        text.erase(0, text.find(": ") + 2); // removes the name of a function
        throw io_error(file.string() + ": cannot read: " + text);
    }
    return state;
}

std::unique_ptr<grid_source> grid_of(std::unique_ptr<value_reader> values, grid_shape const& shape) {
    std::vector<grid_piece> whole;
    whole.push_back({points_of(shape), std::move(values)});
    return grid_of_pieces(shape, std::move(whole));
}

/// Opens values in one file: raw, as text, or compressed by gzip or bzip2; null for other kinds.
std::unique_ptr<grid_source> values_in_boxes(NrrdIoState const& state, std::filesystem::path const& file,
    std::int64_t behind_head, grid_shape const& shape) {
    bool const as_text = state.encoding == nrrdEncodingAscii;
    bool const by_gzip = state.encoding == nrrdEncodingGzip;
    bool const by_bzip2 = state.encoding == nrrdEncodingBzip2;
    bool const raw = state.encoding == nrrdEncodingRaw;
    unsigned const files = state.dataFNArr->len;
    bool const at_end = state.byteSkip < 0;
    if (!(raw || as_text || by_gzip || by_bzip2) || state.lineSkip != 0 || state.dataFNFormat != nullptr ||
        files > 1 || (at_end && !raw))
        return nullptr;
    std::filesystem::path values = file;
    std::int64_t first = behind_head;
    if (files == 1) {
        values = file.parent_path() / state.dataFN[0]; // an absolute name replaces the folder
        first = 0;
    }
    auto const bytes = static_cast<std::int64_t>(bytes_of(shape, points_of(shape)));
    std::int64_t const size = file_handle::open_to_read(values).size();
    std::int64_t const skipped = at_end ? 0 : static_cast<std::int64_t>(state.byteSkip);
    constexpr std::int64_t most_that_gzip_saves = 1032;
    constexpr std::int64_t most_that_bzip2_saves = std::int64_t{1} << 21; // a file of zeros: 45,899,236 to 1
    std::int64_t const values_bytes = static_cast<std::int64_t>(size_of(shape.type));
    bool const is_short = raw       ? bytes > size - first - skipped
                          : as_text ? bytes / values_bytes * 2 > size - first - skipped + 1
                                    : bytes / (by_gzip ? most_that_gzip_saves : most_that_bzip2_saves) > size;
    if (is_short)
        throw io_error(file.string() + ": cannot read: " + values.filename().string() + " ends before its " +
                       std::to_string(bytes) + " bytes of values");
    bool const swapped = size_of(shape.type) > 1 && state.endian != airMyEndian();
    if (by_gzip) return values_in_gzip(gzip_stream(values, first), shape, skipped, swapped, true);
    if (raw) return values_in_file(values, shape, at_end ? size - bytes : first + skipped, swapped);
    if (as_text) {
        text_place const start{first + skipped, line_of_byte(values, first + skipped)};
        return grid_of(
            values_in_text(text_cursor(values, word_ends::commas), {start}, shape.type, name_of(shape.type)),
            shape);
    }
    return grid_of(
        values_of_bytes(bytes_in_bzip2(values, first, skipped), size_of(shape.type), swapped), shape);
}

} // namespace

std::unique_ptr<grid_source> open_nrrd_grid(std::filesystem::path const& file, grid_file_options const&) {
    std::int64_t const behind_head = check_head(file);
    nrrdStateVerboseIO = 0; // else teem prints a warning about bytes after the values
    std::shared_ptr<Nrrd> const data(nrrdNew(), nrrdNuke);
    io_state const state = load(*data, file, true);
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
    place(*data, first, shape, file.string());
    if (auto found = values_in_boxes(*state, file, behind_head, shape)) return found;
    check_memory(file.string(), static_cast<std::int64_t>(bytes_of(shape, points_of(shape))), "its values");
    (void)load(*data, file, false);
    std::span const bytes(static_cast<std::byte const*>(data->data), bytes_of(shape, points_of(shape)));
    return grid_in_memory(std::move(shape), bytes, data);
}

} // namespace weft
