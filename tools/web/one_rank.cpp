/// Parts that the page's engines name, and that neither they nor the library of WASI has: no rank there has a
/// stack of its own, and memory has pages of one size and is mapped once.
#include <transport/simulated_program.hpp>

#include <sys/mman.h>

#include <cstdlib>

namespace weft {

thread_local constinit int mail_handlers_here = 0;

simulated_program* simulated_program::running() noexcept {
    return nullptr;
}
void simulated_program::tell_of_items(std::int64_t, std::int64_t) {
}

} // namespace weft

extern "C" int madvise(void*, std::size_t, int) {
    return 0;
}
extern "C" void* mremap(void*, std::size_t, std::size_t, int, ...) {
    return MAP_FAILED;
}

// A `throw` stops the module: LLVM's library for WebAssembly has no exceptions.
extern "C" void* __cxa_allocate_exception(std::size_t) noexcept {
    std::abort();
}
extern "C" void __cxa_throw(void*, void*, void (*)(void*)) {
    std::abort();
}
extern "C" int __cxa_thread_atexit(void (*)(void*), void*, void*) {
    return 0;
}
