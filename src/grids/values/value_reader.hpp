/// Values of a file, in order, in any encoding.
#pragma once

#include <grids/grid_source.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace weft {

/// Bytes read in place, or decompressed up to their place.
class byte_reader {
public:
    virtual ~byte_reader() = default;
    /// Throws: `io_error` if the file ends early.
    virtual void read_all(std::span<std::byte> into, std::int64_t offset) = 0;
};

/// Numbers of one type.
class value_reader {
public:
    virtual ~value_reader() = default;
    /// Reads values from number `first` on, in the byte order of this machine. Throws: `io_error`.
    virtual void read(std::int64_t first, std::span<std::byte> into) = 0;
};

/// Reads the bytes of a file from offset `first` on.
[[nodiscard]] std::unique_ptr<byte_reader> bytes_in_file(
    std::filesystem::path const& file, std::int64_t first);

/// Reads bytes compressed by bzip2 in a file from byte `first` on, without the first `skipped` decompressed
/// bytes. Going back starts anew, since no other bytes are kept.
[[nodiscard]] std::unique_ptr<byte_reader> bytes_in_bzip2(
    std::filesystem::path const& file, std::int64_t first, std::int64_t skipped);

/// Makes a reader of values of `bytes_each` bytes; `swapped`: they are in the other byte order.
[[nodiscard]] std::unique_ptr<value_reader> values_of_bytes(
    std::unique_ptr<byte_reader> bytes, std::size_t bytes_each, bool swapped);

/// A box of a grid and its values, x fastest.
struct grid_piece {
    box<std::int64_t> bounds;
    std::unique_ptr<value_reader> values;
};

/// Makes a grid of pieces that cover it; if several have a value, the last one counts.
[[nodiscard]] std::unique_ptr<grid_source> grid_of_pieces(grid_shape shape, std::vector<grid_piece> pieces);

/// Takes the axes of a structured grid from the places of its points, which are three components: from its
/// first row, column and pillar if all points agree, else the grid is bent. Cost: a pass over the places, one
/// layer at a time. Throws: `io_error`.
void take_axes_of_places(grid_source& places, grid_shape& into);

} // namespace weft
