/// Sorting of integers in linear time. Private.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace weft {

/// One sort: bits from the highest on until what is left fits into the cache, then from the lowest on.
template <class Item, class KeyOf>
class radix_sorter {
public:
    explicit radix_sorter(KeyOf key_of) : key_of_(std::move(key_of)) {}

    /// Sorts `count` items of `here` by their lowest `bits` bits; they end in `here`, or in `there`, which
    /// has room for as many.
    void sort(Item* here, Item* there, std::size_t count, int bits, bool into_there) {
        if (count <= few) {
            insert_one_by_one(here, count, bits);
            if (into_there) std::copy(here, here + count, there);
        } else if (count * sizeof(Item) <= cached_bytes || bits <= 2 * digit_bits) {
            sort_from_below(here, there, count, bits, into_there);
        } else {
            int const rest = bits - digit_bits;
            std::vector<std::size_t> begin(buckets + 1);
            for (std::size_t i = 0; i < count; ++i) ++begin[digit(here[i], rest) + 1];
            for (std::size_t bucket = 0; bucket < buckets; ++bucket) begin[bucket + 1] += begin[bucket];
            std::vector<std::size_t> next(begin);
            for (std::size_t i = 0; i < count; ++i) there[next[digit(here[i], rest)]++] = here[i];
            for (std::size_t bucket = 0; bucket < buckets; ++bucket)
                sort(there + begin[bucket], here + begin[bucket], begin[bucket + 1] - begin[bucket], rest,
                    !into_there);
        }
    }

private:
    static constexpr int digit_bits = 11;
    static constexpr std::size_t buckets = std::size_t{1} << digit_bits;
    static constexpr std::size_t few = 40;
    static constexpr std::size_t cached_bytes = 1 << 18;

    [[nodiscard]] std::size_t digit(Item const& item, int shift) const {
        return static_cast<std::size_t>(std::uint64_t{key_of_(item)} >> shift) & (buckets - 1);
    }

    void insert_one_by_one(Item* items, std::size_t count, int bits) const {
        if (bits <= 0) return;
        auto const key = [this, bits](
                             Item const& item) { return std::uint64_t{key_of_(item)} << (64 - bits); };
        for (std::size_t i = 1; i < count; ++i) {
            Item const moved = items[i];
            std::size_t to = i;
            for (; to > 0 && key(moved) < key(items[to - 1]); --to) items[to] = items[to - 1];
            items[to] = moved;
        }
    }

    /// Digits as wide as there are items to fill their buckets.
    void sort_from_below(Item* here, Item* there, std::size_t count, int bits, bool into_there) const {
        int const width = count < 4 * buckets ? 8 : digit_bits;
        bool is_there = false;
        for (int shift = 0; shift < bits; shift += width) {
            std::size_t const mask = (std::size_t{1} << std::min(width, bits - shift)) - 1;
            auto const bucket_of = [&](Item const& item) {
                return static_cast<std::size_t>(std::uint64_t{key_of_(item)} >> shift) & mask;
            };
            std::array<std::size_t, buckets> start{};
            for (std::size_t i = 0; i < count; ++i) ++start[bucket_of(here[i])];
            std::size_t sum = 0;
            for (std::size_t bucket = 0; bucket <= mask; ++bucket) sum += std::exchange(start[bucket], sum);
            for (std::size_t i = 0; i < count; ++i) there[start[bucket_of(here[i])]++] = here[i];
            std::swap(here, there);
            is_there = !is_there;
        }
        if (is_there != into_there) std::copy(here, here + count, there);
    }

    KeyOf key_of_;
};

/// Sorts ascending by the lowest `bits` bits of `key_of` an item; the others must be equal or zero. Items
/// with equal keys keep their order. O(n bits / 8) time, of which passes over memory that is
/// not cached n bits / 11 at most and mostly one; O(n) scratch memory. Items in order cost one look at them.
template <class Item, class KeyOf = std::identity>
void radix_sort(std::vector<Item>& items, int bits, KeyOf key_of = {}) {
    if (std::ranges::is_sorted(
            items, {}, [&key_of](Item const& item) { return std::uint64_t{key_of(item)}; }))
        return;
    std::vector<Item> scratch(items.size());
    radix_sorter<Item, KeyOf>(std::move(key_of))
        .sort(items.data(), scratch.data(), items.size(), bits, false);
}

} // namespace weft
