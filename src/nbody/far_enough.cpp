// Compiled without fused multiply-add, so that distances are rounded as in other code.
#include "attract.hpp"
#include "lanes.hpp"

namespace weft::nbody {

namespace {

WEFT_INLINED std::uint32_t far_enough_here(
    std::span<target_block const> blocks, double const (&point)[3], double least) {
    std::uint32_t mask = 0;
    words const weights = {1, 2, 4, 8, 16, 32, 64, 128};
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        lanes const dx = load(blocks[b].x) - point[0];
        lanes const dy = load(blocks[b].y) - point[1];
        lanes const dz = load(blocks[b].z) - point[2];
        words const far = (dx * dx + dy * dy + dz * dz >= least) & weights;
        std::int64_t bits = 0;
        for (int i = 0; i < 8; ++i) bits |= far[i];
        mask |= static_cast<std::uint32_t>(bits) << (lanes_a_block * b);
    }
    return mask;
}

#if defined(__x86_64__)
WEFT_AVX512 std::uint32_t far_enough_avx512(
    std::span<target_block const> blocks, double const (&point)[3], double least) {
    return far_enough_here(blocks, point, least);
}
WEFT_AVX2 std::uint32_t far_enough_avx2(
    std::span<target_block const> blocks, double const (&point)[3], double least) {
    return far_enough_here(blocks, point, least);
}
#endif

} // namespace

std::uint32_t far_enough(std::span<target_block const> blocks, double const (&point)[3], double least) {
#if defined(__x86_64__)
    if (this_processor == generation::avx512) return far_enough_avx512(blocks, point, least);
    if (this_processor == generation::avx2) return far_enough_avx2(blocks, point, least);
#endif
    return far_enough_here(blocks, point, least);
}

} // namespace weft::nbody
