#include <weft/detail/core/recycled.hpp>

#include "block_cache.hpp"

#include <array>
#include <cstdlib>
#include <cstring>
#include <new>

namespace weft::detail {

namespace {

constexpr std::size_t step = 64;  // between sizes
constexpr std::size_t sizes = 32; // below 2 KiB
constexpr int most_of_a_size = 8;

/// The blocks of one size; each begins with the address of the next one.
class blocks_of_size {
public:
    [[nodiscard]] void* take() noexcept {
        void* const block = first_;
        if (block == nullptr) return nullptr;
        std::memcpy(&first_, block, sizeof first_);
        --count_;
        return block;
    }
    [[nodiscard]] bool keep(void* block) noexcept {
        if (count_ == most_of_a_size) return false;
        std::memcpy(block, &first_, sizeof first_);
        first_ = block;
        ++count_;
        return true;
    }

private:
    void* first_ = nullptr;
    int count_ = 0;
};

thread_local bool recycling_is_over = false; // objects of a thread may outlive its cache

/// Returns the blocks of this size; null for large ones.
blocks_of_size* recycled_blocks(std::size_t bytes) noexcept {
    struct holder {
        ~holder() {
            recycling_is_over = true;
            for (blocks_of_size& each : by_size)
                while (void* const block = each.take()) std::free(block);
        }
        std::array<blocks_of_size, sizes> by_size;
    };
    std::size_t const size = (bytes + step - 1) / step;
    if (!keeps_freed_blocks || size >= sizes || recycling_is_over) return nullptr;
    static thread_local holder kept;
    return &kept.by_size[size];
}

} // namespace

void* take_recycled(std::size_t bytes) {
    blocks_of_size* const kept = recycled_blocks(bytes);
    void* block = kept == nullptr ? nullptr : kept->take();
    if (block == nullptr) block = std::malloc((bytes + step - 1) / step * step);
    if (block == nullptr) throw std::bad_alloc();
    return block;
}

void give_recycled(void* block, std::size_t bytes) noexcept {
    if (block == nullptr) return;
    blocks_of_size* const kept = recycled_blocks(bytes);
    if (kept == nullptr || !kept->keep(block)) std::free(block);
}

} // namespace weft::detail
