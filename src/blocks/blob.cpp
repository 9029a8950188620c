#include <weft/blocks/blob.hpp>

#include <atomic>

namespace weft {

void blob::retain() noexcept {
    std::atomic_ref(owner_->count).fetch_add(1, std::memory_order_relaxed);
}

void blob::release() noexcept {
    if (std::atomic_ref(owner_->count).fetch_sub(1, std::memory_order_acq_rel) == 1) delete owner_;
}

} // namespace weft
