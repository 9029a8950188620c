#include <contouring/assemble.hpp>
#include <contouring/cell_volume.hpp>
#include <contouring/check_grid.hpp>
#include <contouring/field_print.hpp>
#include <contouring/laps.hpp>

#include <graph/matrices/fixed_point.hpp>

#include <weft/collective/arrays.hpp>
#include <weft/contouring/threshold.hpp>
#include <weft/core/error.hpp>
#include <weft/frames/block_to_block.hpp>
#include <weft/frames/block_to_part.hpp>
#include <weft/frames/part_to_block.hpp>
#include <weft/frames/ragged.hpp>
#include <weft/graph/components.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace weft {

namespace {

using contouring::volume_of;

/// The cells that this rank keeps, in the order of their ids; corners are points of the whole.
struct kept_cells {
    std::vector<cell_kind> kinds;
    ragged<global_id> corners;
    std::vector<named_values> fields;
};

void check_range(threshold_options const& options) {
    auto const is_number = [](value_bound const& each) { return !std::isnan(each.nearest()); };
    if (!is_number(options.least) || !is_number(options.most) || options.most < options.least)
        throw usage_error("threshold: expected a range from a least to a largest value, found " +
                          std::to_string(options.least.nearest()) + " to " +
                          std::to_string(options.most.nearest()));
}

/// The range among values of one type.
template <class T>
class value_range {
public:
    explicit value_range(threshold_options const& options)
        : least_(options.least.least<T>()),
          most_(options.most.greatest<T>()),
          any_(options.corners == corner_rule::any) {}
    [[nodiscard]] bool has(T value) const noexcept {
        if constexpr (std::is_floating_point_v<T>)
            if (!std::isfinite(value)) return false;
        return least_ && most_ && value >= *least_ && value <= *most_;
    }
    /// `has(c)`: the c-th of some corners is in the range.
    template <class Has>
    [[nodiscard]] bool keeps(std::size_t corners, Has&& has) const noexcept {
        for (std::size_t c = 0; c < corners; ++c)
            if (has(c) == any_) return any_;
        return !any_;
    }

private:
    std::optional<T> least_;
    std::optional<T> most_;
    bool any_;
};

value_print print_of(threshold_options const& options) {
    value_print print;
    for (value_bound const& each : {options.least, options.most}) print.add(each.nearest()).add(each.rest());
    return print.add(static_cast<std::int64_t>(options.corners));
}

/// Volumes of this rank's cells, added up over all ranks in integers.
double volume_of_all(communicator const& comm, mesh const& of) {
    std::vector<std::array<double, 3>> const places =
        block_to_part(comm, of.points, of.corners).exchange(of.places);
    std::vector<double> volumes;
    double largest = 0;
    std::size_t at = 0;
    for (cell_kind const kind : of.kinds) {
        volumes.push_back(
            std::abs(volume_of(contouring::table_of(kind), [&](std::size_t c) { return places[at + c]; })));
        largest = std::max(largest, volumes.back());
        at += corners_of(kind);
    }
    std::int64_t const power = max(comm, largest > 0 ? std::ilogb(largest) : INT32_MIN);
    fixed_point sum(static_cast<int>(std::clamp<std::int64_t>(power - 84, -1000, 1000))); // and 2^40 cells
    for (double const each : volumes) sum.add(each);
    auto pieces = sum.pieces();
    all_reduce(
        comm, std::span<std::int64_t>(pieces), [](std::int64_t a, std::int64_t b) noexcept { return a + b; });
    sum.assign(pieces);
    return sum.value();
}

std::int64_t components_of(communicator const& comm, mesh const& of) {
    edge_list list;
    list.naming = vertex_naming::numbers;
    std::size_t at = 0;
    for (cell_kind const kind : of.kinds) {
        for (std::size_t c = 1; c < corners_of(kind); ++c)
            list.edges.push_back({of.corners[at], of.corners[at + c]});
        at += corners_of(kind);
    }
    return of.cells.total() == 0 ? 0 : find_components(simple_graph(comm, std::move(list))).components;
}

/// Deals out the cells that ranks keep. `whole`: the points that corners are of; `fill(plan, made)` gives
/// places and fields of `plan.ids()`, where these are.
template <class Fill>
threshold_result deal_out(communicator const& comm, kept_cells cells, block_distribution const& whole,
    contouring::laps& lap, Fill&& fill) {
    threshold_result result;
    mesh& made = result.kept;
    result.imbalance_before = contouring::imbalance_of(comm, cells.kinds.size());

    part_to_block const plan(comm, whole, cells.corners.values);
    auto const owned = block_distribution::from_sizes(comm, static_cast<std::int64_t>(plan.ids().size()));
    std::vector<global_id> numbers(plan.ids().size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = owned.begin(comm.rank()) + static_cast<global_id>(i);
    cells.corners.values = plan.reverse(numbers);
    fill(plan, made);
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
    for (named_values& each : cells.fields) {
        each.values = move_cells.exchange(each.values, static_cast<std::size_t>(each.components));
        made.of_cells.push_back(std::move(each));
    }
    lap("balance");
    result.volume = volume_of_all(comm, made);
    result.components = components_of(comm, made);
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

/// The cells of boxes of a volume, and the values of their corners.
class volume_cells {
public:
    volume_cells(grid_lines const& grid, std::size_t fields) : grid_(grid), corner_values(fields) {}

    template <class T>
    void add(grid_values<T> const& part, value_range<T> const& range) {
        auto const& [dimensions, lo, hi] = part.points;
        std::int64_t const width = hi[0] - lo[0];
        std::int64_t const layer = width * (hi[1] - lo[1]);
        for (std::int64_t z = lo[2]; z + 1 < hi[2]; ++z)
            for (std::int64_t y = lo[1]; y + 1 < hi[1]; ++y)
                for (std::int64_t x = lo[0]; x + 1 < hi[0]; ++x) {
                    std::int64_t const low = (z - lo[2]) * layer + (y - lo[1]) * width + x - lo[0];
                    std::int64_t const id = (z * grid_.points[1] + y) * grid_.points[0] + x;
                    std::size_t here[8];
                    std::int64_t ids[8];
                    for (std::size_t c = 0; c < 8; ++c) { // around each end of a hexahedron
                        std::int64_t const dx = (c ^ (c >> 1)) & 1;
                        std::int64_t const dy = static_cast<std::int64_t>(c >> 1 & 1);
                        std::int64_t const dz = static_cast<std::int64_t>(c >> 2) ^ (mirrored_ ? 1 : 0);
                        here[c] = static_cast<std::size_t>(low + dz * layer + dy * width + dx);
                        ids[c] = id + (dz * grid_.points[1] + dy) * grid_.points[0] + dx;
                    }
                    auto const value = [&](std::size_t c) {
                        auto const of = static_cast<double>(part.values[here[c]]);
                        return grid_.missing && of == *grid_.missing ? std::nan("") : of;
                    };
                    if (!range.keeps(8, [&](std::size_t c) {
                            return range.has(part.values[here[c]]) && !std::isnan(value(c));
                        }))
                        continue;
                    kept.kinds.push_back(cell_kind::hexahedron);
                    kept.corners.values.insert(kept.corners.values.end(), ids, ids + 8);
                    kept.corners.offsets.push_back(static_cast<std::int64_t>(kept.corners.values.size()));
                    for (std::size_t c = 0; c < 8; ++c) {
                        corner_values[0].push_back(value(c));
                        for (std::size_t f = 0; f < part.carried.size(); ++f)
                            corner_values[f + 1].push_back(part.carried[f][here[c]]);
                    }
                }
    }

    [[nodiscard]] std::array<double, 3> place_of(global_id point) const {
        std::array<std::int64_t, 3> at;
        for (std::size_t d = 0; d < 3; ++d) {
            at[d] = point % grid_.points[d];
            point /= grid_.points[d];
        }
        return contouring::place_of(grid_, at);
    }

private:
    grid_lines const& grid_;
    bool const mirrored_ = contouring::is_mirrored(grid_); // the upper ends of cells come first

public:
    kept_cells kept;
    std::vector<std::vector<double>> corner_values; ///< by field
};

} // namespace

threshold_result threshold(communicator const& comm, mesh const& of, std::span<double const> values,
    bool of_cells, threshold_options const& options) {
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
    kept_cells kept;
    agreed(comm, [&] {
        kept = kept_of(of, of_cells ? values : std::span<double const>(of_corners), of_cells, options);
    });
    contouring::laps lap(options.lap);
    lap("find");
    return deal_out(comm, std::move(kept), of.points, lap, [&](part_to_block const& plan, mesh& made) {
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
}

template <class T>
threshold_result threshold(communicator const& comm, grid_lines const& grid,
    std::span<grid_values<T> const> mine, std::string const& name, threshold_options const& options) {
    volume_cells cells(grid, 1 + grid.carried.size());
    std::exception_ptr const failure = detail::failure_in([&] {
        check_range(options);
        value_range<T> const range(options);
        contouring::check_axes(grid);
        for (grid_values<T> const& part : mine) contouring::check_box(grid, part);
        for (grid_values<T> const& part : mine) cells.add(part, range);
    });
    value_print equal = print_of(options);
    contouring::add_grid(equal, grid);
    (void)agree_on("threshold", comm, failure, equal.add(name), contouring::unequal_grids);
    contouring::laps lap(options.lap);
    lap("find");
    std::int64_t points = 1;
    for (std::int64_t const each : grid.points) points *= each;
    auto const whole = block_distribution::uniform(comm, points);
    return deal_out(comm, std::move(cells.kept), whole, lap, [&](part_to_block const& plan, mesh& made) {
        for (global_id const id : plan.ids()) made.places.push_back(cells.place_of(id));
        for (std::size_t field = 0; field < cells.corner_values.size(); ++field)
            made.of_points.push_back(
                {field == 0 ? name : grid.carried[field - 1], 1, plan.lowest(cells.corner_values[field])});
    });
}

#define WEFT_THRESHOLD(T)                                                                                    \
    template threshold_result threshold(communicator const&, grid_lines const&,                              \
        std::span<grid_values<T> const>, std::string const&, threshold_options const&);
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
