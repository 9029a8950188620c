/// Parts that LLVM's library 16 for WebAssembly lacks: it has no threads, and no `std::atomic_ref`. The page
/// has one thread, for which plain memory is enough.
#pragma once

#include <atomic>
#include <utility>

namespace std {

template <class T>
class atomic_ref {
public:
    explicit atomic_ref(T& where) : where_(&where) {}
    T load(memory_order = memory_order_seq_cst) const noexcept { return *where_; }
    void store(T value, memory_order = memory_order_seq_cst) const noexcept { *where_ = value; }
    T exchange(T value, memory_order = memory_order_seq_cst) const noexcept {
        return std::exchange(*where_, value);
    }
    T fetch_add(T value, memory_order = memory_order_seq_cst) const noexcept {
        return std::exchange(*where_, *where_ + value);
    }
    T fetch_sub(T value, memory_order = memory_order_seq_cst) const noexcept {
        return std::exchange(*where_, *where_ - value);
    }

private:
    T* where_;
};

struct mutex {
    void lock() noexcept {}
    void unlock() noexcept {}
};
template <class Mutex>
struct lock_guard {
    explicit lock_guard(Mutex&) {}
};
template <class... Mutex>
struct scoped_lock {
    explicit scoped_lock(Mutex&...) {}
};
namespace this_thread {
inline void yield() noexcept {
}
} // namespace this_thread

} // namespace std
