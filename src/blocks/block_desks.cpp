#include <weft/blocks/block_desks.hpp>

#include <weft/core/error.hpp>

#include <string>

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
        desks_[place].neighbors = std::move(links[place]);
        desks_[place].blocks = where_.blocks();
    }
    if (desks_.empty()) return;
    first_ = index_of(desks_.front().id);
    consecutive_ = index_of(desks_.back().id) - first_ == static_cast<std::int64_t>(desks_.size()) - 1;
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
