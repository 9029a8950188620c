/// Sorting of integers in linear time. Private.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace weft {

/// Sorts ascending by the lowest `bits` bits; the others must be equal or zero. O(n bits / 11) time, O(n)
/// scratch memory.
inline void radix_sort(std::vector<std::uint64_t>& values, int bits) {
    constexpr int digit_bits = 11;
    constexpr std::size_t buckets = std::size_t{1} << digit_bits;
    std::vector<std::uint64_t> scratch(values.size());
    for (int shift = 0; shift < bits; shift += digit_bits) {
        std::array<std::size_t, buckets> start{};
        for (std::uint64_t const value : values) ++start[(value >> shift) & (buckets - 1)];
        std::size_t sum = 0;
        for (std::size_t& count : start) {
            std::size_t const here = count;
            count = sum;
            sum += here;
        }
        for (std::uint64_t const value : values) scratch[start[(value >> shift) & (buckets - 1)]++] = value;
        values.swap(scratch);
    }
}

} // namespace weft
