/// Large arrays of the command lie in huge pages: a graph is built of many arrays that are filled once, and
/// 512 faults for 2 MiB were a third of the time. A program that uses the library keeps its own `operator
/// new`.
#include <weft/detail/core/huge_pages.hpp>

#include <cstddef>
#include <cstdlib>
#include <new>

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) // which bring their own

void* operator new(std::size_t bytes) {
    while (true) {
        if (void* const memory = std::malloc(bytes > 0 ? bytes : 1)) {
            weft::detail::prefer_huge_pages(memory, bytes);
            return memory;
        }
        std::new_handler const find_more = std::get_new_handler();
        if (find_more == nullptr) throw std::bad_alloc();
        find_more();
    }
}

void operator delete(void* memory) noexcept {
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

#endif
