/// Histograms for persons whose rows double.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace weft::tool {

/// A histogram drawn in rows whose upper bounds double: 0, 1, 2-3, 4-7, ... `measure` and `counted` are the
/// heads of the columns.
[[nodiscard]] std::string draw_doubling(std::map<std::int64_t, std::int64_t> const& histogram,
    std::string_view measure, std::string_view counted);

} // namespace weft::tool
