/// Messages of blocks as bytes, in the order in which they came.
#pragma once

#include <weft/blocks/blob.hpp>
#include <weft/core/buffer.hpp>
#include <weft/core/ids.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace weft {

/// Tells the types of items apart; the same on all ranks of one program. Not 0.
using item_kind = std::uint32_t;

namespace detail {
constexpr item_kind kind_of_name(char const* name) noexcept {
    std::uint32_t hash = 2166136261U; // FNV-1a
    for (; *name != 0; ++name) hash = (hash ^ static_cast<unsigned char>(*name)) * 16777619U;
    return hash | 1U;
}
} // namespace detail

template <class T>
[[nodiscard]] consteval item_kind kind_of() noexcept {
    return detail::kind_of_name(__PRETTY_FUNCTION__);
}

/// Items of one type, from one block to another, that were sent without another run between them.
struct block_run {
    block_id peer;      ///< whence or whither
    item_kind kind;     ///< 0: it was taken
    std::uint32_t blob; ///< 0: its bytes are in the list's own; else the number of a blob, from 1
    std::size_t at;
    std::size_t bytes;
};

/// Runs and their bytes. Small ones lie side by side in memory of the list, aligned to 16 bytes; what has an
/// owner stays where it is.
class run_list {
public:
    static constexpr std::size_t alignment = 16;
    /// From so many bytes on, received runs are kept where they were received.
    static constexpr std::size_t blob_bytes = 4096;

    [[nodiscard]] bool empty() const noexcept { return runs_.empty(); }
    [[nodiscard]] std::size_t size() const noexcept { return runs_.size(); }
    [[nodiscard]] std::span<block_run const> runs() const noexcept { return runs_; }
    [[nodiscard]] std::span<block_run> runs() noexcept { return runs_; }
    /// The bytes of a run: valid until something is added.
    [[nodiscard]] std::span<std::byte const> bytes_of(block_run const& run) const noexcept {
        if (run.blob != 0) return blobs_[run.blob - 1].bytes();
        return {bytes_.data() + run.at, run.bytes};
    }
    /// The bytes of all runs that are not taken.
    [[nodiscard]] std::size_t bytes() const noexcept;

    /// Where the last run is one to the same peer, it grows; else a new one begins. The new bytes are not
    /// initialised. Amortised O(1).
    std::byte* extend(block_id peer, item_kind kind, std::size_t bytes) {
        if (!continues(peer, kind)) return begin(peer, kind, bytes);
        runs_.back().bytes += bytes;
        return bytes_.extend(bytes);
    }
    /// The buffer at whose end the last run grows, for what writes bytes of unknown number: call `grown`
    /// after it.
    [[nodiscard]] buffer& open_run(block_id peer, item_kind kind) {
        if (!continues(peer, kind)) (void)begin(peer, kind, 0);
        return bytes_;
    }
    void grown() noexcept { runs_.back().bytes = bytes_.size() - runs_.back().at; }

    /// A new run, with a copy of the bytes.
    void add(block_id peer, item_kind kind, std::span<std::byte const> bytes) {
        std::byte* const room = begin(peer, kind, bytes.size());
        if (bytes.size() == sizeof(std::uint64_t)) // one number: worth a call to nobody
            std::memcpy(room, bytes.data(), sizeof(std::uint64_t));
        else if (!bytes.empty())
            std::memcpy(room, bytes.data(), bytes.size());
    }
    void add(block_id peer, item_kind kind, blob bytes);
    /// A run of another list, whose blob changes hands.
    void move_in(block_id peer, run_list& from, block_run const& run) {
        if (run.blob != 0)
            add(peer, run.kind, std::move(from.blobs_[run.blob - 1]));
        else
            add(peer, run.kind, {from.bytes_.data() + run.at, run.bytes});
    }
    /// Frees the bytes of a run that are nobody else's, where they have an owner: it is not to be read again.
    void release(block_run const& run) {
        if (run.blob != 0) blobs_[run.blob - 1] = {};
    }
    /// All runs of another list, behind those here; that is empty then. O(1) if this is empty.
    void move_in_all(run_list& from);

    /// Orders the runs by peer, those of one as they were.
    void order_by_peer();
    /// Forgets the runs that were taken.
    void drop_taken();
    void clear() noexcept {
        runs_.clear();
        bytes_.clear();
        blobs_.clear();
    }

private:
    [[nodiscard]] bool continues(block_id peer, item_kind kind) const noexcept {
        return !runs_.empty() && runs_.back().peer == peer && runs_.back().kind == kind &&
               runs_.back().blob == 0;
    }
    /// A new run; where its bytes go.
    std::byte* begin(block_id peer, item_kind kind, std::size_t bytes) {
        std::size_t const end = bytes_.size();
        std::size_t const at = (end + alignment - 1) / alignment * alignment;
        std::byte* const room = bytes_.extend(at - end + bytes);
        runs_.push_back({peer, kind, 0, at, bytes});
        return room + (at - end);
    }

    std::vector<block_run> runs_;
    buffer bytes_;
    std::vector<blob> blobs_;
};

} // namespace weft
