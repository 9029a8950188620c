/// A queue of vertices in the approximate order of their distances. Private.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace weft {

/// A queue of the vertices whose arcs must be followed, in buckets of equal width. The owner of the queue
/// keeps two arrays of distances, which outlive the queue: the known ones, and those at which arcs were
/// followed last. A vertex waits while both differ. It may be pushed again if its distance falls.
class bucket_queue {
public:
    static constexpr double nothing = std::numeric_limits<double>::infinity();

    /// `width` is that of a bucket, above 0.
    bucket_queue(std::vector<double> const& known, std::vector<double> const& followed, double width) noexcept
        : known_(known), followed_(followed), width_(width) {}

    /// Returns the number of the bucket for a finite distance.
    [[nodiscard]] double bucket_of(double distance) const noexcept;
    /// Adds a vertex, by its known distance.
    void push(std::uint32_t vertex);
    /// Returns the first bucket in which a vertex waits, or `nothing`. May move vertices.
    [[nodiscard]] double first();
    /// Swaps the contents of the bucket that `first` has returned with an empty vector.
    void take_first(std::vector<std::uint32_t>& empty) noexcept { near_[at_].swap(empty); }

private:
    static constexpr std::size_t near_buckets = 256;

    [[nodiscard]] bool waits(std::uint32_t vertex) const noexcept {
        return known_[vertex] != followed_[vertex];
    }
    /// Makes a bucket the first near bucket.
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
