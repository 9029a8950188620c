/// Memory of operations that have failed half way. Private.
#pragma once

#include <mutex>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace weft {

/// Takes over memory that MPI may still read or write, since an operation ended by an error before its
/// requests were complete; it is kept for ever, where a leak detector finds it. A moved `Memory` must keep
/// its addresses. Needs no memory: such an error usually means that there is none.
template <class Memory>
void leave_to_mpi(Memory&& memory) noexcept {
    static_assert(std::is_rvalue_reference_v<Memory&&> && std::is_nothrow_move_constructible_v<Memory>);
    try {
        static std::mutex threads;
        std::lock_guard const alone(threads);
        static auto* const kept = new std::vector<Memory>;
        kept->push_back(std::forward<Memory>(memory));
    } catch (std::bad_alloc const&) {
        union never_destroyed {
            explicit never_destroyed(Memory&& of) noexcept : held(std::move(of)) {}
            ~never_destroyed() {}
            Memory held;
        };
        [[maybe_unused]] never_destroyed const left(std::forward<Memory>(memory));
    }
}

} // namespace weft
