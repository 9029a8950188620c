/// The message queues of a rank's blocks, and the ranks of all other blocks.
#pragma once

#include <weft/blocks/assignment.hpp>
#include <weft/blocks/block_port.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace weft::detail {

/// The header of each run between ranks.
struct wire_run {
    std::int64_t to;
    std::int64_t from;
    std::uint32_t kind;
    std::uint32_t unused;
    std::uint64_t bytes; ///< of the items, which follow; padded to `run_list::alignment` if other runs do
};
static_assert(sizeof(wire_run) % run_list::alignment == 0);

/// Local, without communication. Places are those of `assignment::local_place`.
class local_blocks {
public:
    /// Throws: `wire_error` if a link names a block that does not exist.
    local_blocks(assignment where, int rank, std::vector<link> links);
    local_blocks(local_blocks&&) = default; // the addresses to which queues point move, too
    local_blocks& operator=(local_blocks&&) = default;
    /// Gives the blocks other neighbours. Throws: as the constructor.
    void set_links(std::vector<link> links);

    [[nodiscard]] assignment const& where() const noexcept { return where_; }
    [[nodiscard]] int rank() const noexcept { return rank_; }
    [[nodiscard]] std::size_t size() const noexcept { return queues_.size(); }
    [[nodiscard]] block_queues& at(std::size_t place) noexcept { return queues_[place]; }
    [[nodiscard]] block_queues const& at(std::size_t place) const noexcept { return queues_[place]; }
    [[nodiscard]] std::span<block_queues> all() noexcept { return queues_; }

    /// Returns the place of an existing block, or a negative number if another rank has it.
    [[nodiscard]] std::int64_t place_or_none(block_id block) const noexcept {
        if (consecutive_) {
            std::int64_t const place = index_of(block) - first_;
            return place < static_cast<std::int64_t>(queues_.size()) ? place : -1;
        }
        return where_.rank_of(block) == rank_ ? where_.local_place(block) : -1;
    }
    /// The other ranks that have neighbours of blocks of this rank, ascending.
    [[nodiscard]] std::span<int const> partners() const noexcept { return partners_; }
    /// Returns the number of messages that the blocks have sent since the last call.
    [[nodiscard]] std::int64_t take_sent() noexcept;
    /// Returns the address of an existing block.
    [[nodiscard]] neighbor_address address_of(block_id block) const;
    /// Returns the place of a block of this rank. Throws: `wire_error` if another rank has it, so that the
    /// sender was mistaken.
    [[nodiscard]] std::size_t place_of(block_id block) const;

    /// Returns the bytes of a run between ranks, including its head.
    [[nodiscard]] static std::size_t wire_bytes(std::size_t items) noexcept {
        return sizeof(wire_run) +
               (items + run_list::alignment - 1) / run_list::alignment * run_list::alignment;
    }
    [[nodiscard]] static wire_run head_of(block_id from, block_run const& run) noexcept {
        return {index_of(run.peer), index_of(from), run.kind, 0, run.items.size()};
    }
    static void put(std::byte* room, block_id from, block_run const& run) {
        std::span<std::byte const> const items = run.items;
        wire_run const head = head_of(from, run);
        std::memcpy(room, &head, sizeof head);
        room += sizeof head;
        if (items.size() == sizeof(std::uint64_t)) { // one number: inline, since a call would cost more
            std::uint64_t filled_up[2] = {};
            std::memcpy(filled_up, items.data(), sizeof(std::uint64_t));
            std::memcpy(room, filled_up, sizeof filled_up);
            return;
        }
        std::memcpy(room, items.data(), items.size());
        std::memset(room + items.size(), 0, wire_bytes(items.size()) - sizeof head - items.size());
    }

private:
    assignment where_;
    int rank_;
    std::vector<block_queues> queues_;
    std::int64_t first_ = 0;
    bool consecutive_ = true; // this rank's blocks have consecutive ids, so no division is needed
    std::vector<int> partners_;
    std::vector<neighbor_address> addresses_; // of all blocks, one after another
};

/// Calls `take(run head, items)` for each run of a message between ranks. Throws: `wire_error`.
class wire_runs {
public:
    /// `filled_up`: the last run is padded, too, as described at `wire_run::bytes`.
    explicit wire_runs(std::span<std::byte const> message, bool filled_up = true) noexcept
        : left_(message), filled_up_(filled_up) {}
    /// Reads the next run; false at the end.
    [[nodiscard]] bool next(wire_run& head, std::span<std::byte const>& items);

private:
    std::span<std::byte const> left_;
    bool filled_up_;
};

} // namespace weft::detail
