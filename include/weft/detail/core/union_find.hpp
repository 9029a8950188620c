/// Disjoint sets of 0..n-1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace weft::detail {

/// Disjoint sets of integers; the root of a set is its smallest member. Links by index and halves paths: its
/// worst case is not the best known, but it has the fewest cache misses on real graphs.
template <class Index>
class union_find {
public:
    explicit union_find(std::size_t count) : parent_(count) {
        std::iota(parent_.begin(), parent_.end(), Index{0});
    }

    [[nodiscard]] Index find(Index i) noexcept {
        while (parent_[i] != i) {
            parent_[i] = parent_[parent_[i]];
            i = parent_[i];
        }
        return i;
    }

    void unite(Index a, Index b) noexcept {
        // Rem's interleaved walk: climb on the side with the larger parent, splicing as it goes.
        while (parent_[a] != parent_[b]) {
            if (parent_[a] < parent_[b]) {
                Index const swapped = a;
                a = b;
                b = swapped;
            }
            if (parent_[a] == a) {
                parent_[a] = parent_[b];
                return;
            }
            Index const above = parent_[a];
            parent_[a] = parent_[b];
            a = above;
        }
    }

    /// Begins to bring a member into the cache.
    void prefetch(Index i) const noexcept { __builtin_prefetch(parent_.data() + i, 1); }

    /// Appends a set of one and returns its member.
    Index add() {
        parent_.push_back(static_cast<Index>(parent_.size()));
        return parent_.back();
    }

    [[nodiscard]] std::size_t size() const noexcept { return parent_.size(); }

private:
    std::vector<Index> parent_;
};

} // namespace weft::detail
