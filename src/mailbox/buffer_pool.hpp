/// A pool of unused buffers of one size. Private.
#pragma once

#include <weft/core/buffer.hpp>

#include <cstddef>
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
    void give_back(buffer&& used) {
        constexpr std::size_t most = 64; // more buffers, as after a storm, are freed
        if (free_.size() < most) free_.push_back(std::move(used));
    }

private:
    std::size_t bytes_;
    std::vector<buffer> free_;
};

} // namespace weft
