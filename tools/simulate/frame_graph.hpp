/// Which parts have ids of which blocks: the communication graphs of the paper on data movement.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

namespace weft::tool {

/// A communication graph of the paper: the part of a rank has as many ids of each block in its reach. Source:
/// the paper on data movement, HPDC 2024, section 4.
struct frame_graph {
    std::string name;
    int ranks;
    std::int64_t items; ///< of each part and each block

    /// How many blocks to both sides of its own a part has ids of.
    [[nodiscard]] int reach() const {
        double const share = name == "quasi-10" ? 0.1 : name == "quasi-25" ? 0.25 : name == "random" ? 1 : 0;
        return share == 0 ? 0 : std::max(static_cast<int>(std::lround(share * ranks)), 1);
    }
    [[nodiscard]] int first(int rank) const { return std::max(rank - reach(), 0); }
    [[nodiscard]] int last(int rank) const { return std::min(rank + reach(), ranks - 1); }
    /// The ids of the block of `owner` in the part of `asker`.
    [[nodiscard]] std::int64_t between(int asker, int owner) const {
        std::int64_t const blocks = last(asker) - first(asker) + 1;
        return items / blocks + (owner - first(asker) < items % blocks ? 1 : 0);
    }
};

} // namespace weft::tool
