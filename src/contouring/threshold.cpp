#include <collective/exact_sum.hpp>
#include <contouring/assemble.hpp>
#include <contouring/cell_volume.hpp>
#include <contouring/laps.hpp>
#include <contouring/value_range.hpp>

#include <weft/contouring/threshold.hpp>
#include <weft/core/error.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/frames/block_to_block.hpp>
#include <weft/frames/block_to_part.hpp>
#include <weft/frames/part_to_block.hpp>
#include <weft/frames/ragged.hpp>
#include <weft/graph/components.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <utility>
#include <vector>

namespace weft {

namespace {

using contouring::check_range;
using contouring::print_of;
using contouring::value_range;
using contouring::volume_of;

/// The kept cells of this rank, in the order of their ids. Corners are ids of points.
struct kept_cells {
    std::vector<cell_kind> kinds;
    ragged<global_id> corners;
    std::vector<named_values> fields;
};

/// Returns the total volume of the cells of all ranks, added up as integers.
double volume_of_all(gate& call, mesh const& of) {
    std::vector<std::array<double, 3>> const places =
        block_to_part(call.comm(), of.points, of.corners).exchange(of.places);
    std::vector<double> volumes;
    call.guard([&] {
        std::size_t at = 0;
        for (cell_kind const kind : of.kinds) {
            volumes.push_back(std::abs(
                volume_of(contouring::table_of(kind), [&](std::size_t c) { return places[at + c]; })));
            at += corners_of(kind);
        }
    });
    return exact_sum(call, [&](auto&& add) {
        for (double const each : volumes) add(each);
    });
}

std::int64_t components_of(gate& call, mesh const& of) {
    if (of.cells.total() == 0) return 0;
    edge_list list;
    list.naming = vertex_naming::numbers;
    agreed(call, [&] {
        std::size_t at = 0;
        for (cell_kind const kind : of.kinds) {
            for (std::size_t c = 1; c < corners_of(kind); ++c)
                list.edges.push_back({of.corners[at], of.corners[at + c]});
            at += corners_of(kind);
        }
    });
    return find_components(simple_graph(call.comm(), std::move(list))).components;
}

/// Distributes the kept cells evenly. `whole`: the distribution of the points of corners; `fill(plan, made)`
/// sets the places and fields of `plan.ids()` on their owners. Throws: the error kept in `call`, agreed.
template <class Fill>
threshold_result deal_out(
    gate& call, kept_cells cells, block_distribution const& whole, contouring::laps& lap, Fill&& fill) {
    communicator const& comm = call.comm();
    threshold_result result;
    mesh& made = result.kept;
    result.imbalance_before = contouring::imbalance_of(call, cells.kinds.size());

    part_to_block const plan(comm, whole, cells.corners.values);
    auto const owned = block_distribution::from_sizes(comm, static_cast<std::int64_t>(plan.ids().size()));
    std::vector<global_id> numbers;
    agreed(call, [&] {
        numbers.resize(plan.ids().size());
        for (std::size_t i = 0; i < numbers.size(); ++i)
            numbers[i] = owned.begin(comm.rank()) + static_cast<global_id>(i);
        fill(plan, made);
    });
    cells.corners.values = plan.reverse(numbers);
    made.points = block_distribution::uniform(comm, owned.total());
    block_to_block const move_points(comm, owned, made.points);
    made.places = move_points.exchange(made.places);
    for (named_values& each : made.of_points)
        each.values = move_points.exchange(each.values, static_cast<std::size_t>(each.components));

    auto const found = block_distribution::from_sizes(comm, static_cast<std::int64_t>(cells.kinds.size()));
    made.cells = block_distribution::uniform(comm, found.total());
    block_to_block const move_cells(comm, found, made.cells);
    made.kinds = move_cells.exchange(cells.kinds);
    made.corners = move_cells.exchange(cells.corners).values;
    for (named_values& each : cells.fields)
        each.values = move_cells.exchange(each.values, static_cast<std::size_t>(each.components));
    made.of_cells = std::move(cells.fields);
    result.cells = made.cells.total();
    result.points = made.points.total();
    lap("balance");
    result.volume = volume_of_all(call, made);
    result.components = components_of(call, made);
    lap("number");
    lap.end(comm);
    return result;
}

/// `values`: of each corner, or of each cell.
kept_cells kept_of(
    mesh const& of, std::span<double const> values, bool of_cells, threshold_options const& options) {
    value_range<double> const range(options);
    kept_cells kept;
    for (named_values const& each : of.of_cells) kept.fields.push_back({each.name, each.components, {}});
    std::size_t at = 0;
    for (std::size_t cell = 0; cell < of.kinds.size(); ++cell) {
        std::size_t const first = at;
        std::size_t const corners = corners_of(of.kinds[cell]);
        at += corners;
        if (of_cells ? !range.has(values[cell])
                     : !range.keeps(corners, [&](std::size_t c) { return range.has(values[first + c]); }))
            continue;
        kept.kinds.push_back(of.kinds[cell]);
        for (std::size_t c = first; c < at; ++c) kept.corners.values.push_back(of.corners[c]);
        kept.corners.offsets.push_back(static_cast<std::int64_t>(kept.corners.values.size()));
        for (std::size_t field = 0; field < of.of_cells.size(); ++field) {
            auto const width = static_cast<std::size_t>(of.of_cells[field].components);
            for (std::size_t c = 0; c < width; ++c)
                kept.fields[field].values.push_back(of.of_cells[field].values[cell * width + c]);
        }
    }
    return kept;
}

} // namespace

threshold_result threshold(communicator const& comm, mesh const& of, std::span<double const> values,
    bool of_cells, threshold_options const& options) try {
    check(comm, of);
    std::exception_ptr const failure = detail::failure_in([&] {
        check_range(options);
        std::size_t const expected = of_cells ? of.kinds.size() : of.places.size();
        if (values.size() != expected)
            throw usage_error("threshold: expected " + std::to_string(expected) + " values, found " +
                              std::to_string(values.size()));
    });
    (void)agree_on(
        "threshold", comm, failure, print_of(options).add(std::int64_t{of_cells}), "have different options");
    std::vector<double> of_corners;
    if (!of_cells) of_corners = block_to_part(comm, of.points, of.corners).exchange(values);
    gate call(comm, "threshold");
    kept_cells kept;
    call.guard([&] {
        kept = kept_of(of, of_cells ? values : std::span<double const>(of_corners), of_cells, options);
    });
    contouring::laps lap(options.lap);
    lap("find");
    return deal_out(call, std::move(kept), of.points, lap, [&](part_to_block const& plan, mesh& made) {
        global_id const first = of.points.begin(comm.rank());
        for (named_values const& each : of.of_points)
            made.of_points.push_back({each.name, each.components, {}});
        for (global_id const id : plan.ids()) {
            auto const at = static_cast<std::size_t>(id - first);
            made.places.push_back(of.places[at]);
            for (std::size_t field = 0; field < of.of_points.size(); ++field) {
                auto const width = static_cast<std::size_t>(of.of_points[field].components);
                auto const from =
                    of.of_points[field].values.begin() + static_cast<std::ptrdiff_t>(at * width);
                auto& into = made.of_points[field].values;
                into.insert(into.end(), from, from + static_cast<std::ptrdiff_t>(width));
            }
        }
    });
} catch (std::bad_alloc const&) {
    alone_unless_agreed("threshold");
    throw;
}

} // namespace weft
