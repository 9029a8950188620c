/// A small volume that all ranks know, cut into the blocks of a grid.
#pragma once

#include "draws.hpp"
#include "operation.hpp"
#include "traffic.hpp"

#include <weft/blocks/assignment.hpp>
#include <weft/blocks/regular_grid.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

namespace random_programs {

using place_in_volume = std::array<std::int64_t, 3>;

/// Draws the size of a volume: at least `least` along each axis.
inline void draw_volume(draws& random, operation& line, int least) {
    for (char const* axis : {"x", "y", "z"}) line.set(axis, least + random.below(6));
}

struct drawn_volume {
    explicit drawn_volume(operation const& line) : size{line.value("x"), line.value("y"), line.value("z")} {}

    [[nodiscard]] std::int64_t count() const { return size[0] * size[1] * size[2]; }
    [[nodiscard]] std::size_t index(place_in_volume const& at) const {
        return static_cast<std::size_t>(at[0] + size[0] * (at[1] + size[1] * at[2]));
    }
    [[nodiscard]] bool contains(place_in_volume const& at) const {
        for (std::size_t d = 0; d < 3; ++d)
            if (at[d] < 0 || at[d] >= size[d]) return false;
        return true;
    }
    /// Calls `call` with each place, x fastest.
    template <class Call>
    void each(Call&& call) const {
        each_of({0, 0, 0}, size, call);
    }
    template <class Call>
    static void each_of(place_in_volume const& lo, place_in_volume const& hi, Call&& call) {
        for (std::int64_t z = lo[2]; z < hi[2]; ++z)
            for (std::int64_t y = lo[1]; y < hi[1]; ++y)
                for (std::int64_t x = lo[0]; x < hi[0]; ++x) call(place_in_volume{x, y, z});
    }

    place_in_volume size;
};

/// Returns a grid of cells from `origin`, with some blocks along each axis.
[[nodiscard]] inline weft::regular_grid<std::int64_t> drawn_grid(
    operation const& line, place_in_volume const& cells, place_in_volume const& origin) {
    draws random(mixed({line.seed(), 21}));
    weft::box<std::int64_t> domain{3, {}, {}};
    std::array<std::int64_t, 3> along{};
    for (std::size_t d = 0; d < 3; ++d) {
        domain.lo[d] = origin[d];
        domain.hi[d] = origin[d] + cells[d];
        along[d] = 1 + random.below(static_cast<int>(std::min<std::int64_t>(cells[d], 3)));
    }
    return {domain, weft::per_dimension<std::int64_t>{along[0], along[1], along[2]}};
}

/// Joins connected things.
class joined_things {
public:
    explicit joined_things(std::size_t things) : above_(things) {
        std::iota(above_.begin(), above_.end(), 0u);
    }
    [[nodiscard]] std::size_t root(std::size_t of) {
        while (above_[of] != of) of = above_[of] = above_[above_[of]];
        return of;
    }
    void join(std::size_t a, std::size_t b) {
        a = root(a);
        b = root(b);
        above_[std::max(a, b)] = std::min(a, b); // the first one represents all
    }

private:
    std::vector<std::size_t> above_;
};

} // namespace random_programs
