#include <collective/need_memory.hpp>
#include <contouring/assemble.hpp>
#include <contouring/check_grid.hpp>
#include <contouring/field_print.hpp>
#include <contouring/laps.hpp>
#include <contouring/plane_touch.hpp>

#include <weft/contouring/contour.hpp>
#include <weft/core/error.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/frames/balanced_blocks.hpp>
#include <weft/frames/part_to_block.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <string>
#include <type_traits>

namespace weft {

namespace contouring {

namespace {

/// Active cells by their ids, and the values at their eight corners, x fastest. The values keep the type of
/// the field, since they are most of the data that ranks exchange.
template <class T>
struct active_cells {
    std::size_t carried_fields = 0;
    std::vector<global_id> ids;
    std::vector<std::array<T, 8>> values;
    std::vector<double> carried; ///< for each cell, the corner values of each field
    std::size_t fields_of_cells = 0;
    std::vector<double> of_cells; ///< for each cell, its value of each field

    [[nodiscard]] std::size_t carried_width() const noexcept { return 8 * carried_fields; }
};

std::int64_t cells_along(grid_lines const& grid, std::size_t d) {
    return std::max<std::int64_t>(grid.points[d] - 1, 0);
}

id_space ids_of(grid_lines const& grid, std::size_t values) {
    id_space ids{1, 3, static_cast<std::int64_t>(values)};
    for (std::size_t d = 0; d < 3; ++d) {
        if (grid.points[d] < 1 || ids.edges > INT64_MAX / grid.points[d])
            throw usage_error("contour: expected at least 1 point along each axis and less than 2^63 edges, "
                              "found " +
                              std::to_string(grid.points[0]) + " x " + std::to_string(grid.points[1]) +
                              " x " + std::to_string(grid.points[2]) + " points");
        ids.edges *= grid.points[d];
        ids.cells *= cells_along(grid, d);
    }
    return ids;
}

/// A mark of a point. The marks of a cell's points are combined by OR; a cell with `both` is active.
constexpr std::uint8_t inside = 1;
constexpr std::uint8_t outside = 2;
constexpr std::uint8_t both = inside | outside;
constexpr std::uint8_t without_value = 4;

template <class T>
void classify(std::span<T const> values, value_bound const& wanted, std::optional<double> const& missing,
    std::vector<std::uint8_t>& sides) {
    sides.resize(values.size());
    std::optional<T> const found = wanted.least<T>();
    bool const some = found.has_value();
    T const least = found.value_or(T{});
    for (std::size_t i = 0; i < values.size(); ++i) sides[i] = some && values[i] >= least ? inside : outside;
    if constexpr (std::is_floating_point_v<T>)
        for (std::size_t i = 0; i < values.size(); ++i)
            if (!std::isfinite(values[i])) sides[i] = without_value;
    if (missing)
        for (std::size_t i = 0; i < values.size(); ++i)
            if (static_cast<double>(values[i]) == *missing) sides[i] = without_value;
}

/// The number of cells of a row that are tested together.
constexpr std::size_t at_once = sizeof(std::uint64_t);

/// The marks of points of two layers for one value; buffers for a row of points and of cells.
struct layer_sides {
    std::vector<std::uint8_t> lower = {};
    std::vector<std::uint8_t> upper = {};
    std::vector<std::uint8_t> row;
    std::vector<std::uint8_t> active; ///< 1 for active cells, else 0; padded

    explicit layer_sides(std::size_t width) : row(width), active(width + at_once) {}

