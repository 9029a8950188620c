/// Files that are made of segments of all ranks. Private.
#pragma once

#include <files/file_handle.hpp>

#include <weft/extend/protocol/gate.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft {

/// The segments of a file, which lie one after the other. Each has bytes of every rank, in the order of
/// ranks, or is there once. All ranks add the same segments, in the same order.
class file_segments {
public:
    /// Writes this rank's bytes of a segment. `mine`: where those begin in the file; `start`: where the
    /// segment begins.
    using writer = std::function<void(file_handle const& file, std::int64_t mine, std::int64_t start)>;

    /// Adds bytes of this rank that live until the file is written.
    void add(std::span<std::byte const> mine) {
        segments_.push_back({static_cast<std::int64_t>(mine.size()), mine, {}, false});
    }
    void add(std::string_view mine) { add(std::as_bytes(std::span(mine))); }
    /// Adds `bytes` bytes of this rank that `write` makes when the file is written; its exceptions are
    /// agreed.
    void add(std::int64_t bytes, writer write) { segments_.push_back({bytes, {}, std::move(write), false}); }
    /// Adds what the file has once. All ranks know it, and rank 0 writes it.
    void add_once(std::string text) {
        auto const bytes = std::as_bytes(std::span(texts_.emplace_back(std::move(text))));
        segments_.push_back({static_cast<std::int64_t>(bytes.size()), bytes, {}, true});
    }

    /// Collective. Throws: what `call` has kept, before the file is touched; `io_error`; both agreed.
    void write(gate& call, std::filesystem::path const& file) const;
    /// All of this rank, for a file of its own, whose segments are in memory.
    [[nodiscard]] std::string joined() const;

private:
    struct segment {
        std::int64_t bytes;
        std::span<std::byte const> held;
        writer write; // of those that are not held
        bool is_once;
    };

    std::list<std::string> texts_; // which stay where they are; it is made and moved without memory
    std::vector<segment> segments_;
};

} // namespace weft
