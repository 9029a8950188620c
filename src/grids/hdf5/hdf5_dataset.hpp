/// An array of numbers in an HDF5 file. Private.
#pragma once

#include <grids/grid_source.hpp>
#include <grids/hdf5/hdf5_handle.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace weft {

/// An array of numbers in a file, read in parts.
class hdf5_dataset {
public:
    /// `file_bytes`: the size of the content of the file; `name`: for errors. Throws: `io_error` for a
    /// damaged dataset, `usage_error` for an unsupported one.
    hdf5_dataset(hdf5_handle set, std::string name, std::int64_t file_bytes);

    [[nodiscard]] std::vector<std::int64_t> const& lengths() const noexcept { return lengths_; }
    [[nodiscard]] value_type type() const noexcept { return type_; }
    /// Returns "FILE:/path", for errors.
    [[nodiscard]] std::string const& name() const noexcept { return name_; }

    /// Reads `count` items along each index, starting at `start`, the last index fastest, in the byte order
    /// of this machine. Throws: `io_error`.
    void read(std::span<std::int64_t const> start, std::span<std::int64_t const> count,
        std::span<std::byte> into) const;
    /// Reads all items, the last index fastest; integers up to 2^53 are exact. Throws: `io_error`.
    [[nodiscard]] std::vector<double> read_all() const;

private:
    /// Refuses values stored in another file, compressed by an unknown filter, or larger than the
    /// file.
    void check_storage(std::int64_t file_bytes) const;
    /// Refuses values with attributes that change their meaning.
    void check_attributes() const;

    hdf5_handle set_;
    std::string name_;
    std::vector<std::int64_t> lengths_;
    value_type type_;
};

/// Returns the number of items of an open dataset along each index. Throws: `io_error`.
[[nodiscard]] std::vector<std::int64_t> hdf5_lengths(hdf5_handle const& set);

/// Returns the type in which items of an open dataset are read; empty unless they are numbers of a usual
/// size. Throws: `io_error`.
[[nodiscard]] std::optional<value_type> hdf5_type(hdf5_handle const& set);

/// Returns "2 x 3".
[[nodiscard]] std::string in_words(std::span<std::int64_t const> lengths);

} // namespace weft