    /// Fills `active` for the cells above the points from `at` on. Without branches, so that it is
    /// vectorized.
    void look_at_row(std::size_t at) noexcept {
        std::size_t const width = row.size();
        // Local pointers: a store of bytes could alias members, which the compiler would have to reload.
        std::uint8_t const* const a = lower.data() + at;
        std::uint8_t const* const b = upper.data() + at;
        std::uint8_t* const of_row = row.data();
        std::uint8_t* const of_cells = active.data();
        for (std::size_t x = 0; x < width; ++x)
            of_row[x] = static_cast<std::uint8_t>(a[x] | a[width + x] | b[x] | b[width + x]);
        for (std::size_t x = 0; x + 1 < width; ++x)
            of_cells[x] = static_cast<std::uint8_t>((of_row[x] | of_row[x + 1]) == both);
    }
    [[nodiscard]] bool has_active(std::size_t cell) const noexcept {
        std::uint64_t some = 0;
        std::memcpy(&some, active.data() + cell, sizeof some);
        return some != 0;
    }
};

/// Finds the active cells of a box. `touched`: marks of further cells that are active, or empty.
template <class T>
void find_active(grid_lines const& grid, grid_values<T> const& part, std::span<value_bound const> wanted,
    std::span<std::uint8_t const> touched, active_cells<T>& into) {
    std::array<std::int64_t, 3> size;
    for (std::size_t d = 0; d < 3; ++d) size[d] = part.points.hi[d] - part.points.lo[d];
    if (size[0] < 2 || size[1] < 2 || size[2] < 2) return;
    auto const width = static_cast<std::size_t>(size[0]);
    auto const layer = width * static_cast<std::size_t>(size[1]);
    auto const values = static_cast<global_id>(wanted.size());
    std::vector<std::size_t> lowest;       // lowest corner of each active cell, in the box
    std::vector<std::size_t> only_touched; // among the active cells of this box
    std::vector<layer_sides> of(wanted.size(), layer_sides(width));
    for (std::size_t v = 0; v < of.size(); ++v)
        classify(part.values.first(layer), wanted[v], grid.missing, of[v].upper);
    for (std::int64_t z = 0; z + 1 < size[2]; ++z) {
        std::size_t const start = static_cast<std::size_t>(z) * layer;
        for (std::size_t v = 0; v < of.size(); ++v) {
            std::swap(of[v].lower, of[v].upper);
            classify(part.values.subspan(start + layer, layer), wanted[v], grid.missing, of[v].upper);
        }
        for (std::int64_t y = 0; y + 1 < size[1]; ++y) {
            std::size_t const at = static_cast<std::size_t>(y) * width;
            for (layer_sides& each : of) each.look_at_row(at);
            global_id const first = ((part.points.lo[2] + z) * cells_along(grid, 1) + part.points.lo[1] + y) *
                                        cells_along(grid, 0) +
                                    part.points.lo[0];
            for (std::size_t some = 0; some + 1 < width; some += at_once) {
                if (touched.empty() &&
                    std::ranges::none_of(of, [&](layer_sides const& each) { return each.has_active(some); }))
                    continue;
                for (std::size_t x = some; x < std::min(some + at_once, width - 1); ++x)
                    for (std::size_t v = 0; v < of.size(); ++v) {
                        std::size_t const cell =
                            static_cast<std::size_t>(z * (size[1] - 1) + y) * (width - 1) + x;
                        bool const touches = !touched.empty() && touched[cell] != 0;
                        if ((of[v].active[x] == 0 && !touches) ||
                            (!part.hidden.empty() && part.hidden[cell] != 0))
                            continue;
                        if (touches) only_touched.push_back(into.ids.size());
                        for (std::span<double const> const field : part.carried_of_cells)
                            into.of_cells.push_back(field[cell]);
                        into.ids.push_back(
                            (first + static_cast<global_id>(x)) * values + static_cast<global_id>(v));
                        lowest.push_back(start + at + x);
                    }
            }
        }
    }
    into.values.reserve(into.values.size() + lowest.size());
    into.carried.reserve(into.carried.size() + into.carried_width() * lowest.size());
    for (std::size_t const low : lowest) {
        std::size_t const at[] = {low, low + 1, low + width, low + width + 1, low + layer, low + layer + 1,
            low + layer + width, low + layer + width + 1};
        std::array<T, 8>& values_here = into.values.emplace_back();
        for (std::size_t i = 0; i < 8; ++i) values_here[i] = part.values[at[i]];
        for (std::span<double const> const carried : part.carried)
            for (std::size_t const from : at) into.carried.push_back(carried[from]);
    }
    if constexpr (std::is_same_v<T, double>) // distances are doubles
        for (std::size_t const cell : only_touched)
            for (T& value : into.values[cell])
                if (value == 0) value = just_behind;
}

/// A contour value as the kernel uses it. A 64-bit integer is replaced by its distance from the integer below
/// the contour value, since a double holds small distances exactly.
template <class T>
struct kernel_bound {
    static constexpr bool is_wide = std::is_integral_v<T> && sizeof(T) == 8;

