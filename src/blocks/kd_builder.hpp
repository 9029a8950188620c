/// Builds the cuts of a kd-tree, on all ranks together.
#pragma once

#include <weft/blocks/kd_tree.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft {

/// Cuts the parts of one level after the other, all parts of a level at once. Coordinates are compared as
/// integers of the same order, so that reductions are exact.
class kd_builder {
public:
    /// `order` has an element for each point.
    kd_builder(communicator const& comm, int dimensions, std::span<double const> points, kd_split how,
        std::vector<std::size_t> order);

    /// Returns the bounding box of the points of all ranks; the unit box if there are none.
    [[nodiscard]] box<double> bounding_box() const noexcept;
    /// Returns the cuts of a domain that contains all points, in the order of a kd_tree. Collective.
    [[nodiscard]] std::vector<detail::kd_plane> cut(box<double> const& domain, std::int64_t blocks);

private:
    /// The least and largest coordinates along a dimension, as keys.
    struct reach {
        std::int64_t least = INT64_MAX;
        std::int64_t largest = INT64_MIN;
        [[nodiscard]] bool several() const noexcept { return least < largest; }
    };
    /// A part of the domain, and the state of the search for its cut.
    struct part {
        box<double> bounds;
        std::size_t plane = 0; // its place among the planes
        std::int64_t blocks = 1;
        std::int64_t points = 0; // on all ranks
        std::size_t begin = 0;   // in the local order of points
        std::size_t end = 0;
        int dimension = -1; // of the cut; before one is chosen, that of the parent's cut
        coordinates<reach> reaches;

        std::int64_t wanted = 0; // points below the cut
        // Bounds on the key of the point with that rank, and the numbers of keys below and within the
        // bounds.
        std::int64_t least = 0;
        std::int64_t largest = 0;
        std::int64_t below = 0;
        std::int64_t among = 0;
        std::size_t first = 0; // the local points with keys within the bounds
        std::size_t last = 0;

        double at = 0; // the cut
        std::int64_t points_below = 0;
    };

    [[nodiscard]] std::int64_t key(std::size_t point, int dimension) const noexcept;
    void find_reaches(std::vector<part>& parts) const;
    [[nodiscard]] bool choose_dimension(part& here) const;
    void cut_by_bounds(part& here) const;
    void cut_by_points(std::vector<part*> const& parts);
    void narrow(std::vector<part*> const& parts);
    void keep_candidates(part& here);
    void divide(part const& here, std::vector<part>& next);

    communicator const& comm_;
    int dimensions_;
    std::span<double const> points_;
    kd_split how_;
    std::vector<std::size_t> order_; // of the local points; those of a part are adjacent
    part root_;
};

} // namespace weft
