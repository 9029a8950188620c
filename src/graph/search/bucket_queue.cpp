#include "bucket_queue.hpp"

#include <algorithm>
#include <cmath>

namespace weft {

double bucket_queue::bucket_of(double distance) const noexcept {
    // A quotient that overflows is in the last bucket; an infinite number would mean that there is none.
    return std::min(std::floor(distance / width_), std::numeric_limits<double>::max());
}

void bucket_queue::push(std::uint32_t vertex) {
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

double bucket_queue::first() {
    while (true) {
        for (; at_ < near_buckets; ++at_) {
            auto& vertices = near_[at_];
            while (!vertices.empty() && !waits(vertices.back())) vertices.pop_back();
            if (!vertices.empty()) return base_ + static_cast<double>(at_);
        }
        std::erase_if(far_, [&](std::uint32_t vertex) { return !waits(vertex); });
        if (far_.empty()) return nothing;
        double least = nothing;
        for (std::uint32_t const vertex : far_) least = std::min(least, known_[vertex]);
        begin_at(bucket_of(least));
    }
}

void bucket_queue::begin_at(double bucket) {
    for (auto& vertices : near_) {
        far_.insert(far_.end(), vertices.begin(), vertices.end());
        vertices.clear();
    }
    base_ = bucket;
    at_ = 0;
    for (std::uint32_t const vertex : std::exchange(far_, {})) push(vertex);
}

} // namespace weft
