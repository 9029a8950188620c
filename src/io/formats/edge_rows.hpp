/// Edges from the rows of an array of numbers.
#pragma once

#include "io/text/line_parser.hpp"

#include <weft/core/communicator.hpp>
#include <weft/graph/edge_list.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace weft::io {

/// An array in a file, open on this rank.
struct edge_rows {
    std::int64_t rows = 0;
    std::int64_t columns = 0; ///< 2, or 3 with weights
    char kind = 'i';          ///< 'i' and 'u' integers with a sign and without, 'f' real numbers
    std::int64_t item_bytes = 8;
    bool big_endian = false;
    bool by_column = false; ///< `fetch` gives all rows of the first column before those of the second.
    std::string format;     ///< In words.
    std::int64_t file_bytes = 0;
    /// Reads `count` rows from `first` on.
    std::function<void(std::int64_t first, std::int64_t count, std::span<std::byte> into)> fetch;
};

/// Throws `io_error` for a shape that is not (edges, 2) or (edges, 3).
void check_edge_shape(std::string const& name, std::span<std::int64_t const> shape);

/// Edges of labels that are numbers, from integers or floating point that is integral. Every rank opens the
/// array and reads its rows. Collective: yes. Throws: what `open` and its `fetch` throw, on all ranks;
/// `io_error`, the same on all ranks, "NAME[row, column]: ..." for the first bad item, counted from 0.
[[nodiscard]] edge_list read_edge_rows(communicator const& comm, std::string const& name,
    std::function<edge_rows()> const& open, weight_use weights,
    std::function<void(std::int64_t done, std::int64_t total)> const& progress);

} // namespace weft::io
