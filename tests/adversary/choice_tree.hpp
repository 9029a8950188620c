/// Enumerates the sequences of choices of a run at some of its choice points, depth first.
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <vector>

namespace weft_test {

/// A run calls `next` at each of its choice points; `advance` moves to the next sequence between runs. Each
/// sequence occurs exactly once, provided that runs are deterministic except for their choices. Only the
/// points `first`, ..., `first + depth - 1` of a run are enumerated; at others, `next` returns nothing.
class choice_tree {
public:
    explicit choice_tree(std::size_t depth, std::size_t first = 0) : depth_(depth), first_(first) {}

    /// Returns the alternative that this run takes, of at least two.
    [[nodiscard]] std::optional<std::size_t> next(std::size_t alternatives) {
        std::size_t const point = point_++;
        if (point < first_ || point - first_ >= depth_) return std::nullopt;
        std::size_t const place = point - first_;
        if (place == path_.size()) path_.push_back({0, alternatives});
        if (path_[place].alternatives != alternatives)
            throw std::logic_error("a run is not the same for the same choices");
        return path_[place].taken;
    }

    /// Moves to the next sequence; returns false after the last one.
    [[nodiscard]] bool advance() {
        point_ = 0;
        while (!path_.empty() && path_.back().taken + 1 == path_.back().alternatives) path_.pop_back();
        if (path_.empty()) return false;
        ++path_.back().taken;
        return true;
    }

private:
    struct choice {
        std::size_t taken;
        std::size_t alternatives;
    };

    std::size_t depth_;
    std::size_t first_;
    std::size_t point_ = 0;
    std::vector<choice> path_;
};

} // namespace weft_test
