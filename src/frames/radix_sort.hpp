/// Sorts integers in linear time. Private.
#pragma once

#include <weft/detail/core/huge_pages.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace weft {

/// One sort, from the highest bits to the lowest: after a pass over all items, those with equal highest bits
/// fit into a cache.
template <class Item, class KeyOf>
class radix_sorter {
public:
    explicit radix_sorter(KeyOf key_of) : key_of_(std::move(key_of)) {}

    /// Sorts `count` items of `here` by their lowest `bits` bits. The result is in `here`, or in `there`,
    /// which has the same size.
    void sort(Item* here, Item* there, std::size_t count, int bits, bool into_there) {
        while (count > few && bits > 0) {
            // At most as many buckets as items: empty buckets cost no more than the items, and evenly filled
            // ones have few items each.
            int const digit_bits =
                std::min({static_cast<int>(std::bit_width(count)) - 1, most_digit_bits, bits});
            bits -= digit_bits;
            std::size_t const mask = (std::size_t{1} << digit_bits) - 1;
            auto const bucket_of = [&](Item const& item) {
                return static_cast<std::size_t>(std::uint64_t{key_of_(item)} >> bits) & mask;
            };
            std::array<std::size_t, most_buckets> end; // at first the size of each bucket
            std::fill_n(end.begin(), mask + 1, 0);
            for (std::size_t i = 0; i < count; ++i) ++end[bucket_of(here[i])];
            if (end[bucket_of(here[0])] == count) continue; // else each equal digit would need a stack frame
            std::size_t sum = 0;
            for (std::size_t bucket = 0; bucket <= mask; ++bucket) sum += std::exchange(end[bucket], sum);
            for (std::size_t i = 0; i < count; ++i) there[end[bucket_of(here[i])]++] = here[i];
            if (bits == 0) {
                if (!into_there) std::copy(there, there + count, here);
                return;
            }
            std::size_t begin = 0;
            for (std::size_t bucket = 0; bucket <= mask; ++bucket) {
                std::size_t const size = end[bucket] - begin;
                if (size > 0) sort(there + begin, here + begin, size, bits, !into_there);
                begin = end[bucket];
            }
            return;
        }
        insert_one_by_one(here, count, bits);
        if (into_there) std::copy(here, here + count, there);
    }

private:
    static constexpr int most_digit_bits = 11;
    static constexpr std::size_t most_buckets = std::size_t{1} << most_digit_bits;
    static constexpr std::size_t few = 40;

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

    KeyOf key_of_;
};

/// Sorts ascending by the lowest `bits` bits of `key_of` an item; the others must be equal or zero. Stable.
/// O(n bits / 5) time at most, usually two passes, one of them over memory that is not cached; O(n) scratch
/// memory. Sorted items cost one pass.
template <class Item, class KeyOf = std::identity>
void radix_sort(std::vector<Item>& items, int bits, KeyOf key_of = {}) {
    static_assert(std::is_trivially_copyable_v<Item>);
    if (std::ranges::is_sorted(
            items, {}, [&key_of](Item const& item) { return std::uint64_t{key_of(item)}; }))
        return;
    auto const free = [](void* memory) { std::free(memory); };
    std::size_t const bytes = items.size() * sizeof(Item); // memory that is mapped when it is first written
    std::unique_ptr<void, decltype(free)> const scratch(
        bytes < detail::least_in_huge_pages ? std::malloc(bytes) : detail::allocate_in_huge_pages(bytes),
        free);
    if (!scratch) throw std::bad_alloc();
    radix_sorter<Item, KeyOf>(std::move(key_of))
        .sort(items.data(), static_cast<Item*>(scratch.get()), items.size(), bits, false);
}

} // namespace weft
