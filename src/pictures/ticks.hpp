/// Where the marks of an axis stand, and how they are named.
#pragma once

#include <string>
#include <vector>

namespace weft {

/// A mark on an axis. Marks without a label are minor ones.
struct tick {
    double value = 0;
    std::string label;
};

/// Round numbers (1, 2 or 5 times a power of ten apart) from `lo` to `hi`, at most `most` of them, at least
/// one where the range has any width that numbers of this size can show. Labels have no more digits than tell
/// them apart. Local.
[[nodiscard]] std::vector<tick> linear_ticks(double lo, double hi, int most);

/// Powers of ten, or 1, 2 and 5 times these where few powers fit, of a positive range. Where the range has
/// more than `most` powers, some are left out. Local.
[[nodiscard]] std::vector<tick> log_ticks(double lo, double hi, int most);

} // namespace weft
