/// Values of a file, one after the other, however they are written there.
#pragma once

#include <grids/grid_source.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace weft {

/// Bytes that are read where they lie, or unpacked up to where they are.
class byte_reader {
public:
    virtual ~byte_reader() = default;
    /// Throws: `io_error` where they are not all there.
    virtual void read_all(std::span<std::byte> into, std::int64_t offset) = 0;
};

/// Numbers of one type.
class value_reader {
public:
    virtual ~value_reader() = default;
    /// Reads values from the one of that number on, in the byte order of this machine. Throws: `io_error`.
    virtual void read(std::int64_t first, std::span<std::byte> into) = 0;
};

/// The bytes of a file from one on.
[[nodiscard]] std::unique_ptr<byte_reader> bytes_in_file(
    std::filesystem::path const& file, std::int64_t first);

/// The bytes that bzip2 has packed in a file from byte `first` on, without the `skipped` bytes that it
/// unpacks to first. Going back begins anew; nothing but what is asked for is kept.
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

/// A grid whose pieces together have all its values; where several have one, it is that of the last of them.
[[nodiscard]] std::unique_ptr<grid_source> grid_of_pieces(grid_shape shape, std::vector<grid_piece> pieces);

/// Takes the axes of a structured grid from the places of its points, which are their three components: those
/// of its first row, column and pillar where all points agree, else the grid is bent. Cost: a pass over the
/// places, a layer of them at a time. Throws: `io_error`.
void take_axes_of_places(grid_source& places, grid_shape& into);

} // namespace weft
