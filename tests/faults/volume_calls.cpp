#include "call.hpp"

#include <weft/contouring/contour.hpp>
#include <weft/contouring/slice.hpp>
#include <weft/contouring/threshold.hpp>
#include <weft/contouring/write_mesh.hpp>
#include <weft/contouring/write_surface.hpp>
#include <weft/labelling/label_volume.hpp>
#include <weft/nbody/nbody_system.hpp>
#include <weft/nbody/plummer.hpp>
#include <weft/snapshots/snapshot.hpp>
#include <weft/tracing/trace_particles.hpp>

#include <optional>
#include <stdexcept>

namespace faults {

namespace {

constexpr std::int64_t side = 13; // points of a grid

/// The layers of a grid in z that this rank has, one more than its cells.
weft::box<std::int64_t> slab(trial const& now) {
    std::int64_t const from = (side - 1) * now.rank() / now.size();
    std::int64_t const to = (side - 1) * (now.rank() + 1) / now.size() + 1;
    return {3, {0, 0, from}, {side, side, to}};
}

double height(std::int64_t x, std::int64_t y, std::int64_t z) {
    return static_cast<double>((x - 6) * (x - 6) + (y - 6) * (y - 6) + (z - 6) * (z - 6));
}

template <class Use>
void each_point(weft::box<std::int64_t> const& box, Use&& use) {
    for (std::int64_t z = box.lo[2]; z < box.hi[2]; ++z)
        for (std::int64_t y = box.lo[1]; y < box.hi[1]; ++y)
            for (std::int64_t x = box.lo[0]; x < box.hi[0]; ++x) use(x, y, z);
}

struct slab_of_grid {
    explicit slab_of_grid(trial const& now) {
        auto const box = slab(now);
        each_point(box, [&](auto x, auto y, auto z) {
            values.push_back(height(x, y, z));
            levels.push_back(static_cast<double>(z));
        });
        weft::box<std::int64_t> cells = box;
        for (std::size_t d = 0; d < 3; ++d) --cells.hi[d];
        each_point(cells, [&](auto x, auto, auto) { columns.push_back(static_cast<double>(x)); });
        boxes.push_back({box, values, {levels}, {columns}});
        lines.carried = {"level"};
        lines.carried_of_cells = {"column"};
    }
    std::vector<double> values;
    std::vector<double> levels;
    std::vector<double> columns;
    std::vector<weft::grid_values<double>> boxes;
    weft::grid_lines lines{.points = {side, side, side}};
};

void on_lap(std::string_view) {
    in_callback();
}

void contoured_grid(trial& now) {
    slab_of_grid const grid(now);
    weft::contour_options const how{
        .values = {20.0, 9.0}, .balance = weft::cell_balance::always, .lap = on_lap};
    weft::contour_result got;
    if (now.under_test([&] { got = weft::contour<double>(now.comm(), grid.lines, grid.boxes, how); }))
        now.expect(got.of_values[0].components == 1 && got.of_values[1].components == 1 &&
                   got.made.of_triangles[0].values.size() == got.made.corners.size());
}

/// Hexahedra of the grid, each rank a slab, and the value of each point.
struct hexahedra {
    explicit hexahedra(trial const& now) {
        std::int64_t const layer = side * side;
        auto const bounds = [&](std::int64_t layers, std::int64_t each) {
            std::vector<weft::global_id> all;
            for (int rank = 0; rank <= now.size(); ++rank) all.push_back(layers * rank / now.size() * each);
            return weft::block_distribution(std::move(all));
        };
        of.points = bounds(side, layer);
        of.cells = bounds(side - 1, (side - 1) * (side - 1));
        std::int64_t const from = of.points.begin(now.rank()) / layer;
        std::int64_t const to = of.points.end(now.rank()) / layer;
        each_point({3, {0, 0, from}, {side, side, to}}, [&](auto x, auto y, auto z) {
            of.places.push_back({static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)});
            values.push_back(height(x, y, z));
        });
        std::int64_t const cells = (side - 1) * (side - 1);
        each_point({3, {0, 0, of.cells.begin(now.rank()) / cells},
                       {side - 1, side - 1, of.cells.end(now.rank()) / cells}},
            [&](auto x, auto y, auto z) {
                of.kinds.push_back(weft::cell_kind::hexahedron);
                std::int64_t const at = (z * side + y) * side + x;
                for (std::int64_t const up : {std::int64_t{0}, layer})
                    for (std::int64_t const corner : {std::int64_t{0}, std::int64_t{1}, side + 1, side})
                        of.corners.push_back(at + up + corner);
            });
        of.of_points.push_back({"height", 1, values});
        of.of_cells.push_back({"number", 1, {}});
        for (auto cell = of.cells.begin(now.rank()); cell < of.cells.end(now.rank()); ++cell)
            of.of_cells[0].values.push_back(static_cast<double>(cell));
    }
    weft::mesh of;
    std::vector<double> values;
};

void contoured_mesh(trial& now) {
    hexahedra const cells(now);
    weft::contour_options const how{.values = {20.0}, .lap = on_lap};
    weft::contour_result got;
    if (now.under_test([&] { got = weft::contour(now.comm(), cells.of, cells.values, how); }))
        now.expect(got.of_values[0].components == 1);
}

void sliced(trial& now) {
    hexahedra const cells(now);
    slab_of_grid const grid(now);
    weft::slice_options const how{.lap = on_lap};
    weft::contour_result of_mesh;
    weft::contour_result of_grid;
    if (now.under_test([&] {
            of_mesh = weft::slice(now.comm(), cells.of, {{6, 6, 6.5}}, how);
            of_grid = weft::slice(now.comm(), grid.lines, grid.boxes, "height", {{6, 6, 6.5}}, how);
        }))
        now.expect(of_mesh.of_values[0].components == 1 && of_grid.of_values[0].components == 1);
}

void thresholded(trial& now) {
    hexahedra const cells(now);
    slab_of_grid const grid(now);
    weft::threshold_options const how{.most = 20.0, .lap = on_lap};
    weft::threshold_result of_mesh;
    weft::threshold_result of_grid;
    if (now.under_test([&] {
            of_mesh = weft::threshold(now.comm(), cells.of, cells.values, false, how);
            of_grid = weft::threshold(now.comm(), grid.lines, grid.boxes, "height", how);
        }))
        now.expect(of_mesh.components == 1 && of_grid.components == 1 && of_mesh.volume == of_grid.volume);
}

void thresholded_to_file(trial& now) {
    slab_of_grid const grid(now);
    weft::threshold_options const how{.most = 20.0, .lap = on_lap};
    weft::threshold_result made;
    if (now.under_test([&] {
            made = weft::write_threshold(
                now.comm(), grid.lines, grid.boxes, "height", how, now.path("kept.vtu"));
        }))
        now.expect(made.components == 1 && made.kept.cells.total() == 0);
}

void checked_mesh(trial& now) {
    hexahedra const cells(now);
    auto mine = cells.of;
    weft::mesh merged;
    if (now.under_test([&] {
            weft::check(now.comm(), cells.of);
            merged = weft::with_points_merged(now.comm(), std::move(mine), 0.25);
        }))
        now.expect(merged.points.total() == side * side * side);
}

/// A sheet over a lattice, each rank some rows of it, on the contours of two values.
weft::surface sheet(trial const& now) {
    constexpr std::int64_t width = 60;
    auto const bounds = [&](std::int64_t rows, std::int64_t each) {
        std::vector<weft::global_id> all;
        for (int rank = 0; rank <= now.size(); ++rank) all.push_back(rows * rank / now.size() * each);
        return weft::block_distribution(std::move(all));
    };
    weft::surface made;
    made.points = bounds(width, width);
    made.triangles = bounds(width - 1, 2 * (width - 1));
    for (std::int64_t id = made.points.begin(now.rank()); id < made.points.end(now.rank()); ++id) {
        made.places.push_back({static_cast<double>(id % width), static_cast<double>(id / width), 0});
        made.normals.push_back({0, 0, 1});
        made.values.push_back(static_cast<std::int32_t>(id % 2));
    }
    for (std::int64_t id = made.triangles.begin(now.rank()); id < made.triangles.end(now.rank()); ++id) {
        std::int64_t const at = id / 2 / (width - 1) * width + id / 2 % (width - 1);
        made.corners.push_back(id % 2 == 0 ? std::array{at, at + 1, at + width}
                                           : std::array{at + 1, at + width + 1, at + width});
    }
    made.of_points.push_back({"height", 1, std::vector<double>(made.places.size(), 0.5)});
    made.of_triangles.push_back({"kind", 1, std::vector<double>(made.corners.size(), 2)});
    return made;
}

void corners_of_surface(trial& now) {
    auto const made = sheet(now);
    weft::triangle_corners got;
    if (now.under_test([&] { got = weft::corners_of(now.comm(), made); }))
        now.expect(got.places.size() == 3 * made.corners.size());
}

void written_surface(trial& now, char const* name) {
    auto const made = sheet(now);
    std::vector<double> const wanted{20, 9};
    std::string const file = now.path(name);
    (void)now.under_test([&] { weft::write_surface(now.comm(), made, wanted, file); });
}

void written_mesh(trial& now, char const* name) {
    hexahedra const cells(now);
    std::string const file = now.path(name);
    (void)now.under_test([&] { weft::write_mesh(now.comm(), cells.of, file); });
}

void labelled(trial& now) {
    constexpr std::int64_t long_side = 24;
    weft::regular_grid<std::int64_t> const grid(
        weft::cell_box(long_side, long_side, long_side), 2 * now.size());
    auto const where = weft::assignment::contiguous(grid.blocks(), now.size());
    std::vector<float> mine;
    for (std::int64_t i = 0; i < where.blocks_of(now.rank()); ++i)
        each_point(grid.bounds(where.block_at(now.rank(), i)),
            [&](auto x, auto y, auto z) { mine.push_back((x + 3 * y + 5 * z) % 7 < 2 ? 1.0F : 0.0F); });
    weft::volume_labels got;
    if (now.under_test([&] { got = weft::label_volume(now.comm(), grid, mine); }))
        now.expect(got.labels.size() == mine.size() && got.components > 0);
}

/// `count` seeds of this rank, in a square of some `width`.
void traced(trial& now, int count, double width, weft::path_options how) {
    weft::vector_grid grid{{side, side, side}};
    for (auto& axis : grid.axes)
        for (std::int64_t i = 0; i < side; ++i) axis.push_back(static_cast<double>(i));
    std::vector<weft::vector3> seeds;
    for (int i = 0; i < count; ++i)
        seeds.push_back({0.5, 0.5 + width * (i % 10) / 10, 0.5 + width * i / count});
    auto const read = [](std::size_t, weft::box<std::int64_t> const& points, std::span<double> into) {
        in_callback();
        std::size_t next = 0;
        each_point(points, [&](auto, auto, auto) {
            for (double const each : {1.0, 0.1, 0.2}) into[next++] = each;
        });
    };
    how.step = 0.5;
    how.max_steps = 20;
    how.lines = count > 100;
    std::optional<weft::traces> got;
    if (now.under_test([&] { got = weft::trace_particles(now.comm(), grid, read, seeds, how); }))
        now.expect(got.has_value());
}

void system_of_particles(trial& now, weft::tree_engine engine) {
    auto mine = weft::generate_plummer(now.comm(), {.particles = 400});
    weft::nbody_totals all;
    if (now.under_test([&] {
            weft::nbody_system system(now.comm(), std::move(mine), {.engine = engine});
            system.find_forces();
            system.advance(0.01);
            all = system.totals();
            (void)system.record();
        }))
        now.expect(all.particles == 400);
}

/// Also after an error all particles are there.
void system_goes_on(trial& now, weft::tree_engine engine) {
    weft::nbody_system system(
        now.comm(), weft::generate_plummer(now.comm(), {.particles = 400}), {.skew = 0, .engine = engine});
    system.find_forces();
    (void)now.under_test([&] { system.advance(0.5); });
    system.find_forces();
    if (system.totals().particles != 400) throw std::logic_error("particles are lost");
    now.expect(std::ssize(system.forces()) == std::ssize(system.particles()));
}

void written_particles(trial& now, char const* name) {
    auto mine = weft::generate_plummer(now.comm(), {.particles = 400});
    std::string const file = now.path(name);
    (void)now.under_test([&] { weft::write_particles(now.comm(), file, std::move(mine)); });
}

void particles_in_files(trial& now, char const* name) {
    auto const mine = weft::generate_plummer(now.comm(), {.particles = 400});
    auto given = mine;
    std::string const file = now.path(name);
    weft::snapshot got;
    if (now.under_test([&] {
            weft::write_particles(now.comm(), file, std::move(given));
            got = weft::read_particles(now.comm(), file);
        }))
        now.expect(!got.particles.empty());
}

void checkpoint_of_particles(trial& now) {
    auto mine = weft::generate_plummer(now.comm(), {.particles = 400});
    auto given = mine;
    weft::nbody_system system(now.comm(), std::move(mine));
    system.find_forces();
    std::string const file = now.path("state");
    std::string const forces = now.path("forces.csv");
    weft::snapshot got;
    if (now.under_test([&] {
            weft::write_checkpoint(now.comm(), file, std::move(given), 1.5, {});
            got = weft::read_particles(now.comm(), file);
            weft::write_forces(now.comm(), forces, system);
        }))
        now.expect(got.time == 1.5);
}

} // namespace

