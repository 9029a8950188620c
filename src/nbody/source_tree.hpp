/// An octree over point masses, and over cells of which nothing but the multipole is known.
#pragma once

#include "attract.hpp"
#include "unit_cube.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft::nbody {

/// A cell that holds at most this number of sources is not divided.
inline constexpr std::size_t leaf_size = 12;

/// A point mass in units of the cube.
struct source {
    double place[3] = {};
    double mass = 0;
    double half_softening = 0;
    cell_key key;
};

/// A cell of another rank that is far enough to be taken as a whole.
struct distant_cell {
    cell_key key; ///< Of its first place: the digits below `level` are 0.
    std::int64_t level = 0;
    multipole seen;
};

/// A cell of the tree. Cells lie in preorder: the children of cell c begin at c + 1, and each is followed by
/// the next at its `after`, until the `after` of c.
struct tree_cell {
    double center[3] = {}; ///< Of its cube.
    cell_key key;          ///< As that of a `distant_cell`.
    std::size_t after = 0; ///< The first cell that is not below this one.
    std::size_t begin = 0; ///< Its sources.
    std::size_t end = 0;
    std::int32_t level = 0;
    bool is_leaf = false;    ///< Opened, it gives its sources.
    bool is_distant = false; ///< It cannot be opened; the rank that asked for it need not open it.
};

/// When a cell may be taken as a whole: its side is at most theta times the distance of its cube's centre. It
/// asks for nothing but the cube, so ranks that know parts of a cell agree; and never of a particle inside.
class opening_rule {
public:
    explicit opening_rule(double theta);

    /// The least squared distance; infinite for theta 0.
    [[nodiscard]] double least_distance2(int level) const noexcept {
        return least_[static_cast<std::size_t>(level)];
    }

private:
    double least_[deepest_level + 1];
};

/// The tree. Its content does not depend on how the sources were dealt to ranks, provided that a rank has
/// all that lies in the cells which its particles open.
class source_tree {
public:
    source_tree() = default;
    /// A tree of sources in the order of their keys. Local, O(n log n).
    source_tree(unit_cube const& cube, std::vector<source> sources);

    /// Adds sources and cells, in any order, and builds the tree anew. Local, O(n log n).
    void add(std::vector<source> sources, std::vector<distant_cell> cells);

    [[nodiscard]] unit_cube const& cube() const noexcept { return cube_; }
    [[nodiscard]] std::span<tree_cell const> cells() const noexcept { return cells_; }
    [[nodiscard]] multipole const* multipoles() const noexcept { return multipoles_.data(); }
    [[nodiscard]] source_arrays const& sources() const noexcept { return arrays_; }
    /// The same, sorted by key; those of one place and one softening are one.
    [[nodiscard]] std::span<source const> sorted() const noexcept { return sources_; }

private:
    struct span_of_items {
        std::size_t begin, end; // sources
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
