#include <weft/core/recycled.hpp>

#include <array>
#include <cstdlib>
#include <new>

namespace weft {

namespace {

// Where blocks that were freed are kept, it is hard to see that one is used afterwards: not in checked
// builds.
#ifdef WEFT_FULL_CHECKS
constexpr bool keeps_blocks = false;
#else
constexpr bool keeps_blocks = true;
#endif

constexpr std::size_t step = 128; // between sizes
constexpr std::size_t sizes = 32; // up to 4 KiB

struct kept_blocks {
    ~kept_blocks();
    std::array<void*, sizes> of_size{};
};

thread_local bool blocks_are_gone = false; // what is freed after the kept blocks of its thread were

kept_blocks::~kept_blocks() {
    for (void* const block : of_size) std::free(block);
    blocks_are_gone = true;
}

/// Where a block of that size is kept: null for large ones.
void** place_for(std::size_t bytes) noexcept {
    std::size_t const size = (bytes + step - 1) / step;
    if (!keeps_blocks || size >= sizes || blocks_are_gone) return nullptr;
    static thread_local kept_blocks kept;
    return &kept.of_size[size];
}

} // namespace

void* take_recycled(std::size_t bytes) {
    void** const kept = place_for(bytes);
    if (kept != nullptr && *kept != nullptr) {
        void* const block = *kept;
        *kept = nullptr;
        return block;
    }
    void* const block = std::malloc((bytes + step - 1) / step * step);
    if (block == nullptr) throw std::bad_alloc();
    return block;
}

void give_recycled(void* block, std::size_t bytes) noexcept {
    void** const kept = place_for(bytes);
    if (kept != nullptr && *kept == nullptr)
        *kept = block;
    else
        std::free(block);
}

} // namespace weft
