/// Values compressed in blocks by VTK.
#pragma once

#include <grids/values/value_reader.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace weft {

/// Decompresses a block into exactly the bytes of `into`; returns false on failure.
using block_unpacker = std::function<bool(std::span<std::byte const> packed, std::span<std::byte> into)>;

/// Returns the function that decompresses blocks of a `compressor`, by VTK's name; empty for an unknown one,
/// and if Weft is built without VTK. Local.
[[nodiscard]] block_unpacker unpacker_named(std::string const& compressor);

/// The sizes of blocks, from the words before them: the number of blocks, the bytes of a block, those of the
/// last one if it is shorter (else 0), then the compressed bytes of each.
struct block_sizes {
    std::int64_t each = 0;
    std::int64_t last = 0;
    std::vector<std::int64_t> packed;

    /// Returns the number of decompressed bytes.
    [[nodiscard]] std::int64_t total() const noexcept;
};

/// Reads bytes in blocks: decompresses the blocks that are needed and keeps the last one. `where`: names the
/// file and the array in errors.
[[nodiscard]] std::unique_ptr<byte_reader> bytes_in_blocks(
    std::unique_ptr<byte_reader> packed, block_sizes sizes, block_unpacker unpack, std::string where);

} // namespace weft
