#include "injector.hpp"

#include <execinfo.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <new>

namespace faults {

namespace {

std::atomic<bool> armed = false; // threads of block sets allocate too
std::atomic<std::int64_t> left = 0;
std::atomic<std::int64_t> seen = 0;
std::atomic<bool> thrown = false;
memory wanted = memory::of_users;
int const* open_operations = nullptr;
std::array<void*, 40> last_place;
int last_depth = 0;

bool is_the_one() noexcept {
    seen.fetch_add(1, std::memory_order_relaxed);
    if (left.fetch_sub(1, std::memory_order_relaxed) != 1) return false;
    thrown = true;
    armed = false; // the program goes on with what it has
    last_depth = backtrace(last_place.data(), static_cast<int>(last_place.size()));
    return true;
}

bool is_wanted(std::size_t bytes) noexcept {
    bool const inside = open_operations != nullptr && *open_operations > 0;
    bool const large = bytes >= least_of_users;
    switch (wanted) {
    case memory::of_users:
        return large && !inside;
    case memory::inside_of_operations:
        return large && inside;
    case memory::large:
        return large;
    default:
        return !large;
    }
}

void in_allocation(std::size_t bytes) {
    if (!armed.load(std::memory_order_relaxed) || !is_wanted(bytes)) return;
    if (is_the_one()) throw std::bad_alloc();
}

void* allocated(std::size_t bytes) {
    in_allocation(bytes);
    void* const made = std::malloc(bytes + static_cast<std::size_t>(bytes == 0));
    if (made == nullptr) throw std::bad_alloc();
    return made;
}

} // namespace

void arm(std::int64_t n, memory which, int const* operations) noexcept {
    left = n;
    seen = 0;
    thrown = false;
    wanted = which;
    open_operations = operations;
    armed = true;
}

bool disarm() noexcept {
    armed = false;
    return thrown;
}

std::int64_t counted() noexcept {
    return seen;
}

void in_callback() {
    if (!armed.load(std::memory_order_relaxed) || wanted == memory::inside_of_operations ||
        wanted == memory::small)
        return;
    if (is_the_one()) throw injected_fault();
}

void print_last_place() noexcept {
    backtrace_symbols_fd(last_place.data(), last_depth, STDERR_FILENO);
}

std::string last_function() {
    char** const names = backtrace_symbols(last_place.data(), last_depth);
    std::string found;
    for (int i = 0; names != nullptr && i < last_depth && found.empty();
         ++i) { // program(function+0x12) [0x34]
        std::string const line = names[i];
        std::size_t const first = line.find('(') + 1;
        std::string const name = line.substr(first, line.find('+', first) - first);
        if (name.starts_with("_ZN4weft") || name.starts_with("_ZNK4weft")) found = name;
    }
    std::free(names);
    return found;
}

} // namespace faults

// The linker sends the library's own requests for memory here (--wrap): blocks that it keeps for later use
// are no less an opportunity than those of the system.
extern "C" {
void __real__ZN4weft6buffer4growEm(void* self, std::size_t at_least);
void __wrap__ZN4weft6buffer4growEm(void* self, std::size_t at_least) {
    faults::in_allocation(at_least);
    __real__ZN4weft6buffer4growEm(self, at_least);
}
void* __real__ZN4weft6detail13take_recycledEm(std::size_t bytes);
void* __wrap__ZN4weft6detail13take_recycledEm(std::size_t bytes) {
    faults::in_allocation(bytes);
    return __real__ZN4weft6detail13take_recycledEm(bytes);
}
}

void* operator new(std::size_t bytes) {
    return faults::allocated(bytes);
}
void* operator new[](std::size_t bytes) {
    return faults::allocated(bytes);
}
void operator delete(void* block) noexcept {
    std::free(block);
}
void operator delete[](void* block) noexcept {
    std::free(block);
}
void operator delete(void* block, std::size_t) noexcept {
    std::free(block);
}
void operator delete[](void* block, std::size_t) noexcept {
    std::free(block);
}
