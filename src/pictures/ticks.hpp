/// The places and labels of the marks of an axis.
#pragma once

#include <string>
#include <vector>

namespace weft {

/// A mark on an axis. Marks without a label are minor ones.
struct tick {
    double value = 0;
    std::string label;
};

/// Returns multiples of 1, 2 or 5 times a power of ten from `lo` to `hi`: at most `most`, and at least one
/// unless the range is too narrow for numbers of its size. Labels have no more digits than are needed to tell
/// them apart. Local.
[[nodiscard]] std::vector<tick> linear_ticks(double lo, double hi, int most);

/// Returns the powers of ten in a positive range, or 1, 2 and 5 times these if few powers fit. Of more than
/// `most` powers, some are left out. Local.
[[nodiscard]] std::vector<tick> log_ticks(double lo, double hi, int most);

} // namespace weft
