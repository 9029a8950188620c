/// The module's side of tools/launch/volume_module.hpp.
#include "launch/volume_module.hpp"

#include "hdf5_edges.hpp"
#include "launch/program.hpp"

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

} // namespace

} // namespace weft::tool

extern "C" weft::tool::volume_module const* weft_volume_module() {
    static constexpr weft::tool::volume_module module{
        weft::tool::make_from_module, weft::tool::read_hdf5_edges};
    return &module;
}
