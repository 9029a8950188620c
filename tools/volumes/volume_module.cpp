/// The module's side of tools/launch/volume_module.hpp.
#include "launch/volume_module.hpp"

#include "hdf5_edges.hpp"
#include "launch/program.hpp"

#include <grids/grid_formats.hpp>
#include <meshes/mesh_formats.hpp>
#include <snapshots/snapshot_formats.hpp>

#include <algorithm>

namespace weft::tool {

namespace {

constexpr command_row commands[] = {{"describe", make_describe}, {"label", make_label}, {"trace", make_trace},
    {"render", make_render}, {"contour", make_contour}, {"slice", make_slice}, {"threshold", make_threshold},
    {"histogram", make_histogram}, {"nbody", make_nbody}, {"simulate", make_simulate},
    {"reproduce", make_reproduce}};

std::unique_ptr<command> make_from_module(std::string_view name, CLI::App& app) {
    auto const found = std::ranges::find(commands, name, &command_row::name);
    return found == std::ranges::end(commands) ? nullptr : found->make(app);
}

std::vector<std::string> texts_of(std::vector<std::string_view> const& from) {
    return {from.begin(), from.end()};
}

std::vector<reader_row> readers_of_module() {
    std::vector<reader_row> rows;
    for (grid_format const& each : grid_formats())
        rows.push_back({"volumes", std::string(each.name), texts_of(each.endings),
            std::string(each.open == nullptr ? each.left_out_by : "")});
    for (mesh_format const& each : mesh_formats())
        rows.push_back({"meshes", std::string(each.name), texts_of(each.endings),
            std::string(each.read == nullptr && !each.with_solution ? each.left_out_by : "")});
    for (std::string const& each : snapshots::names_of_particle_formats())
        rows.push_back({"particles", each, {}, {}});
    return rows;
}

void draw_chart_by_module(
    std::filesystem::path const& file, std::string const& title, std::vector<chart_panel> const& panels) {
    write_png(file, draw_chart(title, panels, light_theme()));
}

} // namespace

} // namespace weft::tool

extern "C" weft::tool::volume_module const* weft_volume_module() {
    static constexpr weft::tool::volume_module module{weft::tool::make_from_module,
        weft::tool::read_hdf5_edges, weft::tool::readers_of_module, weft::tool::draw_chart_by_module};
    return &module;
}
