#include <weft/detail/core/huge_pages.hpp>

#include <cstdint>
#include <cstdlib>

#include <sys/mman.h>
#include <unistd.h>

namespace weft::detail {

void prefer_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef MADV_HUGEPAGE
    if (bytes < least_in_huge_pages) return;
    auto const page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    std::uintptr_t const begin = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
    std::uintptr_t const end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
    (void)::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

void* allocate_in_huge_pages(std::size_t bytes) noexcept {
    constexpr std::size_t huge_page = std::size_t{2} << 20;
    void* made = nullptr;
    if (::posix_memalign(&made, huge_page, bytes) != 0) return nullptr;
    prefer_huge_pages(made, bytes);
    return made;
}

} // namespace weft::detail
