/// Files that are made of arrays of all ranks. Private.
#pragma once

#include <files/file_handle.hpp>

#include <weft/extend/protocol/gate.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace weft {

/// This rank's bytes of each segment of a file. A file has its segments one after the other, and in each
/// those of the ranks.
class file_segments {
public:
    /// Writes this rank's bytes of a segment. `mine`: where those begin in the file; `start`: where the
    /// segment begins.
    using writer = std::function<void(file_handle const& file, std::int64_t mine, std::int64_t start)>;

    /// Bytes that live until the file is written.
    void add(std::span<std::byte const> bytes) {
        segments_.push_back({static_cast<std::int64_t>(bytes.size()), bytes, {}});
    }
    /// Adds `bytes` bytes that `write` makes when the file is written; its exceptions are agreed.
    void add(std::int64_t bytes, writer write) { segments_.push_back({bytes, {}, std::move(write)}); }
    void add(std::string bytes) { add(std::as_bytes(std::span(texts_.emplace_back(std::move(bytes))))); }

    /// Collective. Throws: what `call` has kept, before the file is touched; `io_error`; both agreed.
    void write(gate& call, std::filesystem::path const& file) const;
    /// All of this rank, for a file of its own, whose segments are in memory.
    [[nodiscard]] std::string joined() const;

private:
    struct segment {
        std::int64_t bytes;
        std::span<std::byte const> held;
        writer write; // of those that are not held
    };

    std::deque<std::string> texts_; // which stay where they are
    std::vector<segment> segments_;
};

} // namespace weft
