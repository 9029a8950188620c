/// The meaning of the numbers of a NetCDF variable, by its attributes.
#pragma once

#include <grids/grid_source.hpp>

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace weft {

/// Converts stored numbers to the values that they mean, by the attributes `scale_factor`, `add_offset`,
/// `_FillValue`, `missing_value`, `valid_range`, `valid_min`, `valid_max`. Local. Source: CF Metadata
/// Conventions 1.11, sections 2.5 and 8.1; NetCDF Users Guide, appendix on attribute conventions.
class cf_values {
public:
    /// Reads the attributes of a variable of an open file. `where` names both in errors. Throws: `io_error`
    /// for invalid attributes.
    cf_values(int file, int variable, value_type stored, std::string const& where);

    /// Returns the type of the values. It is that of the numbers unless they are packed, or integers with
    /// more than one number for missing data.
    [[nodiscard]] value_type type() const noexcept { return type_; }
    /// Returns the number that marks missing data, if the values are integers as they are stored. In other
    /// cases missing data become NaN.
    [[nodiscard]] std::optional<double> missing() const noexcept;
    /// Returns true if the values are the stored numbers.
    [[nodiscard]] bool are_plain() const noexcept { return plain_; }

    /// Converts numbers to values of type `as`, and writes each value `step` values after the one before.
    /// `into` may be `numbers` if no value moves.
    void convert(std::span<std::byte const> numbers, value_type as, std::byte* into, std::size_t step) const;

private:
    void read_missing(int file, int variable, std::string const& where);
    void read_range(int file, int variable, std::string const& where);

    value_type stored_;
    value_type type_;
    bool packed_ = false;
    bool plain_ = true;
    bool range_of_values_ = false; // the range is one of values, not of stored numbers
    double scale_ = 1;
    double offset_ = 0;
    std::vector<double> missing_; // numbers that mark missing data
    double lo_ = -std::numeric_limits<double>::infinity();
    double hi_ = std::numeric_limits<double>::infinity();
};

} // namespace weft
