// A hardened libc takes a jump to another stack for an attack.
#undef _FORTIFY_SOURCE
#include "fibre.hpp"

#include <weft/core/error.hpp>

#include <cxxabi.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <new>
#include <string>

#if defined(__SANITIZE_ADDRESS__)
#define WEFT_STACKS_ARE_WATCHED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WEFT_STACKS_ARE_WATCHED 1
#endif
#endif
#ifdef WEFT_STACKS_ARE_WATCHED
#include <sanitizer/common_interface_defs.h>
#endif

namespace weft {

namespace {

#ifdef WEFT_STACKS_ARE_WATCHED
void leave_stack(void** mine, void const* next, std::size_t bytes) {
    __sanitizer_start_switch_fiber(mine, next, bytes);
}
void arrive_on_stack(void* mine, void const** before, std::size_t* bytes) {
    __sanitizer_finish_switch_fiber(mine, before, bytes);
}
#else
void leave_stack(void**, void const*, std::size_t) {
}
void arrive_on_stack(void*, void const**, std::size_t*) {
}
#endif

std::size_t page_bytes() noexcept {
    return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

} // namespace

fibre_stacks::fibre_stacks(std::size_t count, std::size_t bytes)
    : guard_(page_bytes()),
      stride_((bytes + guard_ - 1) / guard_ * guard_ + guard_),
      mapped_(count * stride_),
      mapping_(nullptr) {
    void* const mapping =
        mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED) throw std::bad_alloc();
    madvise(mapping, mapped_, MADV_NOHUGEPAGE); // a huge page is larger than most stacks
    mapping_ = static_cast<std::byte*>(mapping);
    for (std::size_t each = 0; each < count; ++each) {
        if (mprotect(mapping_ + each * stride_, guard_, PROT_NONE) == 0) continue;
        int const failure = errno;
        munmap(mapping_, mapped_);
        throw usage_error("WEFT_SIMULATE: no guard pages for " + std::to_string(count) + " stacks (" +
                          std::strerror(failure) +
                          "); simulate fewer ranks, or raise the system's vm.max_map_count");
    }
}

fibre_stacks::~fibre_stacks() {
    munmap(mapping_, mapped_);
}

void fibre::switch_exceptions() noexcept {
    // The C++ runtime stores them for each thread, in a structure that begins so (Itanium C++ ABI, 2.2.2).
    auto* const here = static_cast<void*>(abi::__cxa_get_globals());
    handled_exceptions now;
    std::memcpy(&now.handled, here, sizeof now.handled);
    std::memcpy(&now.on_their_way, static_cast<char*>(here) + sizeof now.handled, sizeof now.on_their_way);
    std::memcpy(here, &other_.handled, sizeof other_.handled);
    std::memcpy(static_cast<char*>(here) + sizeof now.handled, &other_.on_their_way, sizeof now.on_their_way);
    other_ = now;
}

void fibre::enter(unsigned int low, unsigned int high) {
    auto const address = static_cast<std::uintptr_t>(low) | static_cast<std::uintptr_t>(high) << 32;
    fibre& self = *reinterpret_cast<fibre*>(address);
    arrive_on_stack(nullptr, &self.outer_stack_, &self.outer_bytes_);
    self.body_();
    self.over_ = true;
    leave_stack(nullptr, self.outer_stack_, self.outer_bytes_);
    _longjmp(self.outside_, 1);
}

void fibre::begin() {
    begun_ = true;
    ucontext_t start;
    getcontext(&start);
    start.uc_stack.ss_sp = stack_.data();
    start.uc_stack.ss_size = stack_.size();
    start.uc_link = nullptr;
    auto const address = reinterpret_cast<std::uintptr_t>(this);
    makecontext(&start, reinterpret_cast<void (*)()>(enter), 2, static_cast<unsigned int>(address),
        static_cast<unsigned int>(address >> 32));
    setcontext(&start);
}

void fibre::resume() {
    switch_exceptions();
    void* fake_stack = nullptr;
    leave_stack(&fake_stack, stack_.data(), stack_.size());
    if (_setjmp(outside_) == 0) {
        if (begun_) _longjmp(inside_, 1);
        begin();
    }
    arrive_on_stack(fake_stack, nullptr, nullptr);
    switch_exceptions();
}

void fibre::suspend() {
    leave_stack(&fake_stack_, outer_stack_, outer_bytes_);
    if (_setjmp(inside_) == 0) _longjmp(outside_, 1);
    arrive_on_stack(fake_stack_, &outer_stack_, &outer_bytes_);
}

} // namespace weft
