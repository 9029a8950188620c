/// Open NetCDF files and what they say of their variables.
#pragma once

#include <grids/grid_source.hpp>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace weft {

/// A variable's dimensions, slowest first.
struct variable_shape {
    std::vector<int> ids;
    std::vector<std::size_t> lengths;
    int type = 0; ///< an nc_type
};

/// A file that is open to read. Local. All throw `io_error` where the file cannot be read.
class netcdf_file {
public:
    explicit netcdf_file(std::filesystem::path const& path);
    netcdf_file(netcdf_file const&) = delete;
    netcdf_file& operator=(netcdf_file const&) = delete;
    ~netcdf_file();

    [[nodiscard]] int id() const noexcept { return id_; }
    [[nodiscard]] std::string const& name() const noexcept { return name_; }
    /// Throws for a status of the library that is not good: "cannot `what`".
    void check(int status, std::string const& what) const;

    [[nodiscard]] int variables() const;
    /// -1 where there is none of this name.
    [[nodiscard]] int variable_named(std::string const& name) const noexcept;
    [[nodiscard]] std::string name_of(int variable) const;
    [[nodiscard]] std::string dimension_name(int dimension) const;
    [[nodiscard]] variable_shape shape_of(int variable) const;
    /// A text attribute, of characters or one string; empty where there is none.
    [[nodiscard]] std::string text_of(int variable, char const* attribute) const;
    /// The names in a text attribute, between blanks.
    [[nodiscard]] std::vector<std::string> words_of(int variable, char const* attribute) const;
    /// The type of a variable's numbers; the attribute _Unsigned is heeded, since classic files have no
    /// unsigned integers. Nothing for texts and types of programs.
    [[nodiscard]] std::optional<value_type> type_of(int variable) const;

private:
    std::string name_;
    int id_ = -1;
};

/// The variables of two dimensions or more, without those that only say where others lie: their bounds and
/// coordinates.
[[nodiscard]] std::vector<std::string> grids_of(netcdf_file const& file);
/// The same, separated by ", ".
[[nodiscard]] std::string names_of_grids(netcdf_file const& file);

} // namespace weft
