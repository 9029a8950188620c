/// The names, types and places of arrays in a legacy file of VTK. Private.
#pragma once

#include <grids/values/text_cursor.hpp>
#include <grids/values/value_reader.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// Decodes a name, which has %20 in place of blanks in a file.
[[nodiscard]] std::string decoded_vtk_name(std::string const& name);

/// The type of stored values.
struct vtk_stored_type {
    char const* name;
    std::int64_t bytes; ///< of a value in a binary file
    std::optional<value_type> as;
};

/// Returns the type with the name `name`, in lower case; empty if the format has no such type.
[[nodiscard]] std::optional<vtk_stored_type> vtk_type_named(std::string_view name);

/// Values of a file: their place and number.
struct vtk_stored_values {
    std::string name;
    vtk_stored_type type{};
    int components = 1;
    std::int64_t tuples = 0;
    std::vector<text_place> places; ///< of the first value; for text also of later ones
    bool at_points = true;
    int order = 2; ///< 0 for vectors, 1 for scalars, which are the default if no name is given
};

/// Reads values of one bit each, the highest bit of a byte first.
[[nodiscard]] std::unique_ptr<value_reader> vtk_bits_of(std::unique_ptr<byte_reader> bytes);

} // namespace weft
