/// Open NetCDF files and the properties of their variables.
#pragma once

#include <grids/grid_source.hpp>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace weft {

/// The dimensions of a variable, slowest first.
struct variable_shape {
    std::vector<int> ids;
    std::vector<std::size_t> lengths;
    int type = 0; ///< an nc_type
};

/// A file opened for reading. Local. All calls throw `io_error` if the file cannot be read.
class netcdf_file {
public:
    explicit netcdf_file(std::filesystem::path const& path);
    netcdf_file(netcdf_file const&) = delete;
    netcdf_file& operator=(netcdf_file const&) = delete;
    ~netcdf_file();

    [[nodiscard]] int id() const noexcept { return id_; }
    [[nodiscard]] std::string const& name() const noexcept { return name_; }
    /// Throws "cannot `what`" if a status of the library is an error.
    void check(int status, std::string const& what) const;

    [[nodiscard]] int variables() const;
    /// Returns the variable of this name, or -1.
    [[nodiscard]] int variable_named(std::string const& name) const noexcept;
    [[nodiscard]] std::string name_of(int variable) const;
    [[nodiscard]] std::string dimension_name(int dimension) const;
    [[nodiscard]] variable_shape shape_of(int variable) const;
    /// Returns a text attribute, of characters or one string; empty if it is absent.
    [[nodiscard]] std::string text_of(int variable, char const* attribute) const;
    /// Returns the words of a text attribute, which blanks separate.
    [[nodiscard]] std::vector<std::string> words_of(int variable, char const* attribute) const;
    /// Returns the type of a variable's numbers; uses the attribute _Unsigned, since classic files have no
    /// unsigned integers. Empty for texts and user-defined types.
    [[nodiscard]] std::optional<value_type> type_of(int variable) const;

private:
    std::string name_;
    int id_ = -1;
};

/// Returns the variables with two or more dimensions, except bounds and coordinates of other
/// variables.
[[nodiscard]] std::vector<std::string> grids_of(netcdf_file const& file);
/// Returns their names, separated by ", ".
[[nodiscard]] std::string names_of_grids(netcdf_file const& file);

} // namespace weft
