/// Sums of the terms of a row, in a fixed order. Private.
#pragma once

#include <cstddef>

namespace weft {

template <class Term>
[[gnu::always_inline]] inline double sum_of_some(std::size_t begin, std::size_t end, Term const& term) {
    double a = 0; // independent sums
    double b = 0;
    double c = 0;
    double d = 0;
    for (; begin + 4 <= end; begin += 4) {
        a += term(begin);
        b += term(begin + 1);
        c += term(begin + 2);
        d += term(begin + 3);
    }
    if (begin < end) a += term(begin);
    if (begin + 1 < end) b += term(begin + 1);
    if (begin + 2 < end) c += term(begin + 2);
    return (a + b) + (c + d);
}

template <class Term>
[[gnu::noinline]] double sum_of_many(std::size_t begin, std::size_t end, Term const& term) {
    std::size_t const count = end - begin;
    if (count <= 32) return sum_of_some(begin, end, term);
    std::size_t const middle = begin + count / 2;
    return sum_of_many(begin, middle, term) + sum_of_many(middle, end, term);
}

/// Returns the sum of the terms of arcs begin..end-1 by pairwise summation: with sequential summation, the
/// rounding errors of a hub's sum would exceed the tolerance, and iterations would not converge. Most
/// vertices have few arcs, for which a call takes longer than the sum: these are added in a loop as short as
/// possible.
template <class Term>
[[gnu::always_inline]] inline double sum_of(std::size_t begin, std::size_t end, Term const& term) {
    if (end - begin > 8) return sum_of_many(begin, end, term);
    double sum = 0;
    for (; begin < end; ++begin) sum += term(begin);
    return sum;
}

} // namespace weft
