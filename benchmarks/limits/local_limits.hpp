/// What a rank can do without any communication: the roofs above all that communicates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft::limits {

/// `++table[x % table.size()]` for every item: the histogram of one rank. The size is a power of two.
void serial_histogram(std::span<std::uint64_t const> items, std::span<std::uint64_t> table) noexcept;

/// A plain copy, block by block, from one large buffer to another.
class block_copy {
public:
    /// `buffer_bytes` should be beyond the caches, and is rounded down to whole blocks.
    block_copy(std::size_t block_bytes, std::size_t buffer_bytes);

    /// Copies the whole buffer. Local; what memory gives to all is seen where all ranks run at once.
    void run() noexcept;
    [[nodiscard]] std::size_t bytes() const noexcept { return from_.size(); }

private:
    std::size_t block_bytes_;
    std::vector<std::byte> from_;
    std::vector<std::byte> to_;
};

} // namespace weft::limits
