#include <weft/core/buffer.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace weft {

namespace {

// Aligned allocation of the C library is several times slower than malloc, which serves small sizes from a
// cache of the thread: so malloc, with room to align, and where it began kept in front.
std::byte* allocate(std::size_t bytes) {
    void* const whole = std::malloc(bytes + buffer::alignment + sizeof(void*));
    if (whole == nullptr) throw std::bad_alloc();
    auto const first = reinterpret_cast<std::uintptr_t>(whole) + sizeof(void*);
    auto* const aligned =
        reinterpret_cast<std::byte*>((first + buffer::alignment - 1) & ~(buffer::alignment - 1));
    std::memcpy(aligned - sizeof(void*), &whole, sizeof whole);
    return aligned;
}

void release(std::byte* aligned) {
    void* whole = nullptr;
    std::memcpy(&whole, aligned - sizeof(void*), sizeof whole);
    std::free(whole);
}

} // namespace

buffer::~buffer() {
    if (capacity_ != 0) release(data_);
}

void buffer::grow(std::size_t at_least) {
    // Half as much again keeps appending amortised O(1) without doubling the memory of large buffers.
    // What is lent has no capacity, so less may be asked for than there is.
    std::size_t const wanted = std::max({at_least, size_, capacity_ + capacity_ / 2, alignment});
    std::size_t const rounded = (wanted + alignment - 1) / alignment * alignment;
    std::byte* const larger = allocate(rounded);
    if (size_ != 0) std::memcpy(larger, data_, size_);
    if (capacity_ != 0) release(data_);
    data_ = larger;
    capacity_ = rounded;
}

} // namespace weft
