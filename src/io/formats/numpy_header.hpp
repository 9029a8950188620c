/// The header of a NumPy file (.npy).
#pragma once

#include <files/file_handle.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace weft::io {

/// An array, as its header describes it.
struct numpy_header {
    char kind = 'i'; ///< As NumPy has it: b truth values, i signed and u unsigned integers, f floating point.
    std::int64_t item_bytes = 8;
    bool big_endian = false;
    bool fortran_order = false; ///< The first index runs fastest.
    std::vector<std::int64_t> shape;
    std::int64_t data = 0; ///< Where the items start in the file.
};

/// The first bytes of every NumPy file.
inline constexpr std::string_view numpy_magic = "\x93NUMPY";

/// Reads the header, of versions 1 to 3, and checks that the file has all items, and nothing behind them.
/// Local. Throws: `io_error` for what is no such file, for records, objects, texts and complex numbers.
[[nodiscard]] numpy_header read_numpy_header(file_handle const& file);

} // namespace weft::io
