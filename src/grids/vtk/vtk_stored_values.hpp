/// Values of an array in a legacy file of VTK: names, types and places. Private.
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

/// Returns the name that a file writes with %20 in place of a blank.
[[nodiscard]] std::string decoded_vtk_name(std::string const& name);

/// How a file stores the values of an array.
struct vtk_stored_type {
    char const* name;
    std::int64_t bytes; ///< of a value in a binary file
    std::optional<value_type> as;
};

/// Returns the type that a file calls `name`, in lower case; nothing for one that the format does not have.
[[nodiscard]] std::optional<vtk_stored_type> vtk_type_named(std::string_view name);

/// Values of a file: where they begin and how many there are.
struct vtk_stored_values {
    std::string name;
    vtk_stored_type type{};
    int components = 1;
    std::int64_t tuples = 0;
    std::vector<text_place> places; ///< of the first, and in text of more on the way
    bool at_points = true;
    int order = 2; ///< 0 for vectors, 1 for scalars, which are what a file means if no name is given
};

/// Reads values of one bit each, the first of which is the highest of its byte.
[[nodiscard]] std::unique_ptr<value_reader> vtk_bits_of(std::unique_ptr<byte_reader> bytes);

} // namespace weft
