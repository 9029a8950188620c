#include "call.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace faults {

bool is_open(std::string const& name) noexcept {
    static constexpr std::array<std::string_view, 10> open{"contour of a grid", "contour of a mesh",
        "threshold", "check, with_points_merged", "corners_of", "trace_particles",
        "trace_particles in rounds", "write_surface, a.stl", "write_surface, a.ply", "write_mesh"};
    return std::ranges::find(open, name) != open.end();
}

} // namespace faults
