#include <weft/contouring/surface.hpp>
#include <weft/extend/protocol/alone.hpp>

#include <weft/frames/block_to_part.hpp>
#include <weft/protocol/agreement.hpp>

#include <new>

namespace weft {

triangle_corners corners_of(communicator const& comm, surface const& of) try {
    std::vector<global_id> asked;
    agreed(comm, [&] {
        asked.reserve(3 * of.corners.size());
        for (auto const& triangle : of.corners) asked.insert(asked.end(), triangle.begin(), triangle.end());
    });
    block_to_part const plan(comm, of.points, asked);
    return {plan.exchange(of.places), plan.exchange(of.normals)};
} catch (std::bad_alloc const&) {
    alone_unless_agreed("corners_of");
    throw;
}

} // namespace weft
