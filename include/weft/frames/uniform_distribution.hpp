/// Ids cut into blocks whose sizes differ by at most one.
#pragma once

#include <cstdint>

namespace weft {

/// Ids 0..total-1 cut into `parts` contiguous blocks whose sizes differ by at most one: block p has the ids
/// of [floor(total p / parts), floor(total (p + 1) / parts)). All queries are local and O(1).
class uniform_distribution {
public:
    uniform_distribution() = default;
    /// Distributes `total` ids over `parts` blocks. `total` must not be negative, and `parts` must be
    /// positive.
    uniform_distribution(std::int64_t total, int parts) noexcept : total_(total), parts_(parts) {}

    /// Returns the number of ids of all blocks.
    [[nodiscard]] std::int64_t total() const noexcept { return total_; }
    [[nodiscard]] int parts() const noexcept { return parts_; } ///< Returns the number of blocks.
    [[nodiscard]] std::int64_t begin(int part) const noexcept {
        // 128 bits only where they are needed: their division is a function call.
        if (total_ <= INT64_MAX / parts_) return total_ * part / parts_;
        return static_cast<std::int64_t>(static_cast<wide>(total_) * part / parts_);
    }
    [[nodiscard]] std::int64_t end(int part) const noexcept { return begin(part + 1); }
    /// Returns the number of ids of block `part`.
    [[nodiscard]] std::int64_t size(int part) const noexcept { return end(part) - begin(part); }
    /// Returns the number of the block that has `id`, which must be in 0..total-1.
    [[nodiscard]] int owner(std::int64_t id) const noexcept {
        // The largest p with floor(total p / parts) <= id.
        if (total_ <= INT64_MAX / parts_ - 1) return static_cast<int>((id * parts_ + parts_ - 1) / total_);
        return static_cast<int>((static_cast<wide>(id) * parts_ + parts_ - 1) / total_);
    }

private:
    __extension__ using wide = __int128; // products of an id and a number of parts

    std::int64_t total_ = 0;
    int parts_ = 1;
};

} // namespace weft