    explicit kernel_bound(value_bound const& of) : bound(of.nearest()), wanted(of.nearest()) {
        if constexpr (std::is_floating_point_v<T>) bound = static_cast<double>(of.least<T>().value_or(T{}));
        if constexpr (is_wide) {
            base = of.greatest<T>().value_or(std::numeric_limits<T>::lowest());
            bound = wanted = of.nearest() - std::floor(of.nearest());
        }
    }
    [[nodiscard]] double operator()(T value) const noexcept {
        if constexpr (!is_wide)
            return static_cast<double>(value);
        else if (value >= base)
            return static_cast<double>(static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(base));
        else
            return -static_cast<double>(static_cast<std::uint64_t>(base) - static_cast<std::uint64_t>(value));
    }

    T base{};
    double bound;  ///< Values of at least `bound` are inside.
    double wanted; ///< Interpolation uses `wanted`; no value of T lies between it and `bound`.
};

/// The cells of a grid, for the kernel.
template <class T>
class grid_cells {
public:
    grid_cells(grid_lines const& grid, id_space const& ids, std::span<value_bound const> wanted,
        active_cells<T> const& active)
        : grid_(grid), ids_(ids), wanted_(wanted.begin(), wanted.end()), active_(active) {
        for (std::size_t edge = 0; edge < edges_.size(); ++edge) {
            edges_[edge].axis = edge < 8 ? edge & 1 : 2;
            edges_[edge].from = offset_of(table_.edges[edge][0]);
            auto const& from = edges_[edge].from;
            edges_[edge].id = 3 * ((from[2] * grid.points[1] + from[1]) * grid.points[0] + from[0]) +
                              static_cast<std::int64_t>(edges_[edge].axis);
        }
    }

    [[nodiscard]] std::size_t size() const noexcept { return active_.ids.size(); }
    /// Returns the greatest difference of the ids of edges of a cell and of cells that share an edge with it,
    /// for `edge_numbers`. Ascending cells that share an edge are at most a layer and a row apart.
    [[nodiscard]] std::size_t reach_of_edges() const noexcept {
        if (!std::ranges::is_sorted(active_.ids)) return SIZE_MAX;
        std::int64_t const row = grid_.points[0];
        std::int64_t const layer = row * grid_.points[1];
        constexpr std::int64_t most = std::int64_t{1} << 40; // avoids overflow
        if (layer > most || ids_.values > most / (layer + row)) return SIZE_MAX;
        return static_cast<std::size_t>(3 * ids_.values * (2 * (layer + row) + 4));
    }
    void load(std::size_t i) {
        of_value_ = &wanted_[ids_.value_of(active_.ids[i])];
        value_ = active_.ids[i] % ids_.values;
        std::int64_t const cell = active_.ids[i] / ids_.values;
        at_[0] += cell - cell_;
        cell_ = cell;
        if (at_[0] < 0 || at_[0] >= cells_along(grid_, 0)) { // in another row
            at_[0] = cell % cells_along(grid_, 0);
            std::int64_t const row = cell / cells_along(grid_, 0);
            at_[1] = row % cells_along(grid_, 1);
            at_[2] = row / cells_along(grid_, 1);
        }
        first_edge_ = 3 * ((at_[2] * grid_.points[1] + at_[1]) * grid_.points[0] + at_[0]);
        std::array<T, 8> const& stored = active_.values[i];
        for (std::size_t corner = 0; corner < 8; ++corner)
            values_[corner] = (*of_value_)(stored[bits_of(corner)]);
        carried_ = active_.carried.data() + active_.carried_width() * i;
    }
    [[nodiscard]] std::size_t carried_fields() const noexcept { return active_.carried_fields; }
    [[nodiscard]] bool names_cells() const noexcept { return active_.fields_of_cells > 0; }
    void carry_on(std::size_t edge, std::vector<std::vector<double>>& into) const {
        if (into.empty()) return;
        auto const [a, b] = table_.edges[edge];
        double const share = share_of_way(corner_value(a), corner_value(b), of_value_->wanted);
        for (std::size_t field = 0; field < into.size(); ++field) {
            double const* const of = carried_ + 8 * field;
            into[field].push_back(of[bits_of(a)] + share * (of[bits_of(b)] - of[bits_of(a)]));
        }
    }
    void carry_of(std::size_t corner, std::vector<std::vector<double>>& into) const {
        for (std::size_t field = 0; field < into.size(); ++field)
            into[field].push_back(carried_[8 * field + bits_of(corner)]);
    }
    [[nodiscard]] cell_table const& table() const noexcept { return table_; }
    [[nodiscard]] double bound() const noexcept { return of_value_->bound; }
    [[nodiscard]] double corner_value(std::size_t corner) const noexcept { return values_[corner]; }
    [[nodiscard]] bool is_inside_out() const noexcept { return mirrored_; }
    [[nodiscard]] global_id edge_id(std::size_t edge) const noexcept {
        return (first_edge_ + edges_[edge].id) * ids_.values + value_;
    }
    /// Returns the id of the edge along x from this corner. If that edge is crossed, then at this end.
    [[nodiscard]] global_id corner_id(std::size_t corner) const noexcept {
        std::array<std::int64_t, 3> const from = offset_of(corner);
        std::int64_t const point = (from[2] * grid_.points[1] + from[1]) * grid_.points[0] + from[0];
        return (first_edge_ + 3 * point) * ids_.values + value_;
    }
    [[nodiscard]] place3 place_of(std::size_t corner) const noexcept {
        std::array<std::int64_t, 3> const from = offset_of(corner);
        place3 const place{coordinate(0, at_[0] + from[0]), coordinate(1, at_[1] + from[1]),
            coordinate(2, at_[2] + from[2])};
        return moves_ ? grid_.place.to_world(place) : place;
    }
    [[nodiscard]] place3 place_on(std::size_t edge) const noexcept {
        auto const& [from, axis, id] = edges_[edge];
        auto const [a, b] = table_.edges[edge];
        double const share = share_of_way(corner_value(a), corner_value(b), of_value_->wanted);
        place3 place;
        for (std::size_t d = 0; d < 3; ++d) place[d] = coordinate(d, at_[d] + from[d]);
        place[axis] += share * (coordinate(axis, at_[axis] + from[axis] + 1) - place[axis]);
        return moves_ ? grid_.place.to_world(place) : place;
    }

private:
    struct grid_edge {
        std::array<std::int64_t, 3> from; // its lower end, relative to the cell
        std::size_t axis;
        std::int64_t id;
    };

