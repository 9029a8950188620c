/// `weft`: commands about graphs, without the libraries that read volumes and draw.
#include "commands/hdf5_edges.hpp"
#include "program.hpp"

#include <stdexcept>

namespace weft::tool {

bool has_everything() noexcept {
    return false;
}

std::vector<std::unique_ptr<command>> make_commands(CLI::App& app) {
    std::vector<std::unique_ptr<command>> commands;
    for (auto const make : {make_components, make_scc, make_degrees, make_bfs, make_sssp, make_spmv,
             make_pagerank, make_triangles, make_generate, make_info})
        commands.push_back(make(app));
    return commands;
}

/// The parser sends names of such files to `weft-full`.
edge_list read_hdf5_edges(communicator const&, io::hdf5_address const& address, bool, bool,
    std::function<void(std::int64_t, std::int64_t)> const&) {
    throw std::logic_error(address.file.string() + ": read by weft-full");
}

} // namespace weft::tool
