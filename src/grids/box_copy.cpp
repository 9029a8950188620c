#include <grids/box_copy.hpp>

namespace weft {

void for_rows(box<std::int64_t> const& wanted, box<std::int64_t> const& stored,
    std::function<void(std::int64_t, std::int64_t, std::int64_t)> const& row) {
    std::int64_t const count = wanted.hi[0] - wanted.lo[0];
    std::int64_t const nx = stored.hi[0] - stored.lo[0];
    std::int64_t const ny = stored.hi[1] - stored.lo[1];
    if (count <= 0) return;
    std::int64_t first = 0;
    for (std::int64_t z = wanted.lo[2]; z < wanted.hi[2]; ++z)
        for (std::int64_t y = wanted.lo[1]; y < wanted.hi[1]; ++y) {
            row(((z - stored.lo[2]) * ny + (y - stored.lo[1])) * nx + wanted.lo[0] - stored.lo[0], first,
                count);
            first += count;
        }
}

} // namespace weft
