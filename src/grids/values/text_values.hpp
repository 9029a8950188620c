/// Values that are written as text.
#pragma once

#include <grids/values/text_cursor.hpp>
#include <grids/values/value_reader.hpp>

#include <memory>
#include <string>
#include <vector>

namespace weft {

/// Values from a place of a file on, between blanks. `type_name`: what the file calls their type. `places`:
/// of every `words_between_places`-th of them, as far as they are known, the first one's at least. Others are
/// found on the way, and kept, so that boxes in any order cost what lies between them and the place before.
/// Throws: `io_error` for a value that is not one of the type, and where there are too few.
[[nodiscard]] std::unique_ptr<value_reader> values_in_text(
    text_cursor in, std::vector<text_place> places, value_type type, std::string type_name);

} // namespace weft
