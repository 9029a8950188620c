/// Vectors from text files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weft {

class communicator;

/// Reads a vector of `count` elements, one number per line; blank lines, and lines that begin with # or %,
/// are skipped. The file may be compressed by gzip, bzip2, xz or zstd; the content of the file shows its
/// compression. Every rank parses its own byte range of a plain file; rank 0 decompresses a compressed file
/// and sends lines to all ranks. Returns the elements of this rank, its block of a `uniform_distribution`.
/// Collective: yes, over `comm`. Blocks: until all ranks have their block. Cost: one pass over the file, one
/// exchange of 16 bytes per element. Throws: `io_error`, the same on all ranks, if the file cannot be read, a
/// line is not a number, or the number of elements is not `count`.
[[nodiscard]] std::vector<double> read_vector(
    communicator const& comm, std::string const& file, std::int64_t count);

} // namespace weft
