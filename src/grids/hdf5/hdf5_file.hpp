/// Datasets of HDF5 files, named `file.h5:/path`.
#pragma once

#include <grids/hdf5/hdf5_dataset.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace weft {

/// A file opened for reading. From the first one on, the library prints nothing to standard error.
class hdf5_file {
public:
    /// Throws: `io_error`, for a file that is not HDF5 or is truncated.
    explicit hdf5_file(std::filesystem::path const& file);

    /// Opens a dataset. Throws: `usage_error`, with a list of all datasets, if `path` is none of them;
    /// `io_error` for a damaged one.
    [[nodiscard]] hdf5_dataset open(std::string const& path) const;

    /// Returns the paths of all datasets of numbers with at least one index.
    [[nodiscard]] std::vector<std::string> arrays() const;

    /// Returns the path of the only dataset with at least one index. Throws: `usage_error`, with a list,
    /// unless there is exactly one.
    [[nodiscard]] std::string only_array() const;

private:
    /// Returns "/a (2 x 3 float32), /b (...)".
    [[nodiscard]] std::string listed() const;

    std::string name_;
    std::int64_t end_; // of the content
    hdf5_handle file_;
};

} // namespace weft
