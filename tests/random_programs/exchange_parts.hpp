/// The common part of the verbs of exchanges.
#pragma once

#include "session.hpp"
#include "traffic.hpp"

#include <harness/protocols.hpp>

#include <weft/exchange/exchange.hpp>

#include <string>
#include <vector>

namespace random_programs {

inline void draw_protocol(draws& random, operation& line) {
    std::vector<std::string> names = weft_test::names_of_protocols();
    names.insert(names.begin(), "knob");
    line.set("protocol", names[static_cast<std::size_t>(random.below(static_cast<int>(names.size())))]);
}

[[nodiscard]] inline weft::exchange_options options_of(operation const& line) {
    for (int value = 0; value <= static_cast<int>(weft::protocol::automatic); ++value)
        if (weft::name_of(static_cast<weft::protocol>(value)) == line.text("protocol"))
            return {.protocol = static_cast<weft::protocol>(value)};
    return {};
}

[[nodiscard]] inline traffic traffic_of(operation const& line, live_group const& group) {
    traffic made(line, group.name);
    if (line.has("fault")) made.always_to(session::failing_rank(line, group.comm));
    return made;
}

/// Returns the end of an exchange with the fault of a line.
[[nodiscard]] inline ending ending_of(operation const& line, weft::communicator const& comm) {
    if (line.fails_by("callback_throws") || line.fails_by("decoding_throws") ||
        line.fails_by("handle_decoding_throws"))
        return {failure_kind::planned, session::failing_rank(line, comm)};
    return {line.has("fault") ? failure_kind::usage : failure_kind::none};
}

/// Returns the messages of a rank, in an order of its own.
template <class T>
[[nodiscard]] weft::outbox<T> outbox_of(operation const& line, live_group const& group) {
    weft::outbox<T> out(group.comm);
    traffic const sent = traffic_of(line, group);
    int const ranks = group.comm.size();
    int const rank = group.comm.rank();
    for (int i = 0; i < ranks; ++i) {
        int const to = (i + rank + static_cast<int>(line.seed() % 7)) % ranks;
        auto const items = sent.items(rank, to);
        if (!items) continue;
        auto message = out[to];
        for (number const each : *items) {
            T item = item_of<T>(each);
            if constexpr (std::is_same_v<T, brittle>)
                if (to == session::failing_rank(line, group.comm)) item.poison = line.number;
            message.push_back(item);
        }
    }
    if (line.fails_by("no_such_destination") && session::fails_here(line, group.comm))
        out[ranks + 2].push_back(item_of<T>(1));
    return out;
}

/// Returns true if a message equals the one that its source has sent.
template <class T, class Items>
[[nodiscard]] bool is_right(traffic const& sent, int source, int rank, Items const& items) {
    auto const expected = sent.items(source, rank);
    if (!expected || expected->size() != items.size()) return false;
    for (std::size_t i = 0; i < items.size(); ++i)
        if (!(items[i] == item_of<T>((*expected)[i]))) return false;
    return true;
}

template <class T>
void check_inbox(
    session const& of, operation const& line, live_group const& group, weft::inbox<T> const& box) {
    traffic const sent = traffic_of(line, group);
    std::size_t at = 0;
    for (int source = 0; source < group.comm.size(); ++source) {
        if (!sent.items(source, group.comm.rank())) continue;
        std::string const from = "the message from " + std::to_string(source);
        of.check(at < box.size() && box[at].source == source, line, from + " is missing or out of order");
        of.check(is_right<T>(sent, source, group.comm.rank(), box[at].items), line, from + " is wrong");
        ++at;
    }
    of.check(at == box.size(), line, "there are more messages than were sent");
}

} // namespace random_programs
