/// Messages of blocks as bytes, in order of arrival.
#pragma once

#include <weft/core/buffer.hpp>
#include <weft/core/ids.hpp>
#include <weft/detail/blocks/blob.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <utility>
#include <vector>

namespace weft::detail {

/// Identifies a type of items, see weft/detail/blocks/item_kind.hpp; the same on all ranks of one program.
/// Not 0.
using item_kind = std::uint32_t;

/// Consecutive items of one type from one block to another. A view of a run in a list: valid until the list
/// changes.
struct block_run {
    block_id peer;  ///< sender or receiver
    item_kind kind; ///< 0: already taken
    std::span<std::byte const> items;
    std::uint32_t blob; ///< 0: the items are in the list; else the number of a blob, from 1
    std::size_t at;     ///< its position in the list
    std::size_t next;   ///< position of the next run
};

/// Runs in order of arrival: each is a head of 16 bytes followed by its items, so a short run is written and
/// read in one place. Bytes in a blob are not copied.
class run_list {
public:
    /// Alignment of items.
    static constexpr std::size_t alignment = 16;
    /// Received runs of at least this number of bytes stay in the received message.
    static constexpr std::size_t blob_bytes = 4096;
    /// Longer runs are stored in blobs.
    static constexpr std::size_t most_bytes = 1U << 20;

    run_list() = default;
    run_list(run_list&& other) noexcept
        : bytes_(std::move(other.bytes_)),
          blobs_(std::move(other.blobs_)),
          last_(std::exchange(other.last_, none)),
          last_peer_(std::exchange(other.last_peer_, lowest)),
          turn_(std::exchange(other.turn_, none)) {}
    run_list& operator=(run_list&& other) noexcept {
        bytes_ = std::move(other.bytes_);
        blobs_ = std::move(other.blobs_);
        last_ = other.last_;
        last_peer_ = other.last_peer_;
        turn_ = other.turn_;
        other.clear();
        return *this;
    }

    [[nodiscard]] bool empty() const noexcept { return bytes_.empty(); }
    /// Returns the number of runs. O(size).
    [[nodiscard]] std::size_t size() const noexcept;
    /// Returns the position after the last run; the first run is at position 0.
    [[nodiscard]] std::size_t end() const noexcept { return bytes_.size(); }
    [[nodiscard]] block_run at(std::size_t position) const noexcept {
        head const& found = head_at(position);
        std::byte const* const items = bytes_.data() + position + sizeof(head);
        if (found.bytes != in_blob) [[likely]]
            return {found.peer, found.kind, {items, found.bytes}, 0, position,
                position + sizeof(head) + filled_up(found.bytes)};
        std::uint32_t number;
        std::memcpy(&number, items, sizeof number);
        return {found.peer, found.kind, blobs_[number - 1].bytes(), number, position,
            position + sizeof(head) + alignment};
    }
    /// Returns all runs: `for (block_run const& run : list.runs())`.
    [[nodiscard]] auto runs() const noexcept { return range{*this}; }
    /// Returns the bytes of all runs that are not taken.
    [[nodiscard]] std::size_t bytes() const noexcept;

    /// Begins a run and returns the address for its items, which are not initialised. `bytes` is at most
    /// `most_bytes`. Amortised O(1). If memory is exhausted, the list keeps its runs, and the last one cannot
    /// be extended.
    std::byte* begin(block_id peer, item_kind kind, std::size_t bytes) {
        last_ = bytes_.size();
        std::byte* const room = bytes_.extend(sizeof(head) + filled_up(bytes));
        new (room) head{peer, kind, static_cast<std::uint32_t>(bytes)};
        if (peer < last_peer_) turn_ = turn_ == none ? last_ : many;
        last_peer_ = peer;
        return room + sizeof(head);
    }
    /// Returns true if the last run, which was just begun or extended and is not a blob, can grow; false if
    /// memory was exhausted when it was begun.
    [[nodiscard]] bool can_extend(std::size_t bytes) const noexcept {
        return last_ < bytes_.size() && head_at(last_).bytes + bytes <= most_bytes;
    }
    /// Extends the last run and returns the address for the new bytes. If memory is exhausted, the run stays
    /// as it was.
    std::byte* extend(std::size_t bytes) {
        std::size_t const before = head_at(last_).bytes;
        (void)bytes_.extend(filled_up(before + bytes) - filled_up(before));
        head_at(last_).bytes = static_cast<std::uint32_t>(before + bytes);
        return bytes_.data() + last_ + sizeof(head) + before;
    }
    /// Extends the last run, if it has this peer and kind, or else a new one, by the bytes that
    /// `write(buffer&)` appends; by nothing if that throws.
    template <class F>
    void grow_by(block_id peer, item_kind kind, F&& write) {
        std::size_t const before = open(peer, kind);
        try {
            write(bytes_);
            close(bytes_.size());
        } catch (...) {
            close(before);
            throw;
        }
    }

