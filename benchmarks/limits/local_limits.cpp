#include "local_limits.hpp"

#include <cstring>

namespace weft::limits {

void serial_histogram(std::span<std::uint64_t const> items, std::span<std::uint64_t> table) noexcept {
    std::uint64_t const within = table.size() - 1;
    for (std::uint64_t const item : items) ++table[item & within];
}

block_copy::block_copy(std::size_t block_bytes, std::size_t buffer_bytes)
    : block_bytes_(block_bytes),
      from_(buffer_bytes / block_bytes * block_bytes, std::byte{1}),
      to_(from_.size()) {
}

void block_copy::run() noexcept {
    for (std::size_t at = 0; at < from_.size(); at += block_bytes_)
        std::memcpy(to_.data() + at, from_.data() + at, block_bytes_);
}

} // namespace weft::limits
