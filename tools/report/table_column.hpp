/// Columns of tables.
#pragma once

#include <cstdint>
#include <string>

namespace weft::tool {

enum class column_kind : std::uint8_t {
    words, ///< texts, which `.npy` has not
    whole, ///< whole numbers of 64 bits
    real   ///< double
};

struct table_column {
    std::string name;
    column_kind kind;
};

} // namespace weft::tool
