/// From edges to their owners, of which this rank is mostly one. Private.
#pragma once

#include <exchange/gated_exchange.hpp>

#include <weft/detail/core/huge_pages.hpp>
#include <weft/extend/protocol/gate.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace weft {

/// Sends items to their owners and returns what this rank owns, in no order. `for_each` gives each item of
/// this rank to what it is called with, as (owner, item); it runs twice, first to count them. `forget` frees
/// what the items came from, before memory for those of others is needed. Items that stay on their rank are
/// written once, and a single rank has no exchange. Collective: yes, within a gate. Cost: one exchange.
/// Throws: what the gate has kept, agreed; where there is no memory for the items in the end, the gate keeps
/// that.
template <class Item, class ForEach, class Forget>
[[nodiscard]] std::vector<Item> bring_to_owners(gate& call, ForEach&& for_each, Forget&& forget) {
    int const here = call.comm().rank();
    bool const alone = call.comm().size() == 1;
    std::vector<Item> own;
    outbox<Item> out(call.comm());
    call.guard([&] {
        std::size_t sent = 0;
        for_each([&](int, auto const&) { ++sent; });
        detail::reserve_in_huge_pages(own, sent); // as many are likely to come
        if (alone)
            for_each([&](int, Item const& item) { own.push_back(item); });
        else
            for_each([&](int owner, Item const& item) {
                if (owner == here)
                    own.push_back(item);
                else
                    out[owner].push_back(item);
            });
    });
    forget();
    if (alone) return own;
    inbox<Item> const received = exchange(call, std::move(out));
    call.guard([&] {
        detail::reserve_in_huge_pages(own, own.size() + received.item_count());
        for (auto const& [from, items] : received) own.insert(own.end(), items.begin(), items.end());
    });
    return own;
}

} // namespace weft
