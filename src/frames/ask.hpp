/// Look-up of values that other ranks own. Private.
#pragma once

#include <weft/exchange/exchange.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

namespace weft {

/// The value of every asked key, in the order asked: `owner(key)` is the rank that knows it, and
/// `answer(key)` is called there. Collective: yes. Cost: two exchanges, O(keys), and a sort by owner where
/// the keys are not in that order already.
template <class Value, class Key, class Owner, class Answer>
std::vector<Value> ask(communicator const& comm, std::span<Key const> keys, Owner&& owner, Answer&& answer) {
    std::vector<std::size_t> order(keys.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    auto const owner_at = [&](std::size_t i) { return owner(keys[i]); };
    if (!std::ranges::is_sorted(order, {}, owner_at)) std::ranges::stable_sort(order, {}, owner_at);

    outbox<Key> questions(comm);
    for (std::size_t const i : order) questions[owner_at(i)].push_back(keys[i]);

    outbox<Value> replies(comm);
    for (auto const& [source, asked] : exchange(std::move(questions))) {
        auto back = replies[source];
        for (Key const& key : asked) back.push_back(answer(key));
    }

    // Replies come by source and in the order of the questions: laid end to end, in that of `order`.
    std::vector<Value> values(keys.size());
    std::size_t next = 0;
    for (auto const& [source, answers] : exchange(std::move(replies)))
        for (Value const& value : answers) values[order[next++]] = value;
    return values;
}

} // namespace weft