    /// Appends a run with a copy of the bytes.
    void add(block_id peer, item_kind kind, std::span<std::byte const> bytes) {
        if (bytes.size() > most_bytes) [[unlikely]] {
            buffer own;
            own.append(bytes.data(), bytes.size());
            add(peer, kind, blob::of(std::move(own)));
            return;
        }
        std::byte* const room = begin(peer, kind, bytes.size());
        if (bytes.size() == sizeof(std::uint64_t)) // one number: inline, since a call would cost more
            std::memcpy(room, bytes.data(), sizeof(std::uint64_t));
        else if (!bytes.empty())
            std::memcpy(room, bytes.data(), bytes.size());
    }
    void add(block_id peer, item_kind kind, blob bytes);
    /// Appends a run of another list; its blob is moved.
    void move_in(block_id peer, run_list& from, block_run const& run) {
        if (run.blob != 0)
            add(peer, run.kind, std::move(from.blobs_[run.blob - 1]));
        else
            add(peer, run.kind, run.items);
    }
    /// Drops a run's share of its blob, if it has one. The run must not be read again.
    void release(block_run const& run) {
        if (run.blob != 0) blobs_[run.blob - 1] = {};
    }
    /// Appends all runs of another list that are not taken, and empties that list. O(1) if this list is
    /// empty.
    void move_in_all(run_list& from);

    /// Sorts the runs by peer; runs of one peer keep their order. O(1) if they are sorted already; a copy if
    /// the list is the concatenation of two sorted parts in the wrong order; else O(n log n).
    void order_by_peer();
    /// Marks a run as taken.
    void take(std::size_t position) noexcept { head_at(position).kind = 0; }
    /// Removes the runs that were taken.
    void drop_taken();
    void clear() noexcept {
        bytes_.clear();
        blobs_.clear();
        last_ = none;
        last_peer_ = lowest;
        turn_ = none;
    }

private:
    struct head {
        block_id peer;
        item_kind kind;
        std::uint32_t bytes; // or in_blob: then the number of the blob follows
    };
    static_assert(sizeof(head) == alignment);
    static constexpr std::uint32_t in_blob = UINT32_MAX;
    static constexpr std::size_t none = SIZE_MAX;
    static constexpr std::size_t many = SIZE_MAX - 1;
    static constexpr block_id lowest{INT64_MIN};

    struct range {
        struct iterator {
            run_list const* list;
            std::size_t position;

            [[nodiscard]] block_run operator*() const noexcept { return list->at(position); }
            iterator& operator++() noexcept {
                position = list->at(position).next;
                return *this;
            }
            friend bool operator==(iterator const&, iterator const&) = default;
        };
        run_list const& list;
        [[nodiscard]] iterator begin() const noexcept { return {&list, 0}; }
        [[nodiscard]] iterator end() const noexcept { return {&list, list.end()}; }
    };

    static constexpr std::size_t filled_up(std::size_t bytes) noexcept {
        return (bytes + alignment - 1) / alignment * alignment;
    }
    [[nodiscard]] head& head_at(std::size_t position) noexcept {
        return *reinterpret_cast<head*>(bytes_.data() + position);
    }
    [[nodiscard]] head const& head_at(std::size_t position) const noexcept {
        return *reinterpret_cast<head const*>(bytes_.data() + position);
    }
    /// Opens the last run, or a new one, so that it ends at the end of the buffer; returns that position.
    std::size_t open(block_id peer, item_kind kind);
    /// Ends the last run at this position of the buffer.
    void close(std::size_t end);
    void put_blob(blob&& bytes);
    void order_anyhow();

    buffer bytes_;
    std::vector<blob> blobs_;
    std::size_t last_ = none;     // position of the last run, if known
    block_id last_peer_ = lowest; // of the last run
    std::size_t turn_ = none;     // position of the only run whose peer is lower than the one before, or many
};

} // namespace weft::detail
