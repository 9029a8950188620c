/// A queue of vertices in the approximate order of their distances. Private.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace weft {

/// A queue of the vertices whose arcs must be followed, in buckets of equal width. The owner of the queue
/// keeps the array of known distances, which outlives the queue. The sign of a distance is set once the arcs
/// were followed at this distance; until then the vertex waits. It may be pushed again if its distance falls.
class bucket_queue {
public:
    static constexpr double nothing = std::numeric_limits<double>::infinity();

    /// `width` is that of a bucket, above 0.
    bucket_queue(std::vector<double> const& known, double width) noexcept : known_(known), width_(width) {}

    /// Returns the number of the bucket for a finite distance.
    [[nodiscard]] double bucket_of(double distance) const noexcept {
        double const quotient = distance / width_;
        // From 2^63 on each number is a whole one. One that overflows is in the last bucket; an infinite
        // number would mean that there is none.
        if (quotient < 0x1p63) return static_cast<double>(static_cast<std::int64_t>(quotient));
        return std::min(quotient, std::numeric_limits<double>::max());
    }
    /// Adds a vertex that waits, by its known distance.
    void push(std::uint32_t vertex) {
        double const bucket = bucket_of(known_[vertex]);
        if (bucket < base_) begin_at(bucket); // another rank is at an earlier bucket
        double const place = bucket - base_;
        if (place >= static_cast<double>(near_buckets)) {
            far_.push_back(vertex);
            return;
        }
        auto const i = static_cast<std::size_t>(place);
        near_[i].push_back(vertex);
        at_ = std::min(at_, i);
    }
    /// Returns the first bucket in which a vertex waits, or `nothing`. May move vertices.
    [[nodiscard]] double first();
    /// Swaps the contents of the bucket that `first` has returned with an empty vector.
    void take_first(std::vector<std::uint32_t>& empty) noexcept { near_[at_].swap(empty); }

private:
    static constexpr std::size_t near_buckets = 256;

    [[nodiscard]] bool waits(std::uint32_t vertex) const noexcept { return !std::signbit(known_[vertex]); }
    /// Makes a bucket the first near bucket.
    void begin_at(double bucket);

    std::vector<double> const& known_;
    double width_;
    double base_ = 0;    // number of the first near bucket
    std::size_t at_ = 0; // near buckets before it are empty
    std::array<std::vector<std::uint32_t>, near_buckets> near_;
    std::vector<std::uint32_t> far_;
};

} // namespace weft
