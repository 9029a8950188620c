#include <weft/core/recycled.hpp>

#include <array>
#include <cstdlib>
#include <cstring>
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

constexpr std::size_t step = 64;  // between sizes
constexpr std::size_t sizes = 32; // below 2 KiB
constexpr int most_of_a_size = 8;

/// The blocks of one size, each of which begins with the address of the next.
class kept_blocks {
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

thread_local bool blocks_are_gone = false; // objects of a thread may outlive the blocks that it keeps

/// Those of that size; null for large ones.
kept_blocks* kept_for(std::size_t bytes) noexcept {
    struct holder {
        ~holder() {
            blocks_are_gone = true;
            for (kept_blocks& each : of_size)
                while (void* const block = each.take()) std::free(block);
        }
        std::array<kept_blocks, sizes> of_size;
    };
    std::size_t const size = (bytes + step - 1) / step;
    if (!keeps_blocks || size >= sizes || blocks_are_gone) return nullptr;
    static thread_local holder kept;
    return &kept.of_size[size];
}

} // namespace

void* take_recycled(std::size_t bytes) {
    kept_blocks* const kept = kept_for(bytes);
    void* block = kept == nullptr ? nullptr : kept->take();
    if (block == nullptr) block = std::malloc((bytes + step - 1) / step * step);
    if (block == nullptr) throw std::bad_alloc();
    return block;
}

void give_recycled(void* block, std::size_t bytes) noexcept {
    if (block == nullptr) return;
    kept_blocks* const kept = kept_for(bytes);
    if (kept == nullptr || !kept->keep(block)) std::free(block);
}

} // namespace weft
