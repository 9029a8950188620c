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

/// Numbers as they are stored and the values that they stand for: `scale_factor`, `add_offset`, `_FillValue`,
/// `missing_value`, `valid_range`, `valid_min`, `valid_max`. Local. Source: CF Metadata Conventions 1.11,
/// sections 2.5 and 8.1; NetCDF Users Guide, appendix on attribute conventions.
class cf_values {
public:
    /// Of a variable of an open file. `where` names both in errors. Throws: `io_error` for attributes that
    /// make no sense.
    cf_values(int file, int variable, value_type stored, std::string const& where);

    /// Of the values: that of the numbers, unless they are packed, or integers of which more than one stands
    /// for none.
    [[nodiscard]] value_type type() const noexcept { return type_; }
    /// The number that stands for none, among integers that stay what they are; else what is missing becomes
    /// NaN.
    [[nodiscard]] std::optional<double> missing() const noexcept;
    /// True if the numbers are the values.
    [[nodiscard]] bool are_plain() const noexcept { return plain_; }

    /// Turns numbers into values of type `as`, each `step` values after the one before. `into` may be
    /// `numbers` where nothing moves.
    void convert(std::span<std::byte const> numbers, value_type as, std::byte* into, std::size_t step) const;

private:
    void read_missing(int file, int variable, std::string const& where);
    void read_range(int file, int variable, std::string const& where);

    value_type stored_;
    value_type type_;
    bool packed_ = false;
    bool plain_ = true;
    bool range_of_values_ = false; // the range is one of values rather than of numbers
    double scale_ = 1;
    double offset_ = 0;
    std::vector<double> missing_; // numbers that stand for none
    double lo_ = -std::numeric_limits<double>::infinity();
    double hi_ = std::numeric_limits<double>::infinity();
};

} // namespace weft
