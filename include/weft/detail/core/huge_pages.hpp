/// Less time for the first touch of large memory. Private.
#pragma once

#include <cstddef>
#include <vector>

namespace weft::detail {

/// From that size on huge pages save more than they cost.
inline constexpr std::size_t least_in_huge_pages = std::size_t{4} << 20;

/// Asks the system for huge pages: one fault for 2 MiB in place of 512. A hint; nothing depends on it.
void prefer_huge_pages(void* memory, std::size_t bytes) noexcept;

/// Memory of at least that size which begins where a huge page may begin, to be given to `std::free`; null
/// where there is none.
[[nodiscard]] void* allocate_in_huge_pages(std::size_t bytes) noexcept;

/// `reserve`, in huge pages where it is large. Before the first touch.
template <class T>
void reserve_in_huge_pages(std::vector<T>& values, std::size_t items) {
    if (items <= values.capacity()) return;
    values.reserve(items);
    prefer_huge_pages(values.data(), values.capacity() * sizeof(T));
}

/// `resize` of a vector that was empty, in huge pages where it is large.
template <class T>
void resize_in_huge_pages(std::vector<T>& values, std::size_t items) {
    reserve_in_huge_pages(values, items);
    values.resize(items);
}

} // namespace weft::detail
