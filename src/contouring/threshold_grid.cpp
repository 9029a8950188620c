#include <collective/exact_sum.hpp>
#include <collective/need_memory.hpp>
#include <contouring/assemble.hpp>
#include <contouring/check_grid.hpp>
#include <contouring/field_print.hpp>
#include <contouring/kept_points.hpp>
#include <contouring/laps.hpp>
#include <contouring/write_kept.hpp>

#include <weft/contouring/threshold.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/frames/block_to_block.hpp>
#include <weft/frames/part_to_block.hpp>
#include <weft/graph/components.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <optional>
#include <utility>

namespace weft {

namespace contouring {

namespace {

double volume_of_all(gate& call, grid_lines const& grid, std::vector<kept_box> const& boxes) {
    double const scale = std::abs(grid.place.determinant());
    return exact_sum(call, [&](auto&& add) {
        auto const width = [&](std::size_t d, std::int64_t at) -> double {
            auto const& axis = grid.axes[d];
            auto const i = static_cast<std::size_t>(at);
            return axis.empty() ? 1 : std::abs(axis[i + 1] - axis[i]);
        };
        for (kept_box const& each : boxes)
            for_kept(each, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::size_t) {
                add(scale * width(0, x) * width(1, y) * width(2, z));
            });
    });
}

/// Counts corners, and components of cells that share corners, each once. Boxes of all ranks are joined at
/// the corners on their sides.
void count(gate& call, grid_lines const& grid, std::vector<kept_box> const& boxes,
    block_distribution const& whole, threshold_result& into) {
    communicator const& comm = call.comm();
    std::vector<shared_corner> shared;
    std::int64_t components = 0; // in all boxes so far
    std::int64_t inner = 0;      // corners in the interior of one box
    std::vector<global_id> points, numbers;
    agreed(call, [&] {
        for (kept_box const& each : boxes) {
            std::int64_t unique = 0;
            global_id last = -1;
            for (shared_corner const& corner : shared_corners(grid, each)) {
                shared.push_back({corner.point, components + corner.component});
                unique += corner.point != last ? 1 : 0;
                last = corner.point;
            }
            inner += static_cast<std::int64_t>(each.used_count) - unique;
            components += static_cast<std::int64_t>(each.labels.first_run.size());
        }
        for (shared_corner const& each : shared) {
            points.push_back(each.point);
            numbers.push_back(each.component);
        }
    });
    auto const numbered = block_distribution::from_sizes(comm, components);
    for (global_id& each : numbers) each += numbered.begin(comm.rank());
    part_to_block const meeting(comm, whole, points);
    into.points = sum(comm, inner + static_cast<std::int64_t>(meeting.ids().size()));
    std::vector<global_id> const lowest = meeting.reverse(meeting.lowest(numbers));
    edge_list joined;
    joined.vertices = numbered.total();
    call.guard([&] {
        for (std::size_t i = 0; i < numbers.size(); ++i)
            if (numbers[i] != lowest[i]) joined.edges.push_back({numbers[i], lowest[i]});
        std::ranges::sort(joined.edges);
        joined.edges.erase(std::unique(joined.edges.begin(), joined.edges.end()), joined.edges.end());
    });
    census_value edges = census_value::identity();
    edges.sum[0] = static_cast<std::int64_t>(joined.edges.size());
    into.components = call.agree(edges).sum[0] == 0
                          ? numbered.total()
                          : find_components(simple_graph(comm, std::move(joined))).components;
}

/// The corners of kept cells: their ids in the grid, and their fields.
struct used_points {
    std::vector<global_id> ids;
    std::vector<named_values> fields;
};

template <class T>
double value_or_nan(grid_lines const& grid, T value) {
    auto const number = static_cast<double>(value);
    return grid.missing && number == *grid.missing ? std::numeric_limits<double>::quiet_NaN() : number;
}

template <class T>
used_points points_in_use(grid_lines const& grid, std::span<grid_values<T> const> mine,
    std::vector<kept_box> const& boxes, std::string const& name) {
    used_points made;
    if (!grid.values_of_cells) made.fields.push_back({name, 1, {}});
    for (std::string const& each : grid.carried) made.fields.push_back({each, 1, {}});
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        box<std::int64_t> const& in = boxes[i].points;
        std::size_t at = 0;
        if (boxes[i].used.empty()) continue;
        for (std::int64_t z = in.lo[2]; z < in.hi[2]; ++z)
            for (std::int64_t y = in.lo[1]; y < in.hi[1]; ++y)
                for (std::int64_t x = in.lo[0]; x < in.hi[0]; ++x, ++at) {
                    if (boxes[i].used[at] == 0) continue;
                    made.ids.push_back((z * grid.points[1] + y) * grid.points[0] + x);
                    auto field = made.fields.begin();
                    if (!grid.values_of_cells)
                        (field++)->values.push_back(value_or_nan(grid, mine[i].values[at]));
                    for (std::span<double const> const each : mine[i].carried)
                        (field++)->values.push_back(each[at]);
                }
    }
    return made;
}

/// Returns the corners of the kept cells, eight each; in a mirrored grid the upper ends of cells come first.
/// `numbers`: the numbers of the used points of all boxes, one after the other.
std::vector<global_id> corners_of_kept(grid_lines const& grid, std::vector<kept_box> const& boxes,
    std::vector<global_id> const& numbers, std::size_t cells) {
    std::int64_t const upper_first = is_mirrored(grid) ? 1 : 0;
    std::vector<global_id> corners;
    corners.reserve(8 * cells);
    std::size_t first = 0;
    for (kept_box const& each : boxes) {
        std::vector<std::uint32_t> number_at(each.used.size());
        std::uint32_t next = 0;
        for (std::size_t i = 0; i < each.used.size(); ++i) {
            number_at[i] = next;
            next += each.used[i];
        }
        for_kept(each, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::size_t) {
            for (std::int64_t c = 0; c < 8; ++c) // around each end of a hexahedron
                corners.push_back(numbers[first + number_at[each.place_of(x + ((c ^ (c >> 1)) & 1),
                                                      y + (c >> 1 & 1), z + ((c >> 2) ^ upper_first))]]);
        });
        first += next;
    }
    return corners;
}

