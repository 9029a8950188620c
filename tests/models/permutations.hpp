/// States that differ only in the numbers of ranks.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <numeric>

#include <algorithm>

namespace weft_test {

/// Returns the least result of `renumber(order)` over all orders of `ranks` ranks.
template <std::size_t Most, class Renumber>
auto least_of_all_numberings(int ranks, Renumber&& renumbered) {
    std::array<int, Most> order;
    std::iota(order.begin(), order.end(), 0);
    auto least = renumbered(order);
    while (std::next_permutation(order.begin(), order.begin() + ranks)) {
        auto const other = renumbered(order);
        if (std::memcmp(&other, &least, sizeof least) < 0) least = other;
    }
    return least;
}

} // namespace weft_test
