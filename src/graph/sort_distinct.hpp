/// Sorting of what may occur more than once. Private.
#pragma once

#include <algorithm>
#include <vector>

namespace weft {

template <class T>
void sort_distinct(std::vector<T>& values) {
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

} // namespace weft
