#include <weft/grids/grid_file.hpp>

#include <core/number_text.hpp>
#include <grids/grid_source.hpp>
#include <grids/images/image_stack.hpp>

#include <weft/core/error.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/protocol/agreement.hpp>

#include <cmath>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

namespace weft {

namespace {

/// Returns true if the type T can represent `value`.
template <class T, class From>
bool holds(From value) noexcept {
    if constexpr (std::is_integral_v<From>) {
        return std::in_range<T>(value);
    } else { // NaN fails both comparisons
        From const beyond = std::ldexp(From{1}, std::numeric_limits<T>::digits);
        From const least = std::is_signed_v<T> ? -beyond : From{0};
        return value >= least && value < beyond && value == std::trunc(value);
    }
}

template <class From>
std::string text_of(From value) {
    if constexpr (std::is_integral_v<From>)
        return std::to_string(value);
    else
        return number_text(value);
}

template <class T, class From>
T converted(From value, std::string const& file, value_type type) {
    if constexpr (std::is_integral_v<T>)
        if (!holds<T>(value))
            throw usage_error(file + ": has the value " + text_of(value) + ", which " +
                              (std::is_signed_v<T> ? "a signed" : "an unsigned") + " integer of " +
                              std::to_string(8 * sizeof(T)) + " bits cannot hold; read it as " +
                              name_of(type) + ", or as double");
    return static_cast<T>(value);
}

/// Returns the number of values in a box. Throws: `usage_error` if the box is not within the grid.
std::size_t values_in(box<std::int64_t> const& points, grid_shape const& shape, std::string const& file) {
    bool good = points.dimensions == 3;
    for (std::size_t d = 0; d < 3; ++d)
        good = good && 0 <= points.lo[d] && points.lo[d] <= points.hi[d] && points.hi[d] <= shape.points[d];
    if (good) return bytes_of(shape, points) / size_of(shape.type);
    std::string of_box, of_all;
    for (std::size_t d = 0; d < 3; ++d) {
        of_box += (d > 0 ? ", " : "") + std::to_string(points.lo[d]) + ".." + std::to_string(points.hi[d]);
        of_all += (d > 0 ? " x " : "") + std::to_string(shape.points[d]);
    }
    throw usage_error(file + ": expected a box of three dimensions within its " + of_all +
                      " points, found one of " + std::to_string(points.dimensions) + ": " + of_box);
}

template <class T>
void read_values(
    grid_source& from, std::string const& file, box<std::int64_t> const& points, std::span<T> into) {
    value_type const type = from.shape().type;
    visit_values(type, {}, [&]<class From>(std::span<From const>) {
        if constexpr (std::is_same_v<From, T>) {
            from.read(points, std::as_writable_bytes(into));
        } else {
            std::vector<From> stored(into.size());
            from.read(points, std::as_writable_bytes(std::span(stored)));
            for (std::size_t i = 0; i < stored.size(); ++i) into[i] = converted<T>(stored[i], file, type);
        }
    });
}

void name_options(gate& call, grid_file_options const& options) {
    call.same("dims[0]", options.dims[0]).same("dims[1]", options.dims[1]).same("dims[2]", options.dims[2]);
    call.same("type", options.type ? static_cast<int>(*options.type) : -1);
    call.same("byte_order", options.byte_order ? static_cast<int>(*options.byte_order) : -1);
    call.same("header_bytes", options.header_bytes).same("components", options.components);
    call.same("vectors", options.vectors).same("variable", options.variable).same("step", options.step);
    call.same("channel", options.channel).same("each_once", options.each_once);
}

void check_type(grid_file_options const& options) {
    if (options.type && *options.type > value_type::float64)
        throw usage_error(
            "grid_file: type " + std::to_string(static_cast<int>(*options.type)) + " does not exist");
}

} // namespace

grid_file::grid_file(communicator const& comm, std::string const& file, grid_file_options const& options) try
    : comm_(comm), name_(file) {
    gate call(comm_, "grid_file");
    call.same("the file", file);
    name_options(call, options);
    agreed(call, [&] {
        check_type(options);
        source_ = detail::owned<grid_source>(open_grid(file, options).release());
    });
} catch (std::bad_alloc const&) {
    alone_unless_agreed("grid_file");
    throw;
}

grid_file::grid_file(
    communicator const& comm, std::vector<std::string> const& images, grid_file_options const& options) try
    : comm_(comm) {
    gate call(comm_, "grid_file");
    call.same("the number of images", images.size());
    name_options(call, options);
    agreed(call, [&] {
        check_type(options);
        auto source = open_image_stack({images.begin(), images.end()}, options);
        name_ = images.front() + " and those behind it";
        source_ = detail::owned<grid_source>(source.release());
    });
} catch (std::bad_alloc const&) {
    alone_unless_agreed("grid_file");
    throw;
}

grid_shape const& grid_file::shape() const noexcept {
    return source_->shape();
}

template <class T>
std::vector<T> grid_file::read(std::span<box<std::int64_t> const> mine) {
    gate call(comm_, "grid_file::read");
    std::vector<T> values;
    agreed(call, [&] {
        std::vector<std::size_t> ends{0};
        for (auto const& each : mine) ends.push_back(ends.back() + values_in(each, shape(), name_));
        values.resize(ends.back());
        for (std::size_t i = 0; i < mine.size(); ++i)
            read_values(*source_, name_, mine[i], std::span(values).subspan(ends[i], ends[i + 1] - ends[i]));
    });
    return values;
}

template <class T>
void grid_file::read_here(box<std::int64_t> const& points, std::span<T> into) {
    std::size_t const count = values_in(points, shape(), name_);
    if (into.size() != count)
        throw usage_error(name_ + ": expected a place for each of the " + std::to_string(count) +
                          " values of a box, found " + std::to_string(into.size()));
    read_values(*source_, name_, points, into);
}

#define WEFT_GRID_FILE(T)                                                                                    \
    template std::vector<T> grid_file::read(std::span<box<std::int64_t> const>);                             \
    template void grid_file::read_here(box<std::int64_t> const&, std::span<T>);
WEFT_GRID_FILE(std::int8_t)
WEFT_GRID_FILE(std::uint8_t)
WEFT_GRID_FILE(std::int16_t)
WEFT_GRID_FILE(std::uint16_t)
WEFT_GRID_FILE(std::int32_t)
WEFT_GRID_FILE(std::uint32_t)
WEFT_GRID_FILE(std::int64_t)
WEFT_GRID_FILE(std::uint64_t)
WEFT_GRID_FILE(float)
WEFT_GRID_FILE(double)
#undef WEFT_GRID_FILE

} // namespace weft
