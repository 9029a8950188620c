/// One edge of an R-MAT graph.
#pragma once

#include <core/counter_random.hpp>
#include <weft/io/generators.hpp>

#include <array>
#include <cstdint>

namespace weft::io {

/// A permutation of 0..2^scale-1 that looks random: multiplications by odd numbers carry low bits up, shifts
/// carry high bits down, and both can be undone.
class scrambler {
public:
    scrambler(int scale, std::uint64_t seed) noexcept;

    [[nodiscard]] std::uint64_t operator()(std::uint64_t vertex) const noexcept {
        for (std::uint64_t const factor : factors_) {
            vertex = (vertex * factor + offset_) & mask_;
            vertex ^= vertex >> shift_;
        }
        return vertex;
    }

private:
    std::uint64_t mask_;
    int shift_;
    std::uint64_t offset_;
    std::array<std::uint64_t, 4> factors_;
};

/// Chooses quadrants for `levels` levels of the matrix with one random number: the 4^levels outcomes have the
/// probabilities of their products, and an alias table draws one of them (Walker, 1977) with 54 bits of
/// precision.
class quadrant_table {
public:
    static constexpr int levels = 5;

    /// Probabilities of the quadrants as in `rmat_options`.
    quadrant_table(double a, double b, double c);

    /// Bits of the source above bits of the target, `levels` of each.
    [[nodiscard]] std::uint64_t draw(std::uint64_t random) const noexcept {
        std::uint64_t const column = random >> fraction_bits;
        std::uint64_t const entry = columns_[column];
        // A mask, since a branch would be mispredicted every other time.
        std::uint64_t const own =
            0 - static_cast<std::uint64_t>((random & fraction_mask) < entry >> outcome_bits);
        return (column & own) | (entry & outcome_mask & ~own);
    }

private:
    static constexpr int outcome_bits = 2 * levels;
    static constexpr int fraction_bits = 64 - outcome_bits;
    static constexpr std::uint64_t outcome_mask = (std::uint64_t{1} << outcome_bits) - 1;
    static constexpr std::uint64_t fraction_mask = (std::uint64_t{1} << fraction_bits) - 1;

    /// The threshold below which a column's own outcome is drawn, above the other outcome.
    std::array<std::uint64_t, std::size_t{1} << outcome_bits> columns_;
};

/// Edges by their numbers.
class rmat_edges {
public:
    explicit rmat_edges(rmat_options const& options);

    [[nodiscard]] edge operator()(std::int64_t number) const noexcept {
        std::uint64_t source = 0;
        std::uint64_t target = 0;
        std::uint64_t const first = static_cast<std::uint64_t>(number) * static_cast<std::uint64_t>(draws_);
        constexpr int levels = quadrant_table::levels;
        for (int draw = 0; draw < draws_; ++draw) {
            std::uint64_t const both = table_.draw(random_(first + static_cast<std::uint64_t>(draw)));
            int const unused = draw + 1 < draws_ ? 0 : unused_levels_;
            source = source << (levels - unused) | both >> (levels + unused);
            target = target << (levels - unused) | (both & ((1u << levels) - 1)) >> unused;
        }
        if (scramble_) {
            source = scrambler_(source);
            target = scrambler_(target);
        }
        return {static_cast<std::int64_t>(source), static_cast<std::int64_t>(target)};
    }

private:
    quadrant_table table_;
    counter_random random_;
    int draws_;
    int unused_levels_; // of the last draw
    bool scramble_;
    scrambler scrambler_;
};

} // namespace weft::io
