/// A pool of unused buffers of one size. Private.
#pragma once

#include <weft/core/buffer.hpp>

#include <cstddef>
#include <new>
#include <utility>
#include <vector>

namespace weft {

class buffer_pool {
public:
    explicit buffer_pool(std::size_t bytes) noexcept : bytes_(bytes) {}

    [[nodiscard]] buffer take() {
        if (free_.empty()) return buffer(bytes_);
        buffer kept = std::move(free_.back());
        free_.pop_back();
        return kept;
    }
    /// Keeps the buffer; without memory for that it is left to the caller, who frees it.
    void give_back(buffer&& used) noexcept {
        constexpr std::size_t most = 64; // more buffers, as after a storm, are freed
        try {
            if (free_.size() < most) free_.push_back(std::move(used));
        } catch (std::bad_alloc const&) {}
    }

private:
    std::size_t bytes_;
    std::vector<buffer> free_;
};

} // namespace weft
