#include <weft/detail/blocks/local_blocks.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace weft::detail {

void no_such_block(block_id from, block_id to, std::int64_t blocks) {
    throw usage_error("blocks: block " + std::to_string(index_of(from)) + " sends to block " +
                      std::to_string(index_of(to)) + ", but blocks are 0.." + std::to_string(blocks - 1));
}

local_blocks::local_blocks(assignment where, int rank, std::vector<link> links)
    : where_(std::move(where)), rank_(rank), queues_(links.size()) {
    for (std::size_t place = 0; place < queues_.size(); ++place) {
        queues_[place].id = where_.block_at(rank, static_cast<std::int64_t>(place));
        queues_[place].blocks = where_.blocks();
    }
    set_links(std::move(links));
    if (queues_.empty()) return;
    first_ = index_of(queues_.front().id);
    consecutive_ = index_of(queues_.back().id) - first_ == static_cast<std::int64_t>(queues_.size()) - 1;
}

void local_blocks::set_links(std::vector<link> links) {
    partners_.clear();
    for (std::size_t place = 0; place < queues_.size(); ++place) {
        queues_[place].neighbors = std::move(links[place]);
        for (block_id const each : queues_[place].neighbors) {
            if (!where_.exists(each))
                throw wire_error("blocks: block " + std::to_string(index_of(queues_[place].id)) +
                                 " is linked to block " + std::to_string(index_of(each)) +
                                 ", but blocks are 0.." + std::to_string(where_.blocks() - 1));
            partners_.push_back(where_.rank_of(each));
        }
    }
    std::ranges::sort(partners_);
    partners_.erase(std::unique(partners_.begin(), partners_.end()), partners_.end());
    std::erase(partners_, rank_);
    addresses_.clear();
    for (block_queues const& queues : queues_)
        for (block_id const each : queues.neighbors) addresses_.push_back(address_of(each));
    neighbor_address const* next = addresses_.data();
    for (block_queues& queues : queues_) {
        queues.addresses = next;
        next += queues.neighbors.size();
    }
}

std::int64_t local_blocks::take_sent() noexcept {
    std::int64_t sum = 0;
    for (block_queues& queues : queues_) sum += std::exchange(queues.sent, 0);
    return sum;
}

neighbor_address local_blocks::address_of(block_id block) const {
    int const rank = where_.rank_of(block);
    std::int64_t const place = where_.local_place(block);
    if (rank == rank_) return {neighbor_address::here, place};
    auto const found = std::ranges::lower_bound(partners_, rank);
    if (found == partners_.end() || *found != rank) return {neighbor_address::no_partner, place};
    return {static_cast<std::int32_t>(found - partners_.begin()), place};
}

std::size_t local_blocks::place_of(block_id block) const {
    std::int64_t const place = where_.exists(block) ? place_or_none(block) : -1;
    if (place < 0)
        throw wire_error("blocks: rank " + std::to_string(rank_) + " has received a message for block " +
                         std::to_string(index_of(block)) + ", which it does not have");
    return static_cast<std::size_t>(place);
}

bool wire_runs::next(wire_run& head, std::span<std::byte const>& items) {
    if (left_.empty()) return false;
    if (left_.size() < sizeof head) throw wire_error("blocks: a message ends within the head of a run");
    std::memcpy(&head, left_.data(), sizeof head);
    std::size_t const all = local_blocks::wire_bytes(static_cast<std::size_t>(head.bytes));
    bool const ends_with_it = !filled_up_ && head.bytes == left_.size() - sizeof head;
    if (!ends_with_it && (head.bytes > left_.size() || all > left_.size()))
        throw wire_error("blocks: a message ends within a run of " + std::to_string(head.bytes) + " bytes");
    items = left_.subspan(sizeof head, static_cast<std::size_t>(head.bytes));
    left_ = left_.subspan(ends_with_it ? left_.size() : all);
    return true;
}

} // namespace weft::detail
