#include <contouring/assemble.hpp>
#include <contouring/cell_volume.hpp>
#include <contouring/edge_numbers.hpp>
#include <contouring/field_print.hpp>
#include <contouring/laps.hpp>
#include <contouring/plane_touch.hpp>

#include <weft/contouring/contour.hpp>
#include <weft/core/error.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/frames/balanced_blocks.hpp>
#include <weft/frames/block_to_part.hpp>
#include <weft/frames/part_to_block.hpp>
#include <weft/protocol/agreement.hpp>

#include <algorithm>
#include <cmath>
#include <new>
#include <optional>
#include <string>
#include <utility>

namespace weft {

namespace contouring {

namespace {

/// The points that are corners of this rank's cells, each once, numbered in the order of their first use.
struct corner_points {
    std::vector<global_id> ids;
    std::vector<std::uint32_t> of_corners;
};

/// Active cells by their ids, with their kinds and corners, which move together. `touched` is added to the
/// kind of a cell that a plane only touches.
struct active_mesh_cells {
    static constexpr std::size_t width = 9;
    std::vector<global_id> ids;
    static constexpr global_id touched = 256;
    std::vector<global_id> records; ///< `width` numbers for each cell, the kind first
};

id_space ids_of(mesh const& of, std::size_t values) {
    std::int64_t const points = of.points.end();
    if (points > 3'037'000'499) // the square root of 2^63
        throw usage_error(
            "contour: expected at most 3037000499 points of a mesh, found " + std::to_string(points));
    return {std::max<std::int64_t>(of.cells.end(), 1), std::max<std::int64_t>(points * points, 1),
        static_cast<std::int64_t>(values)};
}

void check_field(mesh const& of, std::span<double const> field) {
    if (field.size() != of.places.size())
        throw usage_error("contour: expected a value for each of " + std::to_string(of.places.size()) +
                          " points of this rank, found " + std::to_string(field.size()));
}

/// `values`: at the points in `points`; `touched`: a mark for each cell, or empty.
active_mesh_cells find_active(mesh const& of, global_id first, corner_points const& points,
    std::vector<double> const& values, std::span<double const> wanted,
    std::vector<std::uint8_t> const& touched) {
    active_mesh_cells active;
    std::size_t at = 0;
    for (std::size_t cell = 0; cell < of.kinds.size(); ++cell) {
        std::size_t const end = at + corners_of(of.kinds[cell]);
        double least = values[points.of_corners[at]];
        double largest = least;
        bool complete = true;
        for (std::size_t corner = at; corner < end; ++corner) {
            double const value = values[points.of_corners[corner]];
            complete = complete && std::isfinite(value);
            least = std::min(least, value);
            largest = std::max(largest, value);
        }
        for (std::size_t v = 0; complete && v < wanted.size(); ++v) {
            bool const touches = !touched.empty() && touched[cell] != 0;
            if (!(least < wanted[v] && largest >= wanted[v]) && !touches) continue;
            active.ids.push_back(
                (first + static_cast<global_id>(cell)) * static_cast<global_id>(wanted.size()) +
                static_cast<global_id>(v));
            active.records.push_back(
                static_cast<global_id>(of.kinds[cell]) + (touches ? active_mesh_cells::touched : 0));
            active.records.insert(active.records.end(), of.corners.begin() + static_cast<std::ptrdiff_t>(at),
                of.corners.begin() + static_cast<std::ptrdiff_t>(end));
            active.records.resize(active.ids.size() * active_mesh_cells::width, 0);
        }
        at = end;
    }
    return active;
}

/// Finds the active cells of this rank's block of a mesh.
active_mesh_cells find_active(communicator const& comm, mesh const& of, std::span<double const> field,
    std::span<double const> wanted, bool of_plane) {
    corner_points points;
    agreed(comm, [&] {
        numbers_of_neighbors numbers(of.corners.size() / 4);
        points.of_corners.reserve(of.corners.size());
        for (global_id const corner : of.corners) points.of_corners.push_back(numbers.number_of(corner));
        points.ids = std::move(numbers).take_ids();
    });
    std::vector<double> const values = block_to_part(comm, of.points, points.ids).exchange(field);
    std::vector<std::uint8_t> touched;
    if (of_plane) {
        std::vector<double> of_corners;
        agreed(comm, [&] {
            for (std::uint32_t const point : points.of_corners) of_corners.push_back(values[point]);
        });
        touched = touched_cells(comm, of, of_corners);
    }
    active_mesh_cells active;
    agreed(comm,
        [&] { active = find_active(of, of.cells.begin(comm.rank()), points, values, wanted, touched); });
    return active;
}

/// Ends before the census of the call that reports its failure.
void balance(gate& call, id_space const& ids, active_mesh_cells& active) {
    communicator const& comm = call.comm();
    balanced_blocks const shares = balance_blocks(
        comm, parts_view<global_id>(active.ids), {.total = ids.cells * ids.values, .tolerance = 0.02});
    part_to_block const plan(comm, shares.blocks, active.ids);
    active.records = plan.lowest(active.records, active_mesh_cells::width);
    call.guard([&] { active.ids.assign(plan.ids().begin(), plan.ids().end()); });
}

/// The cells of a mesh, for the kernel, with the data of their corners.
class mesh_cells {
public:
    /// Collective.
    mesh_cells(communicator const& comm, mesh const& of, std::span<double const> field, id_space const& ids,
        std::span<double const> wanted, active_mesh_cells const& active)
        : ids_(ids),
          wanted_(wanted),
          active_(active),
          names_cells_(!of.of_cells.empty()),
          point_count_(of.points.end()) {
        agreed(comm, [&] {
            numbers_of_neighbors numbers(active.ids.size());
            points_.of_corners.reserve(8 * active.ids.size());
            for (std::size_t i = 0; i < active.ids.size(); ++i)
                for (std::size_t corner = 0; corner < 8; ++corner)
                    points_.of_corners.push_back(
                        numbers.number_of(active.records[i * active_mesh_cells::width + 1 +
                                                         (corner < corners_of(kind_of(i)) ? corner : 0)]));
            points_.ids = std::move(numbers).take_ids();
        });
        block_to_part const plan(comm, of.points, points_.ids);
        places_ = plan.exchange(of.places);
        values_ = plan.exchange(field);
        for (named_values const& each : of.of_points) {
            components_.push_back(static_cast<std::size_t>(each.components));
            carried_.push_back(plan.exchange(each.values, components_.back()));
        }
    }

    [[nodiscard]] std::size_t size() const noexcept { return active_.ids.size(); }
    /// Ids of edges follow from points, which may have any numbers.
    [[nodiscard]] static constexpr std::size_t reach_of_edges() noexcept { return SIZE_MAX; }
    [[nodiscard]] std::size_t carried_fields() const noexcept { return carried_.size(); }
    [[nodiscard]] bool names_cells() const noexcept { return names_cells_; }
    void load(std::size_t i) {
        table_ = &table_of(kind_of(i));
        touched_ = active_.records[i * active_mesh_cells::width] >= active_mesh_cells::touched;
        value_ = active_.ids[i] % ids_.values;
        corners_ = points_.of_corners.data() + 8 * i;
    }
    [[nodiscard]] cell_table const& table() const noexcept { return *table_; }
    [[nodiscard]] double bound() const noexcept { return wanted_[static_cast<std::size_t>(value_)]; }
    [[nodiscard]] double corner_value(std::size_t corner) const noexcept {
        double const value = values_[corners_[corner]];
        return touched_ && value == 0 ? just_behind : value;
    }

    /// Cells of files have both orientations; the sign of the volume between the faces shows which.
    [[nodiscard]] bool is_inside_out() const noexcept {
        return volume_of(*table_, [&](std::size_t c) { return places_[corners_[c]]; }) < 0;
    }
    [[nodiscard]] global_id edge_id(std::size_t edge) const noexcept {
        auto const [a, b] = ends_of(edge);
        return (points_.ids[a] * point_count_ + points_.ids[b]) * ids_.values + value_;
    }
    /// Uses the id of an edge from the point to itself, which no cell has.
    [[nodiscard]] global_id corner_id(std::size_t corner) const noexcept {
        return points_.ids[corners_[corner]] * (point_count_ + 1) * ids_.values + value_;
    }
    [[nodiscard]] place3 place_of(std::size_t corner) const noexcept { return places_[corners_[corner]]; }
    void carry_of(std::size_t corner, std::vector<std::vector<double>>& into) const {
        for (std::size_t field = 0; field < carried_.size(); ++field) {
            auto const from =
                carried_[field].begin() + static_cast<std::ptrdiff_t>(corners_[corner] * components_[field]);
            into[field].insert(
                into[field].end(), from, from + static_cast<std::ptrdiff_t>(components_[field]));
        }
    }
    [[nodiscard]] place3 place_on(std::size_t edge) const noexcept {
        auto const [a, b] = ends_of(edge);
        double const share = share_of_way(values_[a], values_[b], bound());
        place3 place = places_[a];
        for (std::size_t d = 0; d < 3; ++d) place[d] += share * (places_[b][d] - place[d]);
        return place;
    }
    void carry_on(std::size_t edge, std::vector<std::vector<double>>& into) const {
        if (carried_.empty()) return;
        auto const [a, b] = ends_of(edge);
        double const share = share_of_way(values_[a], values_[b], bound());
        for (std::size_t field = 0; field < carried_.size(); ++field)
            for (std::size_t c = 0; c < components_[field]; ++c) {
                double const from = carried_[field][a * components_[field] + c];
                double const to = carried_[field][b * components_[field] + c];
                into[field].push_back(from + share * (to - from));
            }
    }

private:
    [[nodiscard]] cell_kind kind_of(std::size_t i) const noexcept {
        return static_cast<cell_kind>(
            active_.records[i * active_mesh_cells::width] % active_mesh_cells::touched);
    }
    /// Returns the ends in the order of the points, so that all cells of an edge compute the same bits.
    [[nodiscard]] std::pair<std::size_t, std::size_t> ends_of(std::size_t edge) const noexcept {
        std::size_t const a = corners_[table_->edges[edge][0]];
        std::size_t const b = corners_[table_->edges[edge][1]];
        return points_.ids[a] < points_.ids[b] ? std::pair(a, b) : std::pair(b, a);
    }
    id_space const& ids_;
    std::span<double const> wanted_;
    active_mesh_cells const& active_;
    bool names_cells_;
    std::int64_t point_count_;
    corner_points points_; // eight corners for each cell
    std::vector<place3> places_;
    std::vector<double> values_;
    std::vector<std::size_t> components_;
    std::vector<std::vector<double>> carried_;
    // The current cell:
    cell_table const* table_ = nullptr;
    bool touched_ = false;
    std::int64_t value_ = 0;
    std::uint32_t const* corners_ = nullptr;
};

/// Sets the values of `into.of_triangles` to those of the cells that contain the triangles.
void carry_cell_fields(gate& call, mesh const& of, id_space const& ids, active_mesh_cells const& active,
    marched const& made, surface& into) {
    if (of.of_cells.empty()) return;
    std::vector<global_id> cells;
    agreed(call, [&] {
        cells.reserve(active.ids.size());
        for (global_id const each : active.ids) cells.push_back(each / ids.values);
        for (named_values& each : into.of_triangles)
            each.values.reserve(made.cells.size() * static_cast<std::size_t>(each.components));
    });
    block_to_part const plan(call.comm(), of.cells, cells);
    for (std::size_t field = 0; field < of.of_cells.size(); ++field) {
        named_values& carried = into.of_triangles[field];
        auto const width = static_cast<std::size_t>(carried.components);
        std::vector<double> const of_active = plan.exchange(of.of_cells[field].values, width);
        for (std::size_t const cell : made.cells)
            for (std::size_t c = 0; c < width; ++c) carried.values.push_back(of_active[cell * width + c]);
    }
}

contour_result contour_of(communicator const& comm, mesh const& of, std::span<double const> field,
    contour_options const& options, bool of_plane) {
    laps lap(options.lap);
    check(comm, of);
    gate call(comm, "contour");
    id_space ids;
    contour_result result;
    std::vector<double> wanted;
    std::exception_ptr const failure = detail::failure_in([&] {
        ids = ids_of(of, options.values.size());
        check(options, ids);
        check_field(of, field);
        for (value_bound const& each : options.values) wanted.push_back(each.nearest());
        for (named_values const& each : of.of_points)
            result.made.of_points.push_back({each.name, each.components, {}});
        for (named_values const& each : of.of_cells)
            result.made.of_triangles.push_back({each.name, each.components, {}});
    });
    (void)agree_on("contour", comm, failure, print_of(options), "have different options");
    active_mesh_cells active = find_active(comm, of, field, wanted, of_plane);
    lap("find");
    spread(
        call, options, active.ids, [&] { balance(call, ids, active); }, result);
    lap("balance");
    mesh_cells cells(comm, of, field, ids, wanted, active);
    marched made;
    std::vector<std::int64_t> active_cells;
    agreed(call, [&] {
        made = march(cells);
        active_cells = count_by_value(active.ids, ids);
    });
    lap("kernel");
    carry_cell_fields(call, of, ids, active, made, result.made);
    assemble(comm, std::move(made), active_cells, ids, result);
    lap("number");
    lap.end(comm);
    return result;
}

} // namespace

contour_result contour_of_plane(communicator const& comm, mesh const& of, std::span<double const> distances,
    contour_options const& options) try {
    return contour_of(comm, of, distances, options, true);
} catch (std::bad_alloc const&) {
    alone_unless_agreed("contour");
    throw;
}

} // namespace contouring

contour_result contour(communicator const& comm, mesh const& of, std::span<double const> field,
    contour_options const& options) try {
    return contouring::contour_of(comm, of, field, options, false);
} catch (std::bad_alloc const&) {
    alone_unless_agreed("contour");
    throw;
}

} // namespace weft
