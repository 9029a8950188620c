#include <weft/core/buffer.hpp>

#include <algorithm>
#include <new>

namespace weft {

buffer::~buffer() {
    ::operator delete (data_, std::align_val_t{alignment});
}

void buffer::grow(std::size_t at_least) {
    // Half as much again keeps appending amortised O(1) without doubling the memory of large buffers.
    std::size_t const wanted = std::max({at_least, capacity_ + capacity_ / 2, alignment});
    std::size_t const rounded = (wanted + alignment - 1) / alignment * alignment;
    auto* const larger = static_cast<std::byte*>(::operator new (rounded, std::align_val_t{alignment}));
    if (size_ != 0) std::memcpy(larger, data_, size_);
    ::operator delete (data_, std::align_val_t{alignment});
    data_ = larger;
    capacity_ = rounded;
}

} // namespace weft