template <class T>
std::vector<named_values> fields_of_kept(grid_lines const& grid, std::span<grid_values<T> const> mine,
    std::vector<kept_box> const& boxes, std::string const& name) {
    std::vector<named_values> fields;
    if (grid.values_of_cells) fields.push_back({name, 1, {}});
    for (std::string const& each : grid.carried_of_cells) fields.push_back({each, 1, {}});
    for (std::size_t i = 0; i < boxes.size(); ++i)
        for_kept(boxes[i], [&](std::int64_t, std::int64_t, std::int64_t, std::size_t cell) {
            auto field = fields.begin();
            if (grid.values_of_cells) (field++)->values.push_back(static_cast<double>(mine[i].values[cell]));
            for (std::span<double const> const each : mine[i].carried_of_cells)
                (field++)->values.push_back(each[cell]);
        });
    return fields;
}

/// Checks that there is memory for a mesh with `cells` cells and `points` points on this rank, and `of_all`
/// cells in all, while its corners are distributed evenly.
void need_mesh(communicator const& comm, std::int64_t of_all, std::size_t cells, std::size_t points) {
    constexpr double bytes_of_cell = 8 * sizeof(global_id);
    auto const share = static_cast<double>(of_all) / comm.size();
    need_memory(comm, "a mesh of " + std::to_string(of_all) + " cells",
        bytes_of_cell * (static_cast<double>(cells) + share) +
            static_cast<double>(points * sizeof(std::array<double, 3>)));
}

/// Returns the mesh of the kept cells, evenly distributed.
template <class T>
mesh mesh_of_kept(communicator const& comm, grid_lines const& grid, std::span<grid_values<T> const> mine,
    std::vector<kept_box> const& boxes, std::string const& name, block_distribution const& whole,
    std::size_t cells) {
    mesh made;
    used_points used;
    agreed(comm, [&] { used = points_in_use(grid, mine, boxes, name); });
    part_to_block const plan(comm, whole, used.ids);
    used.ids = {};
    auto const owned = block_distribution::from_sizes(comm, static_cast<std::int64_t>(plan.ids().size()));
    made.points = block_distribution::uniform(comm, owned.total());
    block_to_block const move_points(comm, owned, made.points);
    std::vector<global_id> numbers;
    agreed(comm, [&] {
        numbers.resize(plan.ids().size());
        for (std::size_t i = 0; i < numbers.size(); ++i)
            numbers[i] = owned.begin(comm.rank()) + static_cast<global_id>(i);
        for (global_id const id : plan.ids()) {
            std::int64_t const row = id / grid.points[0];
            made.places.push_back(
                place_of(grid, {id % grid.points[0], row % grid.points[1], row / grid.points[1]}));
        }
    });
    made.places = move_points.exchange(made.places);
    for (named_values& each : used.fields) {
        made.of_points.push_back({each.name, 1, move_points.exchange(plan.lowest(each.values))});
        each.values = {};
    }
    numbers = plan.reverse(numbers);

    auto const found = block_distribution::from_sizes(comm, static_cast<std::int64_t>(cells));
    made.cells = block_distribution::uniform(comm, found.total());
    block_to_block const move_cells(comm, found, made.cells);
    std::vector<named_values> fields;
    agreed(comm, [&] {
        made.corners = corners_of_kept(grid, boxes, numbers, cells);
        fields = fields_of_kept(grid, mine, boxes, name);
        made.kinds.assign(static_cast<std::size_t>(made.cells.size(comm.rank())), cell_kind::hexahedron);
    });
    made.corners = move_cells.exchange(made.corners, 8);
    for (named_values& each : fields)
        made.of_cells.push_back({each.name, 1, move_cells.exchange(each.values)});
    return made;
}

