/// Parts of a file that are taken and given back. Private.
#pragma once

#include <cstdint>
#include <map>

namespace weft {

/// A part of a file.
struct file_extent {
    std::uint64_t at = 0;
    std::uint64_t bytes = 0;
};

/// First fit among what was given back, else the end. Free neighbours are one, and what is free at the end is
/// no part of the file, so the file is never longer than at its fullest, rounded up and with the holes that
/// first fit leaves.
class file_extents {
public:
    static constexpr std::uint64_t unit = 4096;

    /// O(free extents).
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
    /// O(log(free extents)).
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
    std::map<std::uint64_t, std::uint64_t> free_; // where, and how many bytes
    std::uint64_t end_ = 0;
};

} // namespace weft
