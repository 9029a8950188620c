/// An octree over point masses, and over cells known by their multipoles only.
#pragma once

#include "attract.hpp"
#include "unit_cube.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft::nbody {

/// A cell with at most this number of sources is not divided.
inline constexpr std::size_t leaf_size = 12;

/// A point mass in units of the cube.
struct source {
    double place[3] = {};
    double mass = 0;
    double half_softening = 0;
    cell_key key;
};

/// A cell of another rank that is far enough to act as a whole.
struct distant_cell {
    cell_key key; ///< The first key in the cell: its digits below `level` are 0.
    std::int64_t level = 0;
    multipole seen;
};

/// A cell of the tree. Cells are in preorder: the first child of cell c is c + 1, and the next sibling of a
/// child is at its `after`, until the `after` of c.
struct tree_cell {
    double center[3] = {}; ///< The centre of its cube.
    cell_key key;          ///< The first key in the cell.
    std::size_t after = 0; ///< The first cell that is not a descendant.
    std::size_t begin = 0; ///< The range of its sources.
    std::size_t end = 0;
    std::int32_t level = 0;
    bool is_leaf = false;    ///< When opened, it gives its sources.
    bool is_distant = false; ///< It cannot be opened, and the rank that requested it need not do so.
};

/// A cell acts as a whole if its side is at most theta times the distance to the centre of its cube. Ranks
/// agree, since this depends on the cube only. No cell acts as a whole on particles inside.
class opening_rule {
public:
    explicit opening_rule(double theta);

    /// Returns the least squared distance; infinite for theta 0.
    [[nodiscard]] double least_distance2(int level) const noexcept {
        return least_[static_cast<std::size_t>(level)];
    }

private:
    double least_[deepest_level + 1];
};

/// The tree. Its content does not depend on the distribution of sources over ranks, provided that a rank has
/// all sources in the cells that its particles open.
class source_tree {
public:
    source_tree() = default;
    /// Builds a tree of sources in the order of their keys. Local, O(n log n).
    source_tree(unit_cube const& cube, std::vector<source> sources);

    /// Adds sources and cells, in any order, and rebuilds the tree. Local, O(n log n).
    void add(std::vector<source> sources, std::vector<distant_cell> cells);

    [[nodiscard]] unit_cube const& cube() const noexcept { return cube_; }
    [[nodiscard]] std::span<tree_cell const> cells() const noexcept { return cells_; }
    [[nodiscard]] multipole const* multipoles() const noexcept { return multipoles_.data(); }
    [[nodiscard]] source_arrays const& sources() const noexcept { return arrays_; }
    /// Returns the sources by key; sources with the same place and softening are merged.
    [[nodiscard]] std::span<source const> sorted() const noexcept { return sources_; }

private:
    struct span_of_items {
        std::size_t begin, end; // range of sources
        std::size_t first_distant, last_distant;
    };
    void build();
    void merge_equal();
    std::size_t add_cell(cell_key const& key, int level, span_of_items const& items);
    void see_sources(multipole& seen, std::size_t begin, std::size_t end) const;
    [[nodiscard]] static multipole combined(std::span<multipole const> parts);

    unit_cube cube_;
    std::vector<source> sources_;
    std::vector<distant_cell> distant_;
    source_arrays arrays_;
    std::vector<tree_cell> cells_;
    std::vector<multipole> multipoles_;
};

} // namespace weft::nbody
