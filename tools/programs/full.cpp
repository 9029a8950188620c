/// `weft-full`: all commands.
#include "program.hpp"

namespace weft::tool {

bool has_everything() noexcept {
    return true;
}

std::vector<std::unique_ptr<command>> make_commands(CLI::App& app) {
    std::vector<std::unique_ptr<command>> commands;
    for (auto const make :
        {make_components, make_scc, make_degrees, make_bfs, make_sssp, make_spmv, make_pagerank,
            make_triangles, make_label, make_trace, make_render, make_contour, make_slice, make_threshold,
            make_histogram, make_nbody, make_generate, make_info, make_tune, make_bench, make_simulate})
        commands.push_back(make(app));
    return commands;
}

} // namespace weft::tool
