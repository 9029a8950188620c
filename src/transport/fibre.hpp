/// A function with its own stack, which can be suspended and resumed. Private.
#pragma once

#include <csetjmp>
#include <cstddef>
#include <functional>
#include <span>
#include <utility>

namespace weft {

/// Stacks in one mapping, whose pages are allocated on first touch. A guard page lies below each stack: a
/// program that needs more stack crashes there instead of overwriting another stack.
class fibre_stacks {
public:
    /// Throws: std::bad_alloc; `usage_error` if the operating system allows fewer than `count` guard
    /// pages.
    fibre_stacks(std::size_t count, std::size_t bytes);
    ~fibre_stacks();
    fibre_stacks(fibre_stacks const&) = delete;
    fibre_stacks& operator=(fibre_stacks const&) = delete;

    [[nodiscard]] std::span<std::byte> at(std::size_t number) const noexcept {
        return {mapping_ + number * stride_ + guard_, stride_ - guard_};
    }

private:
    std::size_t guard_;
    std::size_t stride_; // from one stack to the next
    std::size_t mapped_;
    std::byte* mapping_;
};

/// Starts by `ucontext`, which can enter a stack on every processor, and then switches by `_setjmp` and
/// `_longjmp`, which make no system call (docs/adr/0271). Exceptions being handled stay with their
/// side.
class fibre {
public:
    /// `body` must not throw.
    fibre(std::span<std::byte> stack, std::function<void()> body) : stack_(stack), body_(std::move(body)) {}
    fibre(fibre const&) = delete;
    fibre& operator=(fibre const&) = delete;

    /// Runs the body until it suspends itself or ends. Called from outside.
    void resume();
    /// Returns from `resume`; continues at the next one. Called from inside.
    void suspend();
    [[nodiscard]] bool is_over() const noexcept { return over_; }

private:
    struct handled_exceptions {
        void* handled = nullptr;
        unsigned int on_their_way = 0;
    };

    static void enter(unsigned int low, unsigned int high);
    void begin();
    void switch_exceptions() noexcept;

    std::span<std::byte> stack_;
    std::function<void()> body_;
    std::jmp_buf inside_;
    std::jmp_buf outside_;
    handled_exceptions other_; // of the suspended side
    bool begun_ = false;
    bool over_ = false;
    // The stacks, for a sanitizer.
    void* fake_stack_ = nullptr;
    void const* outer_stack_ = nullptr;
    std::size_t outer_bytes_ = 0;
};

} // namespace weft
