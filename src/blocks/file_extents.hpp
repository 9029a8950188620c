/// Allocates parts of a file. Private.
#pragma once

#include <cstdint>
#include <map>

namespace weft {

/// A part of a file.
struct file_extent {
    std::uint64_t at = 0;
    std::uint64_t bytes = 0;
};

/// First fit among free extents, else at the end. Adjoining free extents are merged, and a free extent at the
/// end is dropped, so the file is never longer than at its greatest use, plus rounding and the holes of first
/// fit.
class file_extents {
public:
    static constexpr std::uint64_t unit = 4096;

    /// Cost: O(free extents).
    [[nodiscard]] file_extent take(std::uint64_t bytes) {
        std::uint64_t const wanted = (bytes + unit - 1) / unit * unit;
        for (auto each = free_.begin(); each != free_.end(); ++each) {
            if (each->second < wanted) continue;
            auto const [at, found] = *each;
            free_.erase(each);
            if (found > wanted) free_.emplace(at + wanted, found - wanted);
            return {at, wanted};
        }
        end_ += wanted;
        return {end_ - wanted, wanted};
    }
    /// Cost: O(log(free extents)).
    void give_back(file_extent extent) {
        if (extent.bytes == 0) return;
        auto const next = free_.lower_bound(extent.at);
        if (next != free_.begin()) {
            auto const before = std::prev(next);
            if (before->first + before->second == extent.at) {
                extent = {before->first, before->second + extent.bytes};
                free_.erase(before);
            }
        }
        if (next != free_.end() && next->first == extent.at + extent.bytes) {
            extent.bytes += next->second;
            free_.erase(next);
        }
        if (extent.at + extent.bytes == end_)
            end_ = extent.at;
        else
            free_.emplace(extent.at, extent.bytes);
    }
    [[nodiscard]] std::uint64_t end() const noexcept { return end_; }

private:
    std::map<std::uint64_t, std::uint64_t> free_; // first byte, and number of bytes
    std::uint64_t end_ = 0;
};

} // namespace weft
