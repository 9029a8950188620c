/// Sorting of integers in linear time. Private.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace weft {

/// Sorts ascending by the lowest `bits` bits of `key_of` an item; the others must be equal or zero. Items
/// with equal keys keep their order. O(n bits / 11) time, O(n) scratch memory.
template <class Item, class KeyOf = std::identity>
void radix_sort(std::vector<Item>& items, int bits, KeyOf key_of = {}) {
    constexpr int digit_bits = 11;
    constexpr std::size_t buckets = std::size_t{1} << digit_bits;
    std::vector<Item> scratch(items.size());
    for (int shift = 0; shift < bits; shift += digit_bits) {
        auto const digit = [&](Item const& item) {
            return (std::uint64_t{key_of(item)} >> shift) & (buckets - 1);
        };
        std::array<std::size_t, buckets> start{};
        for (Item const& item : items) ++start[digit(item)];
        std::size_t sum = 0;
        for (std::size_t& count : start) {
            std::size_t const here = count;
            count = sum;
            sum += here;
        }
        for (Item const& item : items) scratch[start[digit(item)]++] = item;
        items.swap(scratch);
    }
}

} // namespace weft
