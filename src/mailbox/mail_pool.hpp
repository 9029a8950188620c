/// Memory for the runs of many links, when there is not enough for two buffers each. Private.
#pragma once

#include "out_link.hpp"
#include "run.hpp"

#include <weft/core/buffer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace weft {

/// Chunks in the order of allocation, from the lower end of the memory; each has runs of one link.
/// Descriptions of chunks grow from the upper end. When links leave, the chunks of the others are moved
/// together, so gaps do not last.
class mail_pool {
public:
    /// `shared`: bytes for all classes of hops; `reserve`: further bytes for each class.
    mail_pool(std::size_t shared, std::size_t reserve) noexcept
        : shared_(shared), reserve_(reserve), capacity_((shared + hop_count * reserve) / align * align) {}

    /// Returns the total cost of a chunk in bytes.
    [[nodiscard]] static constexpr std::size_t cost_of(std::size_t bytes) noexcept {
        return bytes + sizeof(chunk);
    }
    /// Returns the bytes that all classes share.
    [[nodiscard]] std::size_t shared() const noexcept { return shared_; }
    /// Returns the bytes of all chunks, or of those of a class, without the holes that moving would free.
    [[nodiscard]] std::size_t held() const noexcept {
        std::size_t all = 0;
        for (std::size_t const each : held_) all += each;
        return all;
    }
    [[nodiscard]] std::size_t held(hop kind) const noexcept { return held_[static_cast<int>(kind)]; }

    /// Returns true if a chunk fits while the chunks of all classes take `all` and its class's `own`.
    [[nodiscard]] bool fits(std::size_t bytes, std::size_t all, std::size_t own) const noexcept {
        return all + cost_of(bytes) <= shared_ || own + cost_of(bytes) <= reserve_;
    }
    /// Returns true if a chunk fits without moving others.
    [[nodiscard]] bool fits(hop kind, std::size_t bytes) const noexcept {
        std::size_t const used = top_ + chunks_ * sizeof(chunk);
        return fits(bytes, used, held(kind)) && used + cost_of(bytes) <= capacity_;
    }
    /// Allocates a chunk, which must fit.
    [[nodiscard]] std::byte* take(std::uint32_t link, hop kind, std::size_t bytes) {
        if (memory_.empty()) memory_.resize(capacity_);
        std::byte* const made = memory_.data() + top_;
        at(chunks_++) = {static_cast<std::uint32_t>(top_ / align), link};
        top_ += bytes;
        held_[static_cast<int>(kind)] += cost_of(bytes);
        return made;
    }
    /// Frees the end of a chunk, or turns it into a hole if other chunks follow.
    void give_back(hop kind, std::byte* from, std::byte* end) noexcept {
        auto const bytes = static_cast<std::size_t>(end - from);
        if (bytes == 0) return;
        held_[static_cast<int>(kind)] -= bytes;
        if (end == memory_.data() + top_)
            top_ -= bytes;
        else
            put_hole(from, bytes);
    }

    /// A chunk with an open run.
    struct open_chunk {
        std::byte* end;
        std::uint32_t cursor; ///< the owner's number of its cursor
    };

    /// Calls `see(link, run)`, in the order of sending, for every run in chunks for which `wants(link,
    /// bytes)` is true; `run` points to its head. None of these chunks may be open.
    template <class Wants, class See>
    void for_each_run(Wants&& wants, See&& see) const {
        for (std::size_t i = 0; i < chunks_; ++i) {
            if (!wants(at(i).link, cost_of(end_of(i) - begin_of(i)))) continue;
            for (std::size_t from = begin_of(i); from < end_of(i);) {
                std::byte const* const run = memory_.data() + from;
                run_head const head = read_head(run);
                if (head.how != delivery::nobody) see(at(i).link, run);
                from += sizeof head + run_aligned(head.bytes);
            }
        }
    }
    /// Removes the chunks for which `goes(link, bytes)` is true, and moves the others together. `open`: the
    /// remaining open chunks, by their ends. Calls `stayed(link, bytes)` for each remaining chunk, which
    /// returns its class, and `moved(cursor, distance to the lower end)` for those in `open`.
    template <class Goes, class Stayed, class Moved>
    void keep(std::span<open_chunk const> open, Goes&& goes, Stayed&& stayed, Moved&& moved) {
        for (std::size_t& each : held_) each = 0;
        std::size_t top = 0;
        std::size_t chunks = 0;
        for (std::size_t i = 0; i < chunks_; ++i) {
            chunk const known = at(i);
            std::size_t const from = begin_of(i);
            std::size_t const end = end_of(i);
            if (goes(known.link, cost_of(end - from))) continue;
            std::size_t const begin = top;
            if (!open.empty() && open.front().end == memory_.data() + end && end != from) {
                moved(open.front().cursor, from - begin);
                open = open.subspan(1);
                if (begin != from) std::memmove(memory_.data() + begin, memory_.data() + from, end - from);
                top += end - from;
            } else {
                top = move_runs(from, end, begin);
            }
            if (top == begin) continue;
            at(chunks++) = {static_cast<std::uint32_t>(begin / align), known.link};
            held_[static_cast<int>(stayed(known.link, cost_of(top - begin)))] += cost_of(top - begin);
        }
        top_ = top;
        chunks_ = chunks;
    }

private:
    static constexpr std::size_t align = run_alignment;
    struct chunk {
        std::uint32_t at; ///< begin, in units of `align`; the chunk ends at the next one's begin
        std::uint32_t link;
    };

    [[nodiscard]] chunk& at(std::size_t i) noexcept {
        return reinterpret_cast<chunk*>(memory_.data() + capacity_)[-1 - static_cast<std::ptrdiff_t>(i)];
    }
    [[nodiscard]] chunk const& at(std::size_t i) const noexcept {
        return const_cast<mail_pool*>(this)->at(i); // NOLINT: of the same object
    }
    [[nodiscard]] std::size_t begin_of(std::size_t i) const noexcept { return at(i).at * align; }
    [[nodiscard]] std::size_t end_of(std::size_t i) const noexcept {
        return i + 1 < chunks_ ? begin_of(i + 1) : top_;
    }

    /// Moves runs and drops the holes between them; returns their new end.
    std::size_t move_runs(std::size_t from, std::size_t end, std::size_t to) noexcept {
        while (from < end) {
            run_head const head = read_head(memory_.data() + from);
            std::size_t const bytes = sizeof head + run_aligned(head.bytes);
            if (head.how != delivery::nobody) {
                if (to != from) std::memmove(memory_.data() + to, memory_.data() + from, bytes);
                to += bytes;
            }
            from += bytes;
        }
        return to;
    }

    std::size_t shared_;
    std::size_t reserve_;
    std::size_t capacity_;
    buffer memory_; // empty before the first chunk
    std::size_t top_ = 0;
    std::size_t chunks_ = 0;
    std::size_t held_[hop_count] = {};
};

} // namespace weft
