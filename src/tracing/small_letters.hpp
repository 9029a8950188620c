/// The few letters that a scale needs.
#pragma once

#include <tracing/line_canvas.hpp>

#include <string_view>

namespace weft {

/// Writes digits, signs, and the letters of "speed"; others leave a gap. The upper left corner is at x, y; a
/// letter is 10 pixels wide and 14 high, and 12 from the next.
void write_small(line_canvas& canvas, float x, float y, std::string_view text, colour const& of);

} // namespace weft
