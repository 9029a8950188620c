#include "huge_pages.hpp"

#include <cstdint>

#include <sys/mman.h>
#include <unistd.h>

namespace weft::io {

void prefer_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef MADV_HUGEPAGE
    constexpr std::size_t worthwhile = std::size_t{8} << 20;
    if (bytes < worthwhile) return;
    auto const page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    std::uintptr_t const begin = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
    std::uintptr_t const end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
    (void)::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

} // namespace weft::io
