/// A blocking exchange in each of its forms.
#include "../exchange_parts.hpp"
#include "../verb.hpp"

#include <cstdint>
#include <set>

namespace random_programs {

namespace {

bool draw_exchange(draws& random, model const& now, operation& line) {
    line.set("on", random.key_of(now.groups));
    draw_protocol(random, line);
    draw_sizes(random, line);
    line.set("form", line.fails_by("callback_throws") ? "callback"
                     : line.fails_by("unequal_lengths")
                         ? "flat"
                         : random.one_of({"inbox", "flat", "callback", "sum"}));
    line.set("type", line.fails_by("decoding_throws") ? "brittle"
                     : line.fails_by("unequal_types")
                         ? "number"
                         : random.one_of({"number", "number", "text", "brittle"}));
    if (line.fails_by("unequal_types")) line.set("form", "inbox");
    return true;
}

template <class T>
void in_flat_form(session& of, operation const& line, live_group const& group) {
    traffic const sent = traffic_of(line, group);
    std::vector<int> destinations;
    std::vector<T> items;
    for (int to = 0; to < group.comm.size(); ++to)
        for (number const each : sent.some(group.comm.rank(), to)) {
            destinations.push_back(to);
            items.push_back(item_of<T>(each));
            if constexpr (std::is_same_v<T, brittle>)
                if (to == session::failing_rank(line, group.comm)) items.back().poison = line.number;
        }
    if (session::fails_here(line, group.comm)) {
        if (line.fails_by("no_such_destination")) destinations.back() = -1;
        if (line.fails_by("unequal_lengths")) destinations.pop_back();
    }
    auto const box = weft::exchange<T>(group.comm, destinations, items, options_of(line));
    std::vector<T> expected;
    for (int source = 0; source < group.comm.size(); ++source)
        for (number const each : sent.some(source, group.comm.rank())) expected.push_back(item_of<T>(each));
    of.check(box.concatenate() == expected, line, "the items are not those that were sent");
}

template <class T>
void in_callback_form(session& of, operation const& line, live_group const& group) {
    traffic const sent = traffic_of(line, group);
    int const rank = group.comm.rank();
    std::set<int> heard;
    bool right = true;
    weft::exchange(
        outbox_of<T>(line, group),
        [&](int source, std::span<T const> items) {
            right = right && heard.insert(source).second && is_right<T>(sent, source, rank, items);
            if (line.fails_by("callback_throws") && session::fails_here(line, group.comm))
                throw planned_fault(fault_text(line));
        },
        options_of(line));
    of.check(right, line, "a message is wrong, or came twice");
    for (int source = 0; source < group.comm.size(); ++source)
        of.check(sent.items(source, rank).has_value() == heard.contains(source), line,
            "the message from " + std::to_string(source) + " is missing, or was not sent");
}

template <class T>
void in_form(session& of, operation const& line, live_group const& group) {
    std::string const form = line.text("form");
    if (form == "flat") {
        in_flat_form<T>(of, line, group);
    } else if (form == "callback") {
        in_callback_form<T>(of, line, group);
    } else if (form == "sum") {
        std::int64_t const ranks = group.comm.size();
        auto const [box, sum] =
            weft::exchange_and_sum(outbox_of<T>(line, group), group.comm.rank() + 1, options_of(line));
        check_inbox(of, line, group, box);
        of.check(sum == ranks * (ranks + 1) / 2, line, "the sum is " + std::to_string(sum));
    } else {
        check_inbox(of, line, group, weft::exchange(outbox_of<T>(line, group), options_of(line)));
    }
}

void run_exchange(session& of, operation const& line) {
    live_group const& group = of.group(line);
    ending how = ending_of(line, group.comm);
    if (line.fails_by("unequal_types") && group.comm.size() == 1) how = {};
    of.expect(line, group.comm, how, [&] {
        if (line.fails_by("unequal_types") && session::fails_here(line, group.comm) && group.comm.size() > 1)
            (void)weft::exchange(weft::outbox<std::uint16_t>(group.comm), options_of(line));
        else if (line.text("type") == "text")
            in_form<std::string>(of, line, group);
        else if (line.text("type") == "brittle")
            in_form<brittle>(of, line, group);
        else
            in_form<number>(of, line, group);
    });
}

} // namespace

extern verb const exchange_verb;
verb const exchange_verb{"exchange", 10, draw_exchange, nullptr, run_exchange};

} // namespace random_programs
