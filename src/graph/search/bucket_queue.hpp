/// Vertices in the order of their distances, but for those that differ by little. Private.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace weft {

/// A queue of the vertices whose arcs are to be followed: in buckets, ordered by the least distance in them.
/// The owner keeps the distances, in two arrays that outlive the queue: those known, and those at which
/// arcs were followed. A vertex waits while they differ; it may be pushed again when its distance has fallen.
class bucket_queue {
public:
    static constexpr double nothing = std::numeric_limits<double>::infinity();

    /// `width`: of a bucket, above 0.
    bucket_queue(std::vector<double> const& known, std::vector<double> const& followed, double width) noexcept
        : known_(known), followed_(followed), width_(width) {}

    /// The number of the bucket of a distance that is finite.
    [[nodiscard]] double bucket_of(double distance) const noexcept;
    /// Adds a vertex, of the distance that is known.
    void push(std::uint32_t vertex);
    /// The first bucket in which a vertex waits, or `nothing`. May move vertices.
    [[nodiscard]] double first();
    /// Exchanges the contents of the bucket that `first` has returned for those of `empty`, which is empty.
    void take_first(std::vector<std::uint32_t>& empty) noexcept { near_[at_].swap(empty); }

private:
    static constexpr std::size_t near_buckets = 256;

    [[nodiscard]] bool waits(std::uint32_t vertex) const noexcept {
        return known_[vertex] != followed_[vertex];
    }
    /// Makes a bucket the first of those that are near.
    void begin_at(double bucket);

    std::vector<double> const& known_;
    std::vector<double> const& followed_;
    double width_;
    double base_ = 0;    // number of the first near bucket
    std::size_t at_ = 0; // near buckets before it are empty
    std::array<std::vector<std::uint32_t>, near_buckets> near_;
    std::vector<std::uint32_t> far_;
};

} // namespace weft
