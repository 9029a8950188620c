/// Huge pages, which make the first touch of large memory faster. Private.
#pragma once

#include <cstddef>
#include <vector>

namespace weft::detail {

/// The size above which huge pages save more time than they cost.
inline constexpr std::size_t least_in_huge_pages = std::size_t{4} << 20;

/// Asks the system for huge pages: one page fault for 2 MiB instead of 512. Only a hint.
void prefer_huge_pages(void* memory, std::size_t bytes) noexcept;

/// Allocates memory of at least this size, aligned to a huge page; free it by `std::free`. Returns null if
/// memory is exhausted.
[[nodiscard]] void* allocate_in_huge_pages(std::size_t bytes) noexcept;

/// Reserves memory of a vector, in huge pages if it is large. To be called before the first touch.
template <class T>
void reserve_in_huge_pages(std::vector<T>& values, std::size_t items) {
    if (items <= values.capacity()) return;
    values.reserve(items);
    prefer_huge_pages(values.data(), values.capacity() * sizeof(T));
}

/// Resizes an empty vector, in huge pages if it is large.
template <class T>
void resize_in_huge_pages(std::vector<T>& values, std::size_t items) {
    reserve_in_huge_pages(values, items);
    values.resize(items);
}

} // namespace weft::detail
