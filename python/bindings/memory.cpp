/// Arrays in memory that later calls take again: the first touch of new pages takes longer than to send what
/// lies there.
#include "call.hpp"

#include <weft/core/buffer.hpp>
#include <weft/core/error.hpp>

#include <cstring>
#include <memory>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace weft::python {

namespace {

using ranks_64 = nb::ndarray<std::int64_t const, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Ranks in 32 bits; those beyond become -1, which is no rank either.
nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>> narrowed(ranks_64 const& ranks) {
    auto made = std::make_unique<buffer>(ranks.size() * sizeof(std::int32_t));
    auto* const to = reinterpret_cast<std::int32_t*>(made->data());
    // The bits that no rank has, at the end: compilers have no vectors for a comparison an item.
    std::uint64_t high = 0;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        auto const rank = static_cast<std::uint64_t>(ranks.data()[i]);
        high |= rank >> 31;
        to[i] = static_cast<std::int32_t>(rank);
    }
    for (std::size_t i = 0; high != 0 && i < ranks.size(); ++i)
        if (to[i] != ranks.data()[i]) to[i] = -1;
    nb::capsule const owner(made.release(), [](void* old) noexcept { delete static_cast<buffer*>(old); });
    return {to, {ranks.size()}, owner};
}

/// Room that is not initialised.
numpy_bytes room(std::size_t bytes) {
    return array_over(buffer(bytes));
}

/// Copies past the caches, which have the bytes that are being received meanwhile or next.
void copy_past_caches(std::byte* to, std::byte const* from, std::size_t bytes) {
    std::size_t at = 0;
#ifdef __SSE2__
    if (reinterpret_cast<std::uintptr_t>(to) % sizeof(__m128i) == 0) {
        for (; at + sizeof(__m128i) <= bytes; at += sizeof(__m128i))
            _mm_stream_si128(reinterpret_cast<__m128i*>(to + at),
                _mm_loadu_si128(reinterpret_cast<__m128i const*>(from + at)));
        _mm_sfence();
    }
#endif
    std::memcpy(to + at, from + at, bytes - at);
}

void copy_large(output_bytes const& to, input_bytes const& from) {
    if (to.size() != from.size()) throw usage_error("copy_large: the arrays differ in length");
    copy_past_caches(bytes_of(to).data(), bytes_of(from).data(), from.size());
}

} // namespace

void bind_memory(nb::module_& module) {
    module.def("narrowed", &narrowed, nb::arg("ranks"));
    module.def("room", &room, nb::arg("bytes"));
    module.def("copy_large", &copy_large, nb::arg("to").noconvert(), nb::arg("source"));
}

} // namespace weft::python
