#include <weft/frames/joined_blocks.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace weft {

joined_blocks::joined_blocks(std::vector<block_distribution> const& parts) : parts_(parts), first_of_{0} {
    if (parts.empty()) throw usage_error("joined_blocks: no distributions");
    int const ranks = parts.front().parts();
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(ranks));
    for (block_distribution const& each : parts) {
        if (each.parts() != ranks)
            throw usage_error("joined_blocks: distributions of " + std::to_string(ranks) + " and of " +
                              std::to_string(each.parts()) + " blocks");
        if (each.total() > INT64_MAX - first_of_.back())
            throw usage_error("joined_blocks: more than 2^63 - 1 ids together");
        first_of_.push_back(first_of_.back() + each.total());
        before_.insert(before_.end(), sizes.begin(), sizes.end());
        for (int rank = 0; rank < ranks; ++rank) sizes[static_cast<std::size_t>(rank)] += each.size(rank);
    }
    std::vector<global_id> bounds{0};
    for (std::int64_t const size : sizes) bounds.push_back(bounds.back() + size);
    places_ = block_distribution(std::move(bounds));
}

global_id joined_blocks::place(global_id joined) const noexcept {
    auto const behind = std::ranges::upper_bound(first_of_, joined); // among empty ones, the last
    auto const of = static_cast<std::size_t>(behind - first_of_.begin()) - 1;
    global_id const id = joined - first_of_[of] + parts_[of].begin();
    int const owner = parts_[of].owner(id);
    std::size_t const row = of * static_cast<std::size_t>(places_.parts());
    return places_.begin(owner) + before_[row + static_cast<std::size_t>(owner)] + id -
           parts_[of].begin(owner);
}

} // namespace weft
