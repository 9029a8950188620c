/// Values stored as text.
#pragma once

#include <grids/values/text_cursor.hpp>
#include <grids/values/value_reader.hpp>

#include <memory>
#include <string>
#include <vector>

namespace weft {

/// Reads values from a place of a file on, separated by blanks. `type_name`: the name of their type in the
/// file. `places`: those known of every `words_between_places`-th value, at least of the first. Others are
/// found on the way and kept, so that boxes in any order cost at most the text since the previous place.
/// Throws: `io_error` for an invalid value of the type, and if there are too few.
[[nodiscard]] std::unique_ptr<value_reader> values_in_text(
    text_cursor in, std::vector<text_place> places, value_type type, std::string type_name);

} // namespace weft
