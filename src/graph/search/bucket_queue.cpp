#include "bucket_queue.hpp"

#include <algorithm>
#include <utility>

namespace weft {

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
    for (std::uint32_t const vertex : std::exchange(far_, {}))
        if (waits(vertex)) push(vertex);
}

} // namespace weft
