#include "call.hpp"

#include <grids/views/memory_grid.hpp>
#include <labelling/block_labels.hpp>
#include <labelling/label_picture.hpp>
#include <labelling/tracks.hpp>
#include <meshes/field_at_points.hpp>
#include <meshes/read_mesh.hpp>
#include <rendering/render.hpp>
#include <tracing/line_store.hpp>
#include <tracing/seeds.hpp>
#include <tracing/write_vtp.hpp>

#include <tracing/formula_flow.hpp>

#include <weft/contouring/write_mesh.hpp>
#include <weft/protocol/collectives.hpp>

#include <limits>
#include <memory>
#include <optional>

// The collective functions that the command has beside the library.

namespace faults {

namespace {

constexpr std::int64_t side = 24;

/// Voxels of many small components, and the labels of the blocks of this rank.
struct labelled_volume {
    explicit labelled_volume(trial const& now)
        : grid(weft::cell_box(side, side, side), {1, 1, 2 * now.size()}),
          blocks(now.comm(), grid, weft::assignment::contiguous(grid.blocks(), now.size()),
              [&](weft::block_id id) {
                  weft::box<std::int64_t> const in = grid.bounds(id);
                  std::vector<std::uint8_t>& here = values.emplace_back();
                  for (std::int64_t z = in.lo[2]; z < in.hi[2]; ++z)
                      for (std::int64_t y = in.lo[1]; y < in.hi[1]; ++y)
                          for (std::int64_t x = in.lo[0]; x < in.hi[0]; ++x)
                              here.push_back((x + 3 * y + 5 * z) % 7 < 2 ? 1 : 0);
                  weft::labelled_block made;
                  made.rows = weft::find_runs(
                      std::as_bytes(std::span(here)), weft::value_type::uint8, in, {.threshold = 1});
                  return made;
              }) {
        shape.points = {side, side, side};
        shape.type = weft::value_type::uint8;
        number_axes(shape);
    }
    void label() { components = label_blocks(blocks, grid, {.neighbors = {}}).components; }
    [[nodiscard]] std::vector<weft::painted_box> painted() {
        std::vector<weft::painted_box> made;
        blocks.for_each([&](weft::labelled_block& block, weft::block_id) {
            made.push_back(weft::paint_labels(block.rows, block.whole, false));
        });
        return made;
    }

