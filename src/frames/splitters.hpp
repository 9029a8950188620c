/// Finds cuts in a line of weighted ids from the weights below some of them. Private.
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

/// The exact weight below some ids; it is monotonic between them. Points are added and never removed.
class splitter_search {
public:
    /// Ids of [first, end) have the weight `total` > 0; block p is to get `shares[p]` of it.
    splitter_search(global_id first, global_id end, std::int64_t total, std::vector<double> const& shares);

    /// Returns the points to weigh next, ascending: at least `buckets` for each splitter that is not within
    /// half of the tolerance; empty if no gain is possible. `rounds`: those left, this one included.
    [[nodiscard]] std::vector<global_id> open_points(int buckets, double tolerance, int rounds) const;
    /// Adds points, ascending, and the weights below them.
    void add(std::span<global_id const> points, std::span<std::int64_t const> below);
    /// Returns the best blocks that end at known points: at the points nearest to the ideal places if these
    /// are within the tolerance, since then all blocks are even.
    [[nodiscard]] block_cut best(double tolerance) const;

private:
    struct known {
        global_id id;
        std::int64_t below;
    };

    [[nodiscard]] int blocks() const noexcept { return static_cast<int>(ideal_.size()) - 1; }
    [[nodiscard]] double share(std::size_t block) const noexcept { return ideal_[block + 1] - ideal_[block]; }
    /// Returns the last point with at most `weight` below it.
    [[nodiscard]] std::size_t last_within(double weight) const noexcept;
    /// Fills blocks in order with at most `capacity` times their share; returns the points where they end.
    [[nodiscard]] std::vector<std::size_t> fill(double capacity) const;
    [[nodiscard]] std::vector<std::size_t> nearest() const;
    [[nodiscard]] block_cut cut_at(std::vector<std::size_t> const& ends) const;

    std::vector<known> points_; // ascending
    std::vector<double> ideal_; // the weight before each block, and the total
    double least_share_;        // the least share that is not 0, in weight
};

} // namespace weft
