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

/// An array of numbers in a file, read in pieces.
class hdf5_dataset {
public:
    /// `file_bytes` are those of the content of the file, and `name` stands in errors. Throws: `io_error` for
    /// one that is damaged, `usage_error` for one that is not read.
    hdf5_dataset(hdf5_handle set, std::string name, std::int64_t file_bytes);

    [[nodiscard]] std::vector<std::int64_t> const& lengths() const noexcept { return lengths_; }
    [[nodiscard]] value_type type() const noexcept { return type_; }
    /// "FILE:/path", for errors.
    [[nodiscard]] std::string const& name() const noexcept { return name_; }

    /// Reads `count` items along each index from `start` on, the last index fastest, in the byte order of
    /// this machine. Throws: `io_error`.
    void read(std::span<std::int64_t const> start, std::span<std::int64_t const> count,
        std::span<std::byte> into) const;
    /// All items, the last index fastest; whole numbers up to 2^53 are exact. Throws: `io_error`.
    [[nodiscard]] std::vector<double> read_all() const;

private:
    /// Refuses values that lie elsewhere, that are packed by an unknown filter, or that the file has no room
    /// for.
    void check_storage(std::int64_t file_bytes) const;
    /// Refuses values whose attributes say that they stand for others.
    void check_attributes() const;

    hdf5_handle set_;
    std::string name_;
    std::vector<std::int64_t> lengths_;
    value_type type_;
};

/// How many items an open dataset has along each index. Throws: `io_error`.
[[nodiscard]] std::vector<std::int64_t> hdf5_lengths(hdf5_handle const& set);

/// The type that items of an open dataset are read as; nothing for those that are no numbers of a usual size.
/// Throws: `io_error`.
[[nodiscard]] std::optional<value_type> hdf5_type(hdf5_handle const& set);

/// "2 x 3".
[[nodiscard]] std::string in_words(std::span<std::int64_t const> lengths);

} // namespace weft
