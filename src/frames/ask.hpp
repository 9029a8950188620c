/// Looks up values that other ranks own. Private.
#pragma once

#include <exchange/gated_exchange.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

namespace weft {

/// Returns the value of every key of `keys`, in their order: `owner(key)` is the rank that knows it, and
/// `answer(key)` is called there. Collective: yes, within a gate. Cost: two exchanges, O(keys), and a sort
/// unless the keys are in the order of their owners. Throws: the errors kept in the gate, agreed. The gate
/// keeps an error of the final copies, as of values that are not trivially copyable.
template <class Value, class Key, class Owner, class Answer>
std::vector<Value> ask(gate& call, std::span<Key const> keys, Owner&& owner, Answer&& answer) {
    std::vector<std::size_t> order;
    std::vector<Value> values;
    outbox<Key> questions(call.comm());
    call.guard([&] {
        values.resize(keys.size());
        order.resize(keys.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        auto const owner_at = [&](std::size_t i) { return owner(keys[i]); };
        if (!std::ranges::is_sorted(order, {}, owner_at)) std::ranges::stable_sort(order, {}, owner_at);
        for (std::size_t const i : order) questions[owner_at(i)].push_back(keys[i]);
    });

    outbox<Value> replies(call.comm());
    {
        inbox<Key> const here = exchange(call, std::move(questions));
        call.guard([&] {
            for (auto const& [source, asked] : here) {
                auto back = replies[source];
                for (Key const& key : asked) back.push_back(answer(key));
            }
        });
    }

    // Replies arrive by source and in the order of the questions, which is the order of `order`.
    inbox<Value> const told = exchange(call, std::move(replies));
    call.guard([&] {
        std::size_t next = 0;
        for (auto const& [source, answers] : told)
            for (Value const& value : answers) values[order[next++]] = value;
    });
    return values;
}

} // namespace weft
