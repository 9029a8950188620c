/// Vectors of eight doubles, by the vector extension of GCC and Clang, and the generations of x86 processors
/// for which loops over them are compiled; the newest one available is used. Other processors use generic
/// code. For the sources of the innermost loops only.
#pragma once

#include "attract.hpp"

#include <cstdint>

// Functions that take or return vectors are always inlined, so the ABI of vectors does not matter.
#pragma GCC diagnostic ignored "-Wpsabi"

#define WEFT_INLINED [[gnu::always_inline]] inline
#if defined(__x86_64__)
#define WEFT_AVX512 [[gnu::target("avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")]]
#define WEFT_AVX2 [[gnu::target("avx2,fma")]]
#endif

namespace weft::nbody {

typedef double lanes __attribute__((vector_size(64), may_alias));
typedef std::int64_t words __attribute__((vector_size(64)));

WEFT_INLINED words bits_of(lanes const& values) {
    return reinterpret_cast<words>(values);
}
WEFT_INLINED lanes where(words const& mask, lanes const& values) {
    words const kept = bits_of(values) & mask;
    return reinterpret_cast<lanes>(kept);
}
WEFT_INLINED lanes load(double const (&from)[lanes_a_block]) {
    return *reinterpret_cast<lanes const*>(from);
}
WEFT_INLINED void add_to(double (&into)[lanes_a_block], lanes const& values) {
    *reinterpret_cast<lanes*>(into) += values;
}

#if defined(__x86_64__)
enum class generation : std::uint8_t { plain, avx2, avx512 };

[[nodiscard]] inline generation found_generation() noexcept {
    if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("fma"))
        return generation::avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return generation::avx2;
    return generation::plain;
}
inline generation const this_processor = found_generation();
#endif

} // namespace weft::nbody