std::vector<call> volume_calls() {
    std::vector<call> all{
        {"contour of a grid", contoured_grid},
        {"contour of a mesh", contoured_mesh},
        {"slice", sliced},
        {"threshold", thresholded},
        {"write_threshold", thresholded_to_file},
        {"check, with_points_merged", checked_mesh},
        {"corners_of", corners_of_surface},
        {"label_volume", labelled},
        {"trace_particles", [](trial& now) { traced(now, 800, 10, {}); }},
        // So few that no message is large, though what a block gets within `iexchange` is.
        {"trace_particles, few", [](trial& now) { traced(now, 66 / now.size(), 1, {}); }, told::all,
            memory::large},
        {"trace_particles in rounds", [](trial& now) { traced(now, 800, 10, {.in_rounds = true}); }},
        {"trace_particles, adaptive, on threads",
            [](trial& now) {
                traced(now, 800, 10, {.adaptive = true, .duration = 9, .threads = 2, .in_rounds = true});
            }},
        {"nbody_system", [](trial& now) { system_of_particles(now, weft::tree_engine::exchange); }},
        {"nbody_system by mailbox", [](trial& now) { system_of_particles(now, weft::tree_engine::mailbox); }},
        {"nbody_system::advance", [](trial& now) { system_goes_on(now, weft::tree_engine::exchange); }},
        {"nbody_system::advance by mailbox",
            [](trial& now) { system_goes_on(now, weft::tree_engine::mailbox); }},
        {"write_particles, a.vtp", [](trial& now) { written_particles(now, "a.vtp"); }},
        {"write_checkpoint, write_forces", checkpoint_of_particles},
    };
    for (char const* name : {"a.vtp", "a.pvtp", "a.stl", "a.ply"})
        all.push_back(
            {"write_surface, " + std::string(name), [name](trial& now) { written_surface(now, name); }});
    all.push_back({"write_mesh", [](trial& now) { written_mesh(now, "a.vtu"); }});
    for (char const* name : {"a.csv", "a.tipsy"})
        all.push_back(
            {"particles, " + std::string(name), [name](trial& now) { particles_in_files(now, name); }});
    return all;
}

} // namespace faults
