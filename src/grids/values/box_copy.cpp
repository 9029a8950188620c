#include <grids/values/box_copy.hpp>

namespace weft {

void for_rows(box<std::int64_t> const& wanted, box<std::int64_t> const& stored,
    std::function<void(std::int64_t, std::int64_t, std::int64_t)> const& row) {
    std::int64_t const nx = stored.hi[0] - stored.lo[0];
    std::int64_t const ny = stored.hi[1] - stored.lo[1];
    std::int64_t const width = wanted.hi[0] - wanted.lo[0];
    std::int64_t const height = wanted.hi[1] - wanted.lo[1];
    std::int64_t const depth = wanted.hi[2] - wanted.lo[2];
    if (width <= 0 || height <= 0 || depth <= 0) return;
    // Whole rows are contiguous, and so are whole planes.
    std::int64_t const together = width < nx ? 1 : height < ny ? height : height * depth;
    std::int64_t first = 0;
    for (std::int64_t line = 0; line < height * depth; line += together) {
        std::int64_t const z = wanted.lo[2] + line / height;
        std::int64_t const y = wanted.lo[1] + line % height;
        row(((z - stored.lo[2]) * ny + (y - stored.lo[1])) * nx + wanted.lo[0] - stored.lo[0], first,
            together * width);
        first += together * width;
    }
}

} // namespace weft