/// Finds the kept cells of each box in `boxes`, calls `use_kept(result so far, distribution of the grid's
/// points, number of this rank's cells)`, and then counts components and volume.
template <class T, class Use>
threshold_result keep(communicator const& comm, grid_lines const& grid, std::span<grid_values<T> const> mine,
    std::string const& name, threshold_options const& options, laps& lap, std::vector<kept_box>& boxes,
    Use&& use_kept) {
    threshold_result result;
    std::size_t cells = 0;
    std::int64_t points = 1;
    std::exception_ptr const failure = detail::failure_in([&] {
        check_range(options);
        value_range<T> const range(options);
        check_axes(grid);
        for (std::int64_t const each : grid.points) points *= each;
        for (grid_values<T> const& part : mine) check_box(grid, part);
        for (grid_values<T> const& part : mine) {
            boxes.push_back(keep_cells(grid, part, range));
            cells += static_cast<std::size_t>(voxels_of(boxes.back().rows));
        }
    });
    value_print equal = print_of(options);
    add_grid(equal, grid);
    (void)agree_on("threshold", comm, failure, equal.add(name), unequal_grids);
    gate call(comm, "threshold");
    lap("find");
    result.imbalance_before = imbalance_of(call, cells);
    result.cells = sum(comm, static_cast<std::int64_t>(cells));
    auto const whole = block_distribution::uniform(comm, points);
    use_kept(result, whole, cells);
    lap("balance");
    count(call, grid, boxes, whole, result);
    result.volume = volume_of_all(call, grid, boxes);
    lap("number");
    return result;
}

} // namespace

} // namespace contouring

template <class T>
threshold_result threshold(communicator const& comm, grid_lines const& grid,
    std::span<grid_values<T> const> mine, std::string const& name, threshold_options const& options) try {
    using namespace contouring;
    laps lap(options.lap);
    std::vector<kept_box> boxes;
    threshold_result result = keep(comm, grid, mine, name, options, lap, boxes,
        [&](threshold_result& into, block_distribution const& whole, std::size_t cells) {
            if (!options.makes_mesh) return;
            std::size_t used = 0;
            for (kept_box const& each : boxes) used += each.used_count;
            need_mesh(comm, into.cells, cells, used);
            into.kept = mesh_of_kept(comm, grid, mine, boxes, name, whole, cells);
        });
    lap.end(comm);
    return result;
} catch (std::bad_alloc const&) {
    alone_unless_agreed("threshold");
    throw;
}

template <class T>
threshold_result write_threshold(communicator const& comm, grid_lines const& grid,
    std::span<grid_values<T> const> mine, std::string const& name, threshold_options const& options,
    std::string const& file) try {
    using namespace contouring;
    laps lap(options.lap);
    std::vector<kept_box> boxes;
    std::optional<kept_points> points;
    std::int64_t mine_of_all = 0;
    threshold_result result = keep(comm, grid, mine, name, options, lap, boxes,
        [&](threshold_result&, block_distribution const&, std::size_t cells) {
            points.emplace(comm, grid, boxes);
            for (kept_box& each : boxes) each.used = {};
            mine_of_all = static_cast<std::int64_t>(cells);
        });
    lap.end(comm);
    write_kept(comm, grid, mine, boxes, *points, name, mine_of_all, file);
    return result;
} catch (std::bad_alloc const&) {
    alone_unless_agreed("write_threshold");
    throw;
}

#define WEFT_THRESHOLD(T)                                                                                    \
    template threshold_result threshold(communicator const&, grid_lines const&,                              \
        std::span<grid_values<T> const>, std::string const&, threshold_options const&);                      \
    template threshold_result write_threshold(communicator const&, grid_lines const&,                        \
        std::span<grid_values<T> const>, std::string const&, threshold_options const&, std::string const&);
WEFT_THRESHOLD(std::int8_t)
WEFT_THRESHOLD(std::uint8_t)
WEFT_THRESHOLD(std::int16_t)
WEFT_THRESHOLD(std::uint16_t)
WEFT_THRESHOLD(std::int32_t)
WEFT_THRESHOLD(std::uint32_t)
WEFT_THRESHOLD(std::int64_t)
WEFT_THRESHOLD(std::uint64_t)
WEFT_THRESHOLD(float)
WEFT_THRESHOLD(double)
#undef WEFT_THRESHOLD

} // namespace weft