    /// Returns x, y and z of a corner as bits; corners are numbered around each end of a hexahedron.
    [[nodiscard]] static constexpr std::size_t bits_of(std::size_t corner) noexcept {
        return corner ^ (corner >> 1 & 1);
    }
    /// Returns the place of a corner, relative to the cell.
    [[nodiscard]] static constexpr std::array<std::int64_t, 3> offset_of(std::size_t corner) noexcept {
        std::size_t const bits = bits_of(corner);
        return {static_cast<std::int64_t>(bits & 1), static_cast<std::int64_t>(bits >> 1 & 1),
            static_cast<std::int64_t>(bits >> 2)};
    }
    [[nodiscard]] double coordinate(std::size_t d, std::int64_t at) const noexcept {
        return grid_.axes[d].empty() ? static_cast<double>(at) : grid_.axes[d][static_cast<std::size_t>(at)];
    }

    grid_lines const& grid_;
    id_space const& ids_;
    std::vector<kernel_bound<T>> wanted_;
    active_cells<T> const& active_;
    cell_table const& table_ = table_of(cell_kind::hexahedron);
    std::array<grid_edge, 12> edges_{};
    bool const mirrored_ = is_mirrored(grid_);
    bool const moves_ = grid_.place.moves();
    // The current cell:
    std::int64_t cell_ = 0;
    std::int64_t value_ = 0;
    kernel_bound<T> const* of_value_ = nullptr;
    std::array<std::int64_t, 3> at_{};
    std::int64_t first_edge_ = 0;
    std::array<double, 8> values_{};
    double const* carried_ = nullptr;
};

/// Ends before the census of the call that reports its failure.
template <class T>
void balance(gate& call, id_space const& ids, active_cells<T>& active) {
    balanced_blocks const shares = balance_blocks(
        call.comm(), parts_view<global_id>(active.ids), {.total = ids.cells * ids.values, .tolerance = 0.02});
    part_to_block const plan(call.comm(), shares.blocks, active.ids);
    active.values = plan.lowest(active.values);
    if (active.carried_fields > 0) active.carried = plan.lowest(active.carried, active.carried_width());
    if (active.fields_of_cells > 0) active.of_cells = plan.lowest(active.of_cells, active.fields_of_cells);
    call.guard([&] { active.ids.assign(plan.ids().begin(), plan.ids().end()); });
}

/// Returns the fields of the cells that contain the triangles.
template <class T>
std::vector<named_values> fields_of_triangles(
    grid_lines const& grid, active_cells<T> const& active, marched const& made) {
    std::vector<named_values> fields;
    for (std::size_t field = 0; field < active.fields_of_cells; ++field) {
        named_values& carried = fields.emplace_back(named_values{grid.carried_of_cells[field], 1, {}});
        carried.values.reserve(made.cells.size());
        for (std::size_t const cell : made.cells)
            carried.values.push_back(active.of_cells[cell * active.fields_of_cells + field]);
    }
    return fields;
}

/// `touched`: for each box, marks of cells that are active though not crossed; may be empty.
template <class T>
contour_result contour_marked(communicator const& comm, grid_lines const& grid,
    std::span<grid_values<T> const> mine, std::vector<std::vector<std::uint8_t>> const& touched,
    contour_options const& options) try {
    laps lap(options.lap);
    gate call(comm, "contour");
    id_space ids;
    active_cells<T> active;
    contour_result result;
    std::exception_ptr const failure = detail::failure_in([&] {
        ids = ids_of(grid, options.values.size());
        check(options, ids);
        check_axes(grid);
        if (grid.values_of_cells)
            throw usage_error("contour: expected values of points, found values of cells");
        for (grid_values<T> const& part : mine) check_box(grid, part);
        active.carried_fields = grid.carried.size();
        active.fields_of_cells = grid.carried_of_cells.size();
        for (std::size_t i = 0; i < mine.size(); ++i)
            find_active(grid, mine[i], options.values,
                touched.empty() ? std::span<std::uint8_t const>() : touched[i], active);
        for (std::string const& name : grid.carried) result.made.of_points.push_back({name, 1, {}});
    });
    value_print equal = print_of(options);
    add_grid(equal, grid);
    (void)agree_on("contour", comm, failure, equal, unequal_grids);
    lap("find");
    spread(
        call, options, active.ids, [&] { balance(call, ids, active); }, result);
    lap("balance");
    // Estimates half a triangle for each cell: more are made, but degenerate ones are dropped.
    need_memory(comm,
        "a surface through " + std::to_string(sum(comm, std::int64_t(active.ids.size()))) + " cells",
        12.0 * static_cast<double>(active.ids.size()));
    marched made;
    std::vector<std::int64_t> active_cells;
    std::vector<named_values> of_triangles;
    agreed(call, [&] {
        grid_cells<T> cells(grid, ids, options.values, active);
        made = march(cells);
        active_cells = count_by_value(active.ids, ids);
        of_triangles = fields_of_triangles(grid, active, made);
    });
    active = {}; // frees memory as large as the surface
    lap("kernel");
    assemble(comm, std::move(made), active_cells, ids, result);
    result.made.of_triangles = std::move(of_triangles);
    lap("number");
    lap.end(comm);
    return result;
} catch (std::bad_alloc const&) {
    alone_unless_agreed("contour");
    throw;
}

} // namespace

contour_result contour_of_plane(communicator const& comm, grid_lines const& grid,
    std::span<grid_values<double> const> mine, contour_options const& options) {
    return contour_marked(comm, grid, mine, touched_cells(comm, grid, mine), options);
}

} // namespace contouring

template <class T>
contour_result contour(communicator const& comm, grid_lines const& grid, std::span<grid_values<T> const> mine,
    contour_options const& options) {
    return contouring::contour_marked(comm, grid, mine, {}, options);
}

template contour_result contour(communicator const&, grid_lines const&,
    std::span<grid_values<std::int8_t> const>, contour_options const&);
template contour_result contour(communicator const&, grid_lines const&,
    std::span<grid_values<std::uint8_t> const>, contour_options const&);
template contour_result contour(communicator const&, grid_lines const&,
    std::span<grid_values<std::int16_t> const>, contour_options const&);
template contour_result contour(communicator const&, grid_lines const&,
    std::span<grid_values<std::uint16_t> const>, contour_options const&);
template contour_result contour(communicator const&, grid_lines const&,
    std::span<grid_values<std::int32_t> const>, contour_options const&);
template contour_result contour(communicator const&, grid_lines const&,
    std::span<grid_values<std::uint32_t> const>, contour_options const&);
template contour_result contour(communicator const&, grid_lines const&,
    std::span<grid_values<std::int64_t> const>, contour_options const&);
template contour_result contour(communicator const&, grid_lines const&,
    std::span<grid_values<std::uint64_t> const>, contour_options const&);
template contour_result contour(
    communicator const&, grid_lines const&, std::span<grid_values<float> const>, contour_options const&);
template contour_result contour(
    communicator const&, grid_lines const&, std::span<grid_values<double> const>, contour_options const&);

} // namespace weft
