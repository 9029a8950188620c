/// Values folded by an operator that is associative but not commutative, so that the order is visible.
#pragma once

#include "draws.hpp"
#include "traffic.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace random_programs {

/// The map x -> factor * x + term.
struct affine {
    number factor = 1;
    number term = 0;

    friend bool operator==(affine const&, affine const&) = default;
};

[[nodiscard]] inline affine folded(affine const& a, affine const& b) {
    return {a.factor * b.factor, a.term * b.factor + b.term};
}
[[nodiscard]] inline std::string folded(std::string const& a, std::string const& b) {
    return a + b;
}

template <>
inline affine item_of<affine>(number value) {
    return {value | 1, mixed({value})};
}

/// Folds the values of members in their order.
template <class T>
[[nodiscard]] T folded(std::vector<T> const& values, std::size_t begin, std::size_t end) {
    T all = values[begin];
    for (std::size_t i = begin + 1; i < end; ++i) all = folded(all, values[i]);
    return all;
}

} // namespace random_programs