    weft::regular_grid<std::int64_t> grid;
    std::vector<std::vector<std::uint8_t>> values;
    weft::block_set<weft::labelled_block> blocks;
    weft::grid_shape shape;
    std::int64_t components = 0;
};

void labelled_blocks(trial& now) {
    labelled_volume volume(now);
    if (now.under_test([&] { volume.label(); })) now.expect(volume.components > 0);
}

void tracked(trial& now) {
    labelled_volume volume(now);
    volume.label();
    weft::tracks found;
    if (now.under_test([&] { found = find_tracks(volume.blocks, volume.grid, {.neighbors = {}}); }))
        now.expect(found.summary.objects > 0);
}

void picture_of_labels(trial& now) {
    labelled_volume volume(now);
    volume.label();
    auto const painted = volume.painted();
    std::vector<std::vector<std::byte>> bytes;
    std::vector<weft::seen_block> seen;
    for (auto const& each : volume.values) {
        auto const view = std::as_bytes(std::span(each));
        bytes.emplace_back(view.begin(), view.end());
    }
    for (std::size_t i = 0; i < painted.size(); ++i) seen.push_back({&bytes[i], &painted[i]});
    weft::picture got;
    if (now.under_test([&] {
            got = draw_labels(now.comm(), volume.shape, seen, weft::picture_view::frames, 0,
                {"a title", "value"}, weft::light_theme());
        }))
        now.expect(got.rgb.empty() == (now.rank() != 0));
}

void rendered_volume(trial& now, bool by_merge) {
    auto const values = std::make_shared<std::vector<float>>();
    for (std::int64_t i = 0; i < side * side * side; ++i) values->push_back(static_cast<float>(i % 97));
    weft::grid_shape shape;
    shape.points = {side, side, side};
    shape.type = weft::value_type::float32;
    number_axes(shape);
    auto const source = weft::grid_in_memory(shape, std::as_bytes(std::span(*values)), values);
    weft::transfer_function const transfer("grey", 0.1);
    weft::render_options options{.blocks = 2 * now.size(), .by_merge = by_merge};
    options.view.width = options.view.height = 40;
    weft::rendered got;
    if (now.under_test(
            [&] { got = render(now.comm(), *source, transfer, options, [](std::string_view) {}); }))
        now.expect(got.pixels.empty() == (now.rank() != 0));
}

/// Cubes in a row along x, with a field.
weft::mesh_input row_of_cubes(trial const& now) {
    constexpr std::int64_t cubes = 900;
    weft::mesh_input made;
    made.of.points = weft::block_distribution::uniform(now.comm(), 4 * (cubes + 1));
    made.of.cells = weft::block_distribution::uniform(now.comm(), cubes);
    for (auto id = made.of.points.begin(now.rank()); id < made.of.points.end(now.rank()); ++id)
        made.of.places.push_back(
            {static_cast<double>(id / 4), static_cast<double>(id & 1), static_cast<double>(id >> 1 & 1)});
    made.field = {"f", 1, {}};
    made.field_of_cells = true;
    for (auto cube = made.of.cells.begin(now.rank()); cube < made.of.cells.end(now.rank()); ++cube) {
        made.of.kinds.push_back(weft::cell_kind::hexahedron);
        for (std::int64_t const corner : {0, 4, 5, 1, 2, 6, 7, 3})
            made.of.corners.push_back(4 * cube + corner);
        made.field.values.push_back(
            cube % 100 == 7 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(cube));
    }
    return made;
}

void mesh_in_file(trial& now) {
    auto given = row_of_cubes(now);
    given.of.of_points.push_back({"height", 1, std::vector<double>(given.of.places.size(), 0.5)});
    std::string const file = now.path("mesh.vtu");
    weft::write_mesh(now.comm(), given.of, file);
    weft::mesh_input got;
    if (now.under_test([&] { got = read_mesh(now.comm(), file, {.field = "height"}); }))
        now.expect(got.of.cells.total() == given.of.cells.total());
}

void field_moved_to_points(trial& now) {
    auto given = row_of_cubes(now);
    std::optional<weft::mesh_input> got;
    if (now.under_test([&] { got = with_field_at_points(now.comm(), std::move(given)); }))
        now.expect(got->field.values.size() == got->of.places.size());
}

void seeds_by_text(trial& now, char const* text) {
    auto const axis = weft_test::even_points(0, 10, 25);
    weft_test::formula_flow const field(axis, axis, axis, [](weft::vector3 const& at, double) {
        return weft::vector3{1 + at[0], 0, 0};
    });
    std::vector<weft::seed> got;
    if (now.under_test([&] { got = make_seeds(now.comm(), field, text, 7); })) now.expect(!got.empty());
}

/// Lines of a rank, with seeds of its own.
weft::line_set lines_of(trial const& now) {
    weft::line_set made;
    for (std::int64_t line = 0; line < 20; ++line) {
        for (int i = 0; i < 60; ++i) made.points.push_back({{static_cast<float>(i), 0, 0}, 1});
        made.seeds.push_back(20 * now.rank() + line);
        made.ends.push_back(static_cast<std::int64_t>(made.points.size()));
    }
    return made;
}

void gathered_lines(trial& now) {
    auto const mine = lines_of(now);
    weft::line_set got;
    if (now.under_test([&] { got = gather_lines(now.comm(), mine, 100000); }))
        now.expect(got.seeds.size() == (now.rank() == 0 ? 20U * static_cast<unsigned>(now.size()) : 0U));
}

void lines_in_file(trial& now) {
    auto const mine = lines_of(now);
    std::string const file = now.path("lines.vtp");
    (void)now.under_test([&] { weft::write_vtp(now.comm(), file, mine); });
}

} // namespace

std::vector<call> application_calls() {
    std::vector<call> all{
        {"label_blocks", labelled_blocks},
        {"find_tracks", tracked},
        {"draw_labels", picture_of_labels},
        {"render", [](trial& now) { rendered_volume(now, false); }},
        {"render by merge", [](trial& now) { rendered_volume(now, true); }},
        {"read_mesh", mesh_in_file},
        {"with_field_at_points", field_moved_to_points},
        {"gather_lines", gathered_lines},
        {"write_vtp of lines", lines_in_file},
    };
    for (char const* text : {"every:2", "box:12,12,12", "random:2000"})
        all.push_back({"make_seeds, " + std::string(text), [text](trial& now) { seeds_by_text(now, text); }});
    return all;
}

} // namespace faults
