/// Files with values only.
#pragma once

#include <grids/grid_source.hpp>
#include <grids/values/gzip_stream.hpp>

namespace weft {

/// Opens the values of a file from byte `first` on; reads boxes. `swapped`: they are in the other byte order.
/// Throws: `io_error`.
[[nodiscard]] std::unique_ptr<grid_source> values_in_file(
    std::filesystem::path const& file, grid_shape shape, std::int64_t first, bool swapped);

/// Opens gzipped values, from byte `first` of the decompressed data. `ends`: nothing follows the values. Each
/// rank decompresses the data up to its boxes, and keeps nothing else.
[[nodiscard]] std::unique_ptr<grid_source> values_in_gzip(
    gzip_stream packed, grid_shape shape, std::int64_t first, bool swapped, bool ends);

/// Opens a raw file with the shape and type of the options. Throws: `usage_error` if these are missing;
/// `io_error`, also if the file has another size.
[[nodiscard]] std::unique_ptr<grid_source> open_raw_grid(
    std::filesystem::path const& file, grid_file_options const& options);

/// Opens a raw file of vectors described by a JSON file: `dims_xyz`, and the coordinates `x`, `y` and `z`.
/// The values are in `file` of the same folder, or without that key in the `.raw` file with the same stem, in
/// the format of `type` (float32) and `layout`, after `header_bytes` (0). Throws: `io_error`.
[[nodiscard]] std::unique_ptr<grid_source> open_described_grid(
    std::filesystem::path const& file, grid_file_options const& none = {});

} // namespace weft
