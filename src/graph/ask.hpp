/// Look-up of values that other ranks own. Private.
#pragma once

#include <weft/exchange/exchange.hpp>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace weft {

/// The value of every asked key, in the order asked: `owner(key)` is the rank that knows it, and
/// `answer(key)` is called there. Collective: yes. Cost: two exchanges.
template <class Value, class Key, class Owner, class Answer>
std::vector<Value> ask(communicator const& comm, std::span<Key const> keys, Owner&& owner, Answer&& answer) {
    struct question {
        Key key;
        std::int64_t index;
    };
    outbox<question> questions(comm);
    for (std::size_t i = 0; i < keys.size(); ++i)
        questions[owner(keys[i])].push_back({keys[i], static_cast<std::int64_t>(i)});

    // The index travels there and back, so the asker need not remember what it sent to whom.
    using reply = std::pair<std::int64_t, Value>;
    outbox<reply> replies(comm);
    for (auto const& [source, asked] : exchange(std::move(questions))) {
        auto back = replies[source];
        for (question const& each : asked) back.push_back({each.index, answer(each.key)});
    }

    std::vector<Value> values(keys.size());
    for (auto const& [source, answers] : exchange(std::move(replies)))
        for (auto const& [index, value] : answers) values[static_cast<std::size_t>(index)] = value;
    return values;
}

} // namespace weft
