#include "call.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace faults {

bool is_open(std::string const& name) noexcept {
    static constexpr std::array<std::string_view, 25> open{"number_ids, number_tuples, number_points",
        "simple_graph", "arc_graph", "sparse_matrix", "vertex_set", "find_components by propagation",
        "find_pagerank", "find_shortest_paths", "find_strong_components", "write_graph", "read_vector",
        "contour of a grid", "contour of a mesh", "threshold", "check, with_points_merged", "corners_of",
        "trace_particles", "trace_particles in rounds", "nbody_system", "nbody_system by mailbox",
        "write_checkpoint, write_forces", "write_surface, a.stl", "write_surface, a.ply", "write_mesh",
        "particles, a.csv"};
    return std::ranges::find(open, name) != open.end();
}

} // namespace faults
