#include <weft/labelling/label_volume.hpp>

#include <frames/equal_values.hpp>
#include <labelling/block_labels.hpp>

#include <weft/core/error.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <cmath>
#include <new>
#include <string>

namespace weft {

namespace {

template <class T>
constexpr value_type value_type_of() {
    if constexpr (std::is_floating_point_v<T>)
        return sizeof(T) == 4 ? value_type::float32 : value_type::float64;
    else if constexpr (sizeof(T) == 1)
        return std::is_signed_v<T> ? value_type::int8 : value_type::uint8;
    else if constexpr (sizeof(T) == 2)
        return std::is_signed_v<T> ? value_type::int16 : value_type::uint16;
    else if constexpr (sizeof(T) == 4)
        return std::is_signed_v<T> ? value_type::int32 : value_type::uint32;
    else
        return std::is_signed_v<T> ? value_type::int64 : value_type::uint64;
}

/// Returns where the values of each block begin in an array of all values of this rank, and its end.
std::vector<std::size_t> block_begins(regular_grid<std::int64_t> const& grid, communicator const& comm) {
    assignment const where = assignment::contiguous(grid.blocks(), comm.size());
    std::vector<std::size_t> begins{0};
    for (std::int64_t place = 0; place < where.blocks_of(comm.rank()); ++place)
        begins.push_back(begins.back() + static_cast<std::size_t>(
                                             voxels_in(grid.bounds(where.block_at(comm.rank(), place)))));
    return begins;
}

value_print print_of_rule(
    regular_grid<std::int64_t> const& grid, value_type type, volume_label_options const& options) {
    value_print print;
    print.add(static_cast<std::int64_t>(type)).add(std::int64_t{options.corners});
    print.add(std::int64_t{options.edges});
    for (value_bound const& each : {options.threshold, options.below.value_or(0)})
        print.add(each.nearest()).add(each.rest());
    print.add(std::int64_t{options.below.has_value()});
    print.add(std::int64_t{options.missing.has_value()}).add(options.missing.value_or(0));
    for (std::size_t d = 0; d < max_dimensions; ++d)
        print.add(grid.domain().lo[d]).add(grid.domain().hi[d]).add(grid.divisions()[d]);
    return print;
}

/// Writes the labels of a block, x fastest, 0 for background.
void paint(labelled_block const& block, std::int64_t* into) {
    row_runs const& rows = block.rows;
    for (std::size_t row = 0; row < rows.rows(); ++row)
        for (std::size_t run = rows.first[row]; run < rows.first[row + 1]; ++run) {
            std::int64_t* const begin = into + row * static_cast<std::size_t>(rows.width());
            std::fill(begin + rows.runs[run].begin, begin + rows.runs[run].end, block.whole.number_of(run));
        }
}

volume_labels label_bytes(communicator const& comm, regular_grid<std::int64_t> const& grid,
    std::span<std::byte const> mine, value_type type, volume_label_options const& options) {
    std::vector<std::size_t> begins;
    std::size_t const each = size_of(type);
    std::exception_ptr const failure = detail::failure_in([&] {
        check_voxel_grid(grid);
        if (std::isnan(options.threshold.nearest()))
            throw usage_error("label_volume: expected a threshold that is a number, found nan");
        begins = block_begins(grid, comm);
        if (mine.size() != begins.back() * each)
            throw usage_error("label_volume: expected the " + std::to_string(begins.back()) +
                              " values of the blocks of rank " + std::to_string(comm.rank()) + ", found " +
                              std::to_string(mine.size() / each));
    });
    (void)agree_on("label_volume", comm, failure, print_of_rule(grid, type, options),
        "have different grids, types or options");
    volume_labels made;
    foreground_rule const rule{options.threshold, options.missing, options.below};
    std::size_t next = 0;
    block_set<labelled_block> blocks(comm, grid, [&](block_id id) {
        labelled_block block;
        std::size_t const bytes = (begins[next + 1] - begins[next]) * each;
        block.rows = find_runs(mine.subspan(begins[next++] * each, bytes), type, grid.bounds(id), rule);
        made.foreground += voxels_of(block.rows);
        return block;
    });
    made.foreground = sum(comm, made.foreground);
    label_summary const found =
        label_blocks(blocks, grid, {.neighbors = {.corners = options.corners, .edges = options.edges}});
    made.components = found.components;
    made.largest = found.largest;
    agreed(comm, [&] { made.labels.resize(begins.back()); });
    next = 0;
    blocks.for_each(
        [&](labelled_block& block, block_id) { paint(block, made.labels.data() + begins[next++]); });
    return made;
}

} // namespace

template <class T>
volume_labels label_volume(communicator const& comm, regular_grid<std::int64_t> const& grid,
    std::span<T const> mine, volume_label_options const& options) try {
    return label_bytes(comm, grid, std::as_bytes(mine), value_type_of<T>(), options);
} catch (std::bad_alloc const&) {
    alone_unless_agreed("label_volume");
    throw;
}

#define WEFT_LABEL(T)                                                                                        \
    template volume_labels label_volume(communicator const&, regular_grid<std::int64_t> const&,              \
        std::span<T const>, volume_label_options const&);
WEFT_LABEL(std::int8_t)
WEFT_LABEL(std::uint8_t)
WEFT_LABEL(std::int16_t)
WEFT_LABEL(std::uint16_t)
WEFT_LABEL(std::int32_t)
WEFT_LABEL(std::uint32_t)
WEFT_LABEL(std::int64_t)
WEFT_LABEL(std::uint64_t)
WEFT_LABEL(float)
WEFT_LABEL(double)
#undef WEFT_LABEL

} // namespace weft
