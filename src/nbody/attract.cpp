// Compiled with fused multiply-add.
#include "attract.hpp"
#include "lanes.hpp"

namespace weft::nbody {

void source_arrays::clear() {
    for (auto* const each : {&x, &y, &z, &mass, &half_softening}) each->clear();
}

void source_arrays::reserve(std::size_t sources) {
    for (auto* const each : {&x, &y, &z, &mass, &half_softening}) each->reserve(sources);
}

void source_arrays::push_back(double const (&place)[3], double its_mass, double its_half_softening) {
    x.push_back(place[0]);
    y.push_back(place[1]);
    z.push_back(place[2]);
    mass.push_back(its_mass);
    half_softening.push_back(its_half_softening);
}

namespace {

/// Returns 1 / sqrt(x) with an error of a few units in the last place: a guess from the exponent, refined by
/// Newton's method. The square root and division instructions would take 20 times as long as a product.
WEFT_INLINED lanes inverse_root(lanes const& x) {
    words const guess = 0x5fe6eb50c7b537a9 - (bits_of(x) >> 1);
    lanes y = reinterpret_cast<lanes>(guess);
    lanes const half = 0.5 * x;
    y *= 1.5 - half * (y * y);
    y *= 1.5 - half * (y * y);
    y *= 1.5 - half * (y * y);
    y *= 1.5 - half * (y * y);
    return y;
}

/// Returns all ones in the lanes whose bits are set.
WEFT_INLINED words lane_mask(std::uint32_t bits) {
    words const weights = {1, 2, 4, 8, 16, 32, 64, 128};
    words const all = {bits, bits, bits, bits, bits, bits, bits, bits};
    return (all & weights) != 0;
}

/// Keeps the root of 0 finite; it does not change distances that matter.
constexpr double hardly_anything = 1e-200;

struct block_sums {
    lanes ax, ay, az, potential;
};

WEFT_INLINED void add_cell(multipole const& cell, words const& mask, lanes const& tx, lanes const& ty,
    lanes const& tz, lanes const& th, block_sums& sums) {
    lanes const dx = tx - cell.center[0];
    lanes const dy = ty - cell.center[1];
    lanes const dz = tz - cell.center[2];
    lanes const r2 = dx * dx + dy * dy + dz * dz + (th + cell.half_softening);
    words const counts = mask & (r2 > 0.0);
    lanes const inverse = where(counts, inverse_root(r2 + hardly_anything));
    lanes const inverse2 = inverse * inverse;
    lanes const inverse3 = inverse * inverse2;
    lanes const inverse5 = inverse3 * inverse2;
    double const(&s)[6] = cell.second;
    lanes const sx = s[0] * dx + s[3] * dy + s[4] * dz;
    lanes const sy = s[3] * dx + s[1] * dy + s[5] * dz;
    lanes const sz = s[4] * dx + s[5] * dy + s[2] * dz;
    lanes const twice = sx * dx + sy * dy + sz * dz;
    // -grad of M / r + (d S d) / (2 r^5) - tr S / (6 r^3), with r softened and S = 3 sum of m x x.
    lanes const along = cell.mass * inverse3 + (2.5 * twice * inverse2 - 0.5 * cell.trace) * inverse5;
    sums.ax += inverse5 * sx - along * dx;
    sums.ay += inverse5 * sy - along * dy;
    sums.az += inverse5 * sz - along * dz;
    sums.potential -= cell.mass * inverse + 0.5 * twice * inverse5 - (cell.trace * (1.0 / 6)) * inverse3;
}

WEFT_INLINED void attract_here(std::span<target_block> blocks, std::span<cell_entry const> cells,
    multipole const* multipoles, std::span<source_entry const> runs, source_arrays const& sources) {
    double const* const x = sources.x.data();
    double const* const y = sources.y.data();
    double const* const z = sources.z.data();
    double const* const m = sources.mass.data();
    double const* const h = sources.half_softening.data();
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        target_block& block = blocks[b];
        lanes const tx = load(block.x);
        lanes const ty = load(block.y);
        lanes const tz = load(block.z);
        lanes const th = load(block.half_softening);
        block_sums sums{};
        for (cell_entry const& each : cells) {
            std::uint32_t const bits = (each.mask >> (lanes_a_block * b)) & 0xffU;
            if (bits != 0) add_cell(multipoles[each.cell], lane_mask(bits), tx, ty, tz, th, sums);
        }
        for (source_entry const& run : runs) {
            std::uint32_t const bits = (run.mask >> (lanes_a_block * b)) & 0xffU;
            if (bits == 0) continue;
            words const mask = lane_mask(bits);
            for (std::size_t i = run.begin; i < run.end; ++i) {
                lanes const dx = tx - x[i];
                lanes const dy = ty - y[i];
                lanes const dz = tz - z[i];
                lanes const r2 = dx * dx + dy * dy + dz * dz + (th + h[i]);
                words const counts = mask & (r2 > 0.0);
                lanes const inverse = where(counts, inverse_root(r2 + hardly_anything));
                lanes const pull = m[i] * inverse;
                lanes const by_distance = pull * (inverse * inverse);
                sums.ax -= by_distance * dx;
                sums.ay -= by_distance * dy;
                sums.az -= by_distance * dz;
                sums.potential -= pull;
            }
        }
        add_to(block.ax, sums.ax);
        add_to(block.ay, sums.ay);
        add_to(block.az, sums.az);
        add_to(block.potential, sums.potential);
    }
}

#if defined(__x86_64__)
WEFT_AVX512 void attract_avx512(std::span<target_block> blocks, std::span<cell_entry const> cells,
    multipole const* multipoles, std::span<source_entry const> runs, source_arrays const& sources) {
    attract_here(blocks, cells, multipoles, runs, sources);
}
WEFT_AVX2 void attract_avx2(std::span<target_block> blocks, std::span<cell_entry const> cells,
    multipole const* multipoles, std::span<source_entry const> runs, source_arrays const& sources) {
    attract_here(blocks, cells, multipoles, runs, sources);
}
#endif

} // namespace

void attract(std::span<target_block> blocks, std::span<cell_entry const> cells, multipole const* multipoles,
    std::span<source_entry const> runs, source_arrays const& sources) {
#if defined(__x86_64__)
    if (this_processor == generation::avx512) return attract_avx512(blocks, cells, multipoles, runs, sources);
    if (this_processor == generation::avx2) return attract_avx2(blocks, cells, multipoles, runs, sources);
#endif
    attract_here(blocks, cells, multipoles, runs, sources);
}

} // namespace weft::nbody
