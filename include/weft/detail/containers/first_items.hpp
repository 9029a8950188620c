/// The first items of all ranks by an order.
#pragma once

#include <weft/collective/reduce.hpp>
#include <weft/core/error.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/protocol/gate.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace weft::detail {

/// Sorts the places of `count` items by `before`, which compares two places.
class place_order {
public:
    virtual bool before(std::size_t a, std::size_t b) = 0;
    [[nodiscard]] std::vector<std::size_t> sorted(std::size_t count);

protected:
    ~place_order() = default;
};

/// Sorts items and keeps only the first `most`. (`std::sort` would include all of
/// <algorithm>.)
template <class Item, class Before>
void keep_first(std::vector<Item>& items, std::size_t most, Before& before) {
    struct by_items final : place_order {
        by_items(std::vector<Item> const& given, Before& order) : of(given), comes_before(order) {}
        bool before(std::size_t a, std::size_t b) override { return comes_before(of[a], of[b]); }
        std::vector<Item> const& of;
        Before& comes_before;
    } order(items, before);
    std::vector<std::size_t> const places = order.sorted(items.size());
    std::vector<Item> first;
    first.reserve(places.size() < most ? places.size() : most);
    for (std::size_t const place : places) {
        if (first.size() == most) break;
        first.push_back(std::move(items[place]));
    }
    items = std::move(first);
}

/// Sorts all items.
template <class Item, class Before>
void sort_items_by(std::vector<Item>& items, Before before) {
    keep_first(items, items.size(), before);
}

/// Sorts the items that a collective call returns, at its end: a rank without memory for that fails alone.
template <class Item, class Before>
void sort_gathered_by(std::vector<Item>& items, Before before) try {
    keep_first(items, items.size(), before);
} catch (std::bad_alloc const&) {
    alone_unless_agreed("gather");
    throw;
}

/// Orders items from the greatest to the least.
struct greater_first {
    template <class T>
    bool operator()(T const& a, T const& b) const {
        return b < a;
    }
};

/// Returns on all ranks the first `k` of all items that `walk(use)` passes to `use` on the ranks.
template <class Item, class Before, class Walk>
[[nodiscard]] std::vector<Item> gather_first(
    communicator const& comm, char const* name, std::int64_t k, Before& before, Walk&& walk) {
    gate call(comm, name);
    call.same("k", k);
    std::vector<Item> mine;
    auto const most = static_cast<std::size_t>(k);
    agreed(call, [&] {
        if (k < 0) throw usage_error(std::string(name) + ": k is " + std::to_string(k));
        if (k == 0) return;
        bool candidates_are_cut = false; // true: the first k are sorted
        walk([&](auto&& candidate) {
            if (candidates_are_cut && !before(candidate, mine[most - 1])) return;
            mine.push_back(std::forward<decltype(candidate)>(candidate));
            if (mine.size() < 2 * most + 1024) return;
            keep_first(mine, most, before);
            candidates_are_cut = true;
        });
        keep_first(mine, most, before);
    });
    return weft::all_reduce(comm, std::move(mine), [&](std::vector<Item> left, std::vector<Item> right) {
        left.insert(left.end(), std::make_move_iterator(right.begin()), std::make_move_iterator(right.end()));
        keep_first(left, most, before);
        return left;
    });
}

} // namespace weft::detail
