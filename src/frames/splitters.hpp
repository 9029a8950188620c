/// Where to cut a line of weighted ids, from what is known of the weights below some of them. Private.
#pragma once

#include <weft/core/ids.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft {

/// Blocks that end at known points.
struct block_cut {
    std::vector<global_id> bounds;
    double imbalance = 0;
};

/// The weight below some ids, exactly; between them it only ascends. Points are added and never lost.
class splitter_search {
public:
    /// Ids of [first, end) weigh `total` together, more than 0; block p is to get `shares[p]` of `total`.
    splitter_search(global_id first, global_id end, std::int64_t total, std::vector<double> const& shares);

    /// The points to weigh next, ascending, `buckets` at least for each splitter that is not within half of
    /// the tolerance; none if there is nothing to be gained. `rounds`: how many are left, this one included.
    [[nodiscard]] std::vector<global_id> open_points(int buckets, double tolerance, int rounds) const;
    /// Adds points, ascending, and the weights below them.
    void add(std::span<global_id const> points, std::span<std::int64_t const> below);
    /// The best blocks that end at known points. With what lies nearest to the ideal places if that is within
    /// the tolerance: then other blocks are even too.
    [[nodiscard]] block_cut best(double tolerance) const;

private:
    struct known {
        global_id id;
        std::int64_t below;
    };

    [[nodiscard]] int blocks() const noexcept { return static_cast<int>(ideal_.size()) - 1; }
    [[nodiscard]] double share(std::size_t block) const noexcept { return ideal_[block + 1] - ideal_[block]; }
    /// The last point with at most so much below it.
    [[nodiscard]] std::size_t last_within(double weight) const noexcept;
    /// Fills blocks one after the other with at most `capacity` times their share: the points where they end.
    [[nodiscard]] std::vector<std::size_t> fill(double capacity) const;
    [[nodiscard]] std::vector<std::size_t> nearest() const;
    [[nodiscard]] block_cut cut_at(std::vector<std::size_t> const& ends) const;

    std::vector<known> points_; // ascending
    std::vector<double> ideal_; // the weight before each block, and in all
    double least_share_;        // of the shares that are not 0, in weight
};

} // namespace weft
