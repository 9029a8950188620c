#include <weft/detail/core/shared.hpp>

#include <atomic>

namespace weft::detail {

void retain(counted& object) noexcept {
    std::atomic_ref(object.pointers_).fetch_add(1, std::memory_order_relaxed);
}

void release(counted& object) noexcept {
    if (std::atomic_ref(object.pointers_).fetch_sub(1, std::memory_order_acq_rel) == 1) delete &object;
}

bool is_only_pointer(counted const& object) noexcept {
    return std::atomic_ref(const_cast<int&>(object.pointers_)).load(std::memory_order_acquire) == 1;
}

} // namespace weft::detail
