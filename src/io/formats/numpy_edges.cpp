#include "numpy_edges.hpp"

#include "edge_rows.hpp"
#include "numpy_header.hpp"

#include <weft/core/error.hpp>

#include <memory>
#include <utility>

namespace weft::io {

namespace {

edge_rows open_numpy(std::filesystem::path const& path) {
    auto const file = std::make_shared<file_handle>(file_handle::open_to_read(path));
    numpy_header const header = read_numpy_header(*file);
    check_edge_shape(path.string(), header.shape);
    if (header.kind == 'b')
        throw io_error(path.string() + ": expected an array of numbers, found one of truth values");
    if (header.kind == 'f' && header.item_bytes < 4)
        throw io_error(path.string() +
                       ": expected integers, or real numbers of 32 or 64 bits, found float16, which has "
                       "integers up to 2048 alone");
    auto const fetch = [file, data = header.data, rows = header.shape[0], columns = header.shape[1],
                           bytes = header.item_bytes, by_column = header.fortran_order](
                           std::int64_t first, std::int64_t count, std::span<std::byte> into) {
        if (!by_column) {
            file->read_all(into, data + first * columns * bytes);
            return;
        }
        auto const share = static_cast<std::size_t>(count * bytes);
        for (std::int64_t column = 0; column < columns; ++column)
            file->read_all(into.subspan(static_cast<std::size_t>(column) * share, share),
                data + (column * rows + first) * bytes);
    };
    return {.rows = header.shape[0],
        .columns = header.shape[1],
        .kind = header.kind,
        .item_bytes = header.item_bytes,
        .big_endian = header.big_endian,
        .by_column = header.fortran_order,
        .format = std::string("NumPy array of ") + header.kind + std::to_string(header.item_bytes),
        .file_bytes = file->size(),
        .fetch = fetch};
}

} // namespace

edge_list read_numpy_edges(communicator const& comm, std::filesystem::path const& file, weight_use weights,
    std::function<void(std::int64_t, std::int64_t)> const& progress) {
    return read_edge_rows(
        comm, file.string(), [&] { return open_numpy(file); }, weights, progress);
}

} // namespace weft::io
