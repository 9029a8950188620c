/// Datasets of HDF5 files, as `file.h5:/path` names them.
#pragma once

#include <grids/hdf5/hdf5_dataset.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace weft {

/// A file opened to be read. The library writes nothing to standard error from the first one on.
class hdf5_file {
public:
    /// Throws: `io_error`, for a file that is no HDF5 or shorter than it says.
    explicit hdf5_file(std::filesystem::path const& file);

    /// Throws: `usage_error`, with a list of the datasets that there are, where `path` is none of them;
    /// `io_error` for one that is damaged.
    [[nodiscard]] hdf5_dataset open(std::string const& path) const;

    /// The paths of all datasets of numbers with one index or more.
    [[nodiscard]] std::vector<std::string> arrays() const;

    /// The path of the only dataset with one index or more. Throws: `usage_error`, with a list, where there
    /// are others or none.
    [[nodiscard]] std::string only_array() const;

private:
    /// "/a (2 x 3 float32), /b (...)".
    [[nodiscard]] std::string listed() const;

    std::string name_;
    std::int64_t end_; // of its content
    hdf5_handle file_;
};

} // namespace weft
