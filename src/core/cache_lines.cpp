#include "cache_lines.hpp"

#include <cstdint>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace weft {

#if defined(__x86_64__)

namespace {

bool has_clflushopt() noexcept {
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_CLFLUSHOPT) != 0;
}

__attribute__((target("clflushopt"))) void flush(std::byte const* from, std::size_t bytes) noexcept {
    std::byte const* const end = from + bytes;
    for (from -= reinterpret_cast<std::uintptr_t>(from) % line_bytes; from < end; from += line_bytes)
        _mm_clflushopt(const_cast<std::byte*>(from));
}

} // namespace

void release_lines(std::byte const* from, std::size_t bytes) noexcept {
    static bool const can_flush = has_clflushopt();
    if (can_flush) flush(from, bytes);
}

#else

void release_lines(std::byte const*, std::size_t) noexcept {
}

#endif

} // namespace weft
