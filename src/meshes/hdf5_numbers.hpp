/// Numbers in files of HDF5. Private.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace weft {

/// All numbers of a dataset, the last dimension fastest; whole numbers up to 2^53 are exact. Local. Throws:
/// `io_error` where there is none, or it has not `count` numbers.
[[nodiscard]] std::vector<double> read_hdf5_numbers(
    std::filesystem::path const& file, std::string const& dataset, std::int64_t count);

} // namespace weft
