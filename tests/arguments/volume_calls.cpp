#include "trial.hpp"

#include <weft/contouring/contour.hpp>
#include <weft/contouring/slice.hpp>
#include <weft/contouring/threshold.hpp>
#include <weft/contouring/write_mesh.hpp>
#include <weft/contouring/write_surface.hpp>
#include <weft/labelling/label_volume.hpp>
#include <weft/tracing/trace_particles.hpp>

#include <cmath>

namespace arguments {

namespace {

constexpr std::int64_t side = 7; // points of a grid

template <class Use>
void each_point(weft::box<std::int64_t> const& box, Use&& use) {
    for (std::int64_t z = box.lo[2]; z < box.hi[2]; ++z)
        for (std::int64_t y = box.lo[1]; y < box.hi[1]; ++y)
            for (std::int64_t x = box.lo[0]; x < box.hi[0]; ++x) use(x, y, z);
}

double height(std::int64_t x, std::int64_t y, std::int64_t z) {
    return static_cast<double>((x - 3) * (x - 3) + (y - 3) * (y - 3) + (z - 3) * (z - 3));
}

/// The grid and the layers of it that this rank has, one more than its cells.
struct given_grid {
    explicit given_grid(trial& now) {
        std::int64_t const from = (side - 1) * now.rank() / now.size();
        std::int64_t const to = (side - 1) * (now.rank() + 1) / now.size() + 1;
        weft::box<std::int64_t> box{3, {0, 0, from}, {side, side, to}};
        each_point(box, [&](auto x, auto y, auto z) { values.push_back(height(x, y, z)); });
        values = now.own("values", values);
        box.lo[0] = now.own("lo of a box", box.lo[0]);
        box.hi[2] = now.own("hi of a box", box.hi[2]);
        box.dimensions = now.own("dimensions of a box", box.dimensions, {0, 1, 2, 4, -1});
        lines.points = now.equal("points", std::array<std::int64_t, 3>{side, side, side});
        lines.axes[1] =
            now.equal("axis", lines.axes[1], {{0, 1}, {0, 1, 2, 3, 4, 5, 6.5}, {0, 2, 1, 3, 4, 5, 6}});
        lines.missing = now.equal("missing", lines.missing);
        lines.carried = now.equal("carried", lines.carried, {{"field"}});
        lines.values_of_cells = now.equal("values_of_cells", false);
        boxes.push_back({box, values, {}});
    }
    std::vector<double> values;
    std::vector<weft::grid_values<double>> boxes;
    weft::grid_lines lines;
};

void contoured_grid(trial& now) {
    given_grid const grid(now);
    weft::contour_options how;
    auto const levels = now.equal("levels", std::vector<double>{4, 5});
    how.balance = now.equal("balance", how.balance);
    now.under_test([&] {
        how.values.assign(levels.begin(), levels.end());
        (void)weft::contour<double>(now.comm(), grid.lines, grid.boxes, how);
    });
}

void sliced_grid(trial& now) {
    given_grid const grid(now);
    weft::plane by{{3, 3, 3.5}};
    by.through = now.equal("through", by.through);
    by.normal = now.equal("normal", by.normal);
    weft::slice_options how;
    how.balance = now.equal("balance", how.balance);
    auto const name = now.equal("name", std::string("height"), {"other"});
    now.under_test([&] { (void)weft::slice(now.comm(), grid.lines, grid.boxes, name, by, how); });
}

weft::threshold_options given_range(trial& now) {
    weft::threshold_options how;
    how.least = now.equal("least", 0.0);
    how.most = now.equal("most", 20.0);
    how.corners = now.equal("corners", how.corners);
    how.makes_mesh = now.equal("makes_mesh", true);
    return how;
}

void thresholded_grid(trial& now) {
    given_grid const grid(now);
    auto const how = given_range(now);
    now.under_test([&] { (void)weft::threshold(now.comm(), grid.lines, grid.boxes, "height", how); });
}

void thresholded_to_file(trial& now) {
    given_grid const grid(now);
    auto const how = given_range(now);
    auto const file = now.equal("file", now.path("a.vtu"));
    now.under_test(
        [&] { (void)weft::write_threshold(now.comm(), grid.lines, grid.boxes, "height", how, file); });
}

/// Tetrahedra of a fan around the first point, all on one line of points.
struct given_mesh {
    explicit given_mesh(trial& now) {
        auto const usual = weft::block_distribution::uniform(now.comm(), 12);
        auto const cells = weft::block_distribution::uniform(now.comm(), 9);
        for (std::int64_t i = 0; i < usual.size(now.rank()); ++i) {
            auto const at = static_cast<double>(usual.begin(now.rank()) + i);
            of.places.push_back({at, at * at, at * at * at});
            values.push_back(at);
        }
        for (std::int64_t i = 0; i < cells.size(now.rank()); ++i) {
            of.kinds.push_back(weft::cell_kind::tetrahedron);
            for (std::int64_t const corner : {0, 1, 2, 3})
                of.corners.push_back(cells.begin(now.rank()) + i + corner);
        }
        auto const other = weft::block_distribution::uniform(now.comm(), 13);
        of.points = now.equal("points", usual, {other});
        of.cells = now.equal("cells", cells, {other});
        of.places = now.own("places", of.places, {{}, std::vector<std::array<double, 3>>(1)});
        of.kinds = now.own("kinds", of.kinds,
            {{}, std::vector<weft::cell_kind>(of.kinds.size(), static_cast<weft::cell_kind>(77))});
        of.corners = now.own("corners", of.corners);
        values = now.own("values", values, {{}, std::vector<double>(99)});
        auto const name = now.equal("name of a field", std::string("height"), {"other"});
        auto const components = now.equal("components of a field", 1, {0, 2, -1, INT32_MAX});
        of.of_points.push_back({name, components, values});
    }
    weft::mesh of;
    std::vector<double> values;
};

void contoured_mesh(trial& now) {
    given_mesh const cells(now);
    weft::contour_options how;
    how.values = {4.5};
    now.under_test([&] { (void)weft::contour(now.comm(), cells.of, cells.values, how); });
}

void sliced_mesh(trial& now) {
    given_mesh const cells(now);
    now.under_test([&] { (void)weft::slice(now.comm(), cells.of, {{4.5, 0, 0}, {1, 0, 0}}); });
}

void thresholded_mesh(trial& now) {
    given_mesh const cells(now);
    auto const how = given_range(now);
    auto const of_cells = now.equal("of_cells", false);
    now.under_test([&] { (void)weft::threshold(now.comm(), cells.of, cells.values, of_cells, how); });
}

void checked_mesh(trial& now) {
    given_mesh const cells(now);
    now.under_test([&] { weft::check(now.comm(), cells.of); });
}

void merged_points(trial& now) {
    given_mesh cells(now);
    auto const tolerance = now.equal("tolerance", 0.25);
    now.under_test([&] { (void)weft::with_points_merged(now.comm(), std::move(cells.of), tolerance); });
}

void joined_points(trial& now) {
    given_mesh cells(now);
    weft::global_numbers numbers;
    numbers.numbers = std::vector<std::int64_t>(cells.of.places.size(), 0);
    numbers.numbers = now.own("numbers", numbers.numbers);
    numbers.count = now.equal("count", std::int64_t{1});
    now.under_test([&] { (void)weft::with_points_joined(now.comm(), std::move(cells.of), numbers); });
}

void written_mesh(trial& now) {
    given_mesh const cells(now);
    auto const file = now.equal("file", now.path("a.vtu"));
    now.under_test([&] { weft::write_mesh(now.comm(), cells.of, file); });
}

/// The contour of a mesh, with one thing wrong.
weft::surface given_surface(trial& now) {
    auto const points = weft::block_distribution::uniform(now.comm(), 12);
    auto const triangles = weft::block_distribution::uniform(now.comm(), 10);
    weft::surface made;
    made.points = now.equal("points", points, {weft::block_distribution::uniform(now.comm(), 13)});
    made.triangles = now.hint("triangles", triangles, {weft::block_distribution::uniform(now.comm(), 13)});
    auto const here = static_cast<std::size_t>(points.size(now.rank()));
    made.places = now.own(
        "places", std::vector<std::array<double, 3>>(here), {{}, std::vector<std::array<double, 3>>(99)});
    made.normals = now.own(
        "normals", std::vector<std::array<float, 3>>(here), {{}, std::vector<std::array<float, 3>>(99)});
    made.values = now.own("values", std::vector<std::int32_t>(here, 0));
    made.corners = now.own("corners", std::vector<std::array<weft::global_id, 3>>(
                                          static_cast<std::size_t>(triangles.size(now.rank())), {0, 1, 11}));
    return made;
}

void written_surface(trial& now, char const* name) {
    auto const made = given_surface(now);
    auto const wanted = now.equal("wanted", std::vector<double>{20, 9}, {{}, {20}, {20, 8}});
    auto const file = now.equal("file", now.path(name));
    now.under_test([&] { weft::write_surface(now.comm(), made, wanted, file); });
}

void corners_of_surface(trial& now) {
    auto const made = given_surface(now);
    now.under_test([&] { (void)weft::corners_of(now.comm(), made); });
}

void labelled(trial& now) {
    std::int64_t const usual = 2 * now.size();
    auto const blocks = now.equal("blocks", usual, {usual + 1, 1});
    weft::regular_grid<std::int64_t> const grid(weft::cell_box(side, side, side), blocks);
    auto const where = weft::assignment::contiguous(grid.blocks(), now.size());
    std::vector<float> mine;
    for (std::int64_t i = 0; i < where.blocks_of(now.rank()); ++i)
        each_point(
            grid.bounds(where.block_at(now.rank(), i)), [&](auto, auto, auto) { mine.push_back(1.0F); });
    mine = now.own("values", mine, {{}, std::vector<float>(1)});
    weft::volume_label_options how;
    how.threshold = now.equal("threshold", 0.5);
    auto const below = now.equal("below", std::optional<double>());
    if (below) how.below = *below;
    how.missing = now.equal("missing", how.missing);
    how.corners = now.equal("corners", false);
    now.under_test([&] { (void)weft::label_volume(now.comm(), grid, mine, how); });
}

void traced(trial& now) {
    weft::vector_grid grid{{side, side, side}};
    for (auto& axis : grid.axes)
        for (std::int64_t i = 0; i < side; ++i) axis.push_back(static_cast<double>(i));
    grid.points = now.equal("points", grid.points);
    grid.axes[1] = now.equal("axis", grid.axes[1], {{}, {0, 1}, {0, 1, 2, 3, 4, 5, 7}});
    grid.times = now.equal("times", grid.times);
    grid.periodic[0] = now.equal("periodic", false);
    auto const seeds = now.own("seeds", std::vector<weft::vector3>{{0.5, 1.5, 2.5}, {0.5, 2.5, 2.5}});
    auto const read = [](std::size_t, weft::box<std::int64_t> const& points, std::span<double> into) {
        std::size_t next = 0;
        each_point(points, [&](auto, auto, auto) {
            for (double const each : {1.0, 0.1, 0.2}) into[next++] = each;
        });
    };
    weft::path_options how;
    how.adaptive = now.equal("adaptive", false);
    how.step = now.equal("step", 0.5);
    how.max_steps = now.equal("max_steps", std::int64_t{20}, {0, -1, 21, INT64_MIN});
    how.duration = now.equal("duration", how.duration);
    how.tolerance = now.equal("tolerance", 1e-3);
    how.min_step = now.equal("min_step", 0.0);
    how.max_step = now.equal("max_step", 0.0);
    how.start = now.equal("start", how.start);
    how.backward = now.equal("backward", false);
    how.lines = now.equal("lines", true);
    how.blocks = now.equal("blocks", std::int64_t{4});
    how.threads = now.own("threads", 1);
    how.in_rounds = now.equal("in_rounds", false);
    now.under_test([&] { (void)weft::trace_particles(now.comm(), grid, read, seeds, how); });
}

} // namespace

std::vector<call> volume_calls() {
    std::vector<call> all{
        {"contour of a grid", contoured_grid},
        {"contour of a mesh", contoured_mesh},
        {"slice of a grid", sliced_grid},
        {"slice of a mesh", sliced_mesh},
        {"threshold of a grid", thresholded_grid},
        {"threshold of a mesh", thresholded_mesh},
        {"write_threshold", thresholded_to_file},
        {"check", checked_mesh},
        {"with_points_merged", merged_points},
        {"with_points_joined", joined_points},
        {"write_mesh", written_mesh},
        {"corners_of", corners_of_surface},
        {"label_volume", labelled},
        {"trace_particles", traced},
    };
    for (char const* name : {"a.vtp", "a.stl", "a.ply", "a.obj"})
        all.push_back(
            {"write_surface, " + std::string(name), [name](trial& now) { written_surface(now, name); }});
    return all;
}

} // namespace arguments
