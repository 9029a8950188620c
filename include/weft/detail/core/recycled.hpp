/// Recycled memory for objects that live for one operation.
#pragma once

#include <cstddef>
#include <vector>

namespace weft::detail {

/// Like `malloc` and `free` of at least one byte, but each thread keeps some freed small blocks of each size.
/// A `malloc` and `free` of the C library take some 150 instructions, and an exchange of a few bytes makes
/// seven or eight such pairs. Throws: `std::bad_alloc`.
[[nodiscard]] void* take_recycled(std::size_t bytes);
void give_recycled(void* block, std::size_t bytes) noexcept;

/// Base of classes whose objects are created by a thread one after the other.
class recycled {
public:
    static void* operator new(std::size_t bytes) { return take_recycled(bytes); }
    static void operator delete(void* block, std::size_t bytes) noexcept { give_recycled(block, bytes); }

protected:
    recycled() = default;
    ~recycled() = default;
};

/// Allocator for members of such classes.
template <class T>
struct recycling_allocator {
    using value_type = T;

    recycling_allocator() = default;
    template <class U>
    recycling_allocator(recycling_allocator<U> const&) noexcept {}

    static_assert(alignof(T) <= alignof(std::max_align_t));
    [[nodiscard]] T* allocate(std::size_t n) { return static_cast<T*>(take_recycled(n * sizeof(T))); }
    void deallocate(T* block, std::size_t n) noexcept { give_recycled(block, n * sizeof(T)); }
    friend bool operator==(recycling_allocator, recycling_allocator) noexcept { return true; }
};

template <class T>
using recycled_vector = std::vector<T, recycling_allocator<T>>;

} // namespace weft::detail
