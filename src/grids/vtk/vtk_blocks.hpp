/// Values that VTK packs in blocks.
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

/// Unpacks a block that must have exactly the bytes of `into`; false where it cannot.
using block_unpacker = std::function<bool(std::span<std::byte const> packed, std::span<std::byte> into)>;

/// Returns what unpacks the blocks of a `compressor`, as VTK calls it; empty for one that is not known, and
/// where Weft was built without VTK. Local.
[[nodiscard]] block_unpacker unpacker_named(std::string const& compressor);

/// The sizes of blocks, as the words before them say: how many there are, the bytes of one and those of the
/// last one where it has fewer (else 0), then the packed bytes of each.
struct block_sizes {
    std::int64_t each = 0;
    std::int64_t last = 0;
    std::vector<std::int64_t> packed;

    /// Bytes that they unpack to.
    [[nodiscard]] std::int64_t total() const noexcept;
};

/// Bytes in blocks, of which those are unpacked that are needed; the last one is kept. `where`: names the
/// file and the array in errors.
[[nodiscard]] std::unique_ptr<byte_reader> bytes_in_blocks(
    std::unique_ptr<byte_reader> packed, block_sizes sizes, block_unpacker unpack, std::string where);

} // namespace weft
