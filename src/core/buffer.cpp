#include <weft/core/buffer.hpp>

#include "block_cache.hpp"

#include <weft/detail/core/huge_pages.hpp>
#include <weft/detail/core/recycled.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace weft {

namespace {

thread_local bool blocks_are_gone = false; // buffers of static objects may outlive the cache

/// Largest size of blocks that are recycled with all other small ones.
constexpr std::size_t most_recycled = 1024;
/// Smallest size of blocks that have a cache of their own, so that small blocks do not evict large ones.
constexpr std::size_t least_large = std::size_t{32} << 10;

/// Returns the cache of this thread for blocks of about this size. Null at the end of the thread.
block_cache* kept_blocks(std::size_t bytes) {
    struct holder {
        ~holder() { blocks_are_gone = true; }
        block_cache small{block_cache::most_blocks * least_large};
        block_cache large{std::size_t{32} << 20};
    };
    if (!keeps_freed_blocks || blocks_are_gone) return nullptr;
    static thread_local holder kept;
    return bytes < least_large ? &kept.small : &kept.large;
}

/// The head before the aligned bytes: the begin and the size of the block.
using block = block_cache::block;
constexpr std::size_t in_front = sizeof(block);

struct allocation {
    std::byte* aligned;
    std::size_t capacity;
};

// Aligned allocation of the C library is several times slower than malloc. So this uses malloc with room for
// alignment, and stores the block before the aligned bytes.
allocation allocate(std::size_t bytes) {
    std::size_t const whole_bytes = bytes + buffer::alignment + in_front;
    block whole;
    if (whole_bytes <= most_recycled) {
        whole = {detail::take_recycled(whole_bytes), whole_bytes};
    } else {
        if (block_cache* const kept = kept_blocks(whole_bytes)) whole = kept->take(whole_bytes);
        if (whole.start == nullptr)
            whole = {whole_bytes < detail::least_in_huge_pages ? std::malloc(whole_bytes)
                                                               : detail::allocate_in_huge_pages(whole_bytes),
                whole_bytes};
        if (whole.start == nullptr) throw std::bad_alloc();
    }
    auto const first = reinterpret_cast<std::uintptr_t>(whole.start) + in_front;
    auto* const aligned =
        reinterpret_cast<std::byte*>((first + buffer::alignment - 1) & ~(buffer::alignment - 1));
    std::memcpy(aligned - in_front, &whole, sizeof whole);
    std::size_t const usable = whole.bytes - buffer::alignment - in_front;
    return {aligned, usable / buffer::alignment * buffer::alignment};
}

void release(std::byte* aligned) {
    block whole;
    std::memcpy(&whole, aligned - in_front, sizeof whole);
    if (whole.bytes <= most_recycled)
        detail::give_recycled(whole.start, whole.bytes);
    else if (block_cache* const kept = kept_blocks(whole.bytes))
        kept->give(whole);
    else
        std::free(whole.start);
}

} // namespace

buffer::~buffer() {
    if (capacity_ != 0) release(data_);
}

void buffer::grow(std::size_t at_least) {
    // Half as much again keeps appending amortised O(1) without doubling the memory of large buffers.
    // A view has no capacity, so `at_least` may be less than its size.
    std::size_t const wanted = std::max({at_least, size_, capacity_ + capacity_ / 2, alignment});
    std::size_t const rounded = (wanted + alignment - 1) / alignment * alignment;
    allocation const larger = allocate(rounded);
    if (size_ != 0) std::memcpy(larger.aligned, data_, size_);
    if (capacity_ != 0) release(data_);
    data_ = larger.aligned;
    capacity_ = larger.capacity;
}

} // namespace weft
