/// Files that are made of arrays of all ranks. Private.
#pragma once

#include <weft/extend/protocol/gate.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace weft::contouring {

/// This rank's bytes of each segment of a file. A file has its segments one after the other, and in each
/// those of the ranks.
class file_segments {
public:
    /// Bytes that live until the file is written.
    void add(std::span<std::byte const> bytes) { segments_.push_back(bytes); }
    void add(std::string bytes) {
        segments_.push_back(std::as_bytes(std::span(texts_.emplace_back(std::move(bytes)))));
    }

    /// Collective. Throws: what `call` has kept, before the file is touched; `io_error`; both agreed.
    void write(gate& call, std::filesystem::path const& file) const;
    /// All of this rank, for a file of its own.
    [[nodiscard]] std::string joined() const;

private:
    std::deque<std::string> texts_; // which stay where they are
    std::vector<std::span<std::byte const>> segments_;
};

} // namespace weft::contouring
