#include <weft/blocks/block_desks.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace weft {

namespace detail {

void no_such_block(block_id from, block_id to, std::int64_t blocks) {
    throw usage_error("blocks: block " + std::to_string(index_of(from)) + " sends to block " +
                      std::to_string(index_of(to)) + ", but blocks are 0.." + std::to_string(blocks - 1));
}

} // namespace detail

block_desks::block_desks(assignment where, int rank, std::vector<link> links)
    : where_(std::move(where)), rank_(rank), desks_(links.size()) {
    for (std::size_t place = 0; place < desks_.size(); ++place) {
        desks_[place].id = where_.block_at(rank, static_cast<std::int64_t>(place));
        desks_[place].blocks = where_.blocks();
    }
    set_links(std::move(links));
    if (desks_.empty()) return;
    first_ = index_of(desks_.front().id);
    consecutive_ = index_of(desks_.back().id) - first_ == static_cast<std::int64_t>(desks_.size()) - 1;
}

void block_desks::set_links(std::vector<link> links) {
    partners_.clear();
    for (std::size_t place = 0; place < desks_.size(); ++place) {
        desks_[place].neighbors = std::move(links[place]);
        for (block_id const each : desks_[place].neighbors) {
            if (!where_.exists(each))
                throw wire_error("blocks: block " + std::to_string(index_of(desks_[place].id)) +
                                 " is linked to block " + std::to_string(index_of(each)) +
                                 ", but blocks are 0.." + std::to_string(where_.blocks() - 1));
            partners_.push_back(where_.rank_of(each));
        }
    }
    std::ranges::sort(partners_);
    partners_.erase(std::unique(partners_.begin(), partners_.end()), partners_.end());
    std::erase(partners_, rank_);
    routes_.clear();
    for (block_desk const& desk : desks_)
        for (block_id const each : desk.neighbors) routes_.push_back(route_to(each));
    block_route const* next = routes_.data();
    for (block_desk& desk : desks_) {
        desk.routes = next;
        next += desk.neighbors.size();
    }
}

std::int64_t block_desks::take_sent() noexcept {
    std::int64_t sum = 0;
    for (block_desk& desk : desks_) sum += std::exchange(desk.sent, 0);
    return sum;
}

block_route block_desks::route_to(block_id block) const {
    int const rank = where_.rank_of(block);
    std::int64_t const place = where_.local_place(block);
    if (rank == rank_) return {block_route::here, place};
    auto const found = std::ranges::lower_bound(partners_, rank);
    if (found == partners_.end() || *found != rank) return {block_route::no_partner, place};
    return {static_cast<std::int32_t>(found - partners_.begin()), place};
}

std::size_t block_desks::place_of(block_id block) const {
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
    std::size_t const all = block_desks::wire_bytes(static_cast<std::size_t>(head.bytes));
    if (head.bytes > left_.size() || all > left_.size())
        throw wire_error("blocks: a message ends within a run of " + std::to_string(head.bytes) + " bytes");
    items = left_.subspan(sizeof head, static_cast<std::size_t>(head.bytes));
    left_ = left_.subspan(all);
    return true;
}

} // namespace weft
