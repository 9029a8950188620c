/// Files of nothing but values.
#pragma once

#include <grids/grid_source.hpp>
#include <grids/values/gzip_stream.hpp>

namespace weft {

/// The values of a file from byte `first` on, box by box; `swapped`: in the other byte order. Throws:
/// `io_error`.
[[nodiscard]] std::unique_ptr<grid_source> values_in_file(
    std::filesystem::path const& file, grid_shape shape, std::int64_t first, bool swapped);

/// The same of what gzip has packed, from byte `first` of what it unpacks to. `ends`: nothing is behind the
/// values. Each rank unpacks up to what it reads, and keeps nothing of it.
[[nodiscard]] std::unique_ptr<grid_source> values_in_gzip(
    gzip_stream packed, grid_shape shape, std::int64_t first, bool swapped, bool ends);

/// A raw file of the options' shape and type. Throws: `usage_error` where they are missing; `io_error`, also
/// where the file has another size.
[[nodiscard]] std::unique_ptr<grid_source> open_raw_grid(
    std::filesystem::path const& file, grid_file_options const& options);

/// A raw file of vectors that a JSON file describes: `dims_xyz`, and the coordinates `x`, `y` and `z`; the
/// values are in `file` of the same folder, without that key in the `.raw` file beside it that starts with
/// the same name, as `type` (float32) and `layout` say, behind `header_bytes` (0). Throws: `io_error`.
[[nodiscard]] std::unique_ptr<grid_source> open_described_grid(
    std::filesystem::path const& file, grid_file_options const& none = {});

} // namespace weft
