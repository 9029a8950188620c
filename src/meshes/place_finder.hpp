/// Numbers that a file gives to its nodes or elements.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace weft {

/// Maps the numbers in a file to the places where they occur.
class place_finder {
public:
    void add(std::int64_t number) {
        sorted_ = sorted_ && (places_.empty() || places_.back().first < number);
        places_.emplace_back(number, static_cast<std::int64_t>(places_.size()));
    }
    void sort() {
        if (!sorted_) std::sort(places_.begin(), places_.end());
        sorted_ = true;
        if (places_.empty()) return;
        // Numbers are mostly consecutive; then a lookup in a table is faster than a binary search.
        least_ = places_.front().first;
        std::uint64_t const width =
            static_cast<std::uint64_t>(places_.back().first) - static_cast<std::uint64_t>(least_);
        if (width >= 4 * places_.size()) return;
        table_.assign(width + 1, -1);
        for (auto const& [number, place] : places_) table_[static_cast<std::size_t>(number - least_)] = place;
    }
    [[nodiscard]] std::int64_t size() const noexcept { return static_cast<std::int64_t>(places_.size()); }
    /// Returns the place of a number, or -1 if it is unknown.
    [[nodiscard]] std::int64_t find(std::int64_t number) const {
        if (!table_.empty()) {
            std::uint64_t const at = static_cast<std::uint64_t>(number) - static_cast<std::uint64_t>(least_);
            return at < table_.size() ? table_[at] : -1;
        }
        auto const found =
            std::lower_bound(places_.begin(), places_.end(), std::pair(number, std::int64_t{-1}));
        return found != places_.end() && found->first == number ? found->second : -1;
    }
    /// Returns a number that occurs twice, or -1.
    [[nodiscard]] std::int64_t repeated() const {
        auto const twice = std::adjacent_find(
            places_.begin(), places_.end(), [](auto const& a, auto const& b) { return a.first == b.first; });
        return twice == places_.end() ? -1 : twice->first;
    }

private:
    std::vector<std::pair<std::int64_t, std::int64_t>> places_;
    std::vector<std::int64_t> table_; // by number from the least one, if the numbers are dense
    std::int64_t least_ = 0;
    bool sorted_ = true;
};

} // namespace weft
