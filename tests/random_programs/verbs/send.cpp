/// Messages on a channel of a mailbox; each rank knows what it must handle because of them until a drain.
#include "../live_mail.hpp"
#include "../verb.hpp"

namespace random_programs {

namespace {

bool draw_send(draws& random, model const& now, operation& line) {
    if (now.mailboxes.empty()) return false;
    int const mail = random.key_of(now.mailboxes);
    line.set("mail", mail);
    draw_sizes(random, line);
    std::string const fault = line.text("fault");
    line.set("by_way_of", fault == "handler_throws" || fault == "no_such_rank" ? "packets"
                          : fault == "merge_throws"                            ? "counts"
                          : fault == "async_throws" || fault == "handler_asks" ? "calls"
                          : fault == "message_decoding_throws"
                              ? "texts"
                              : random.one_of({"packets", "packets", "batches", "texts", "counts", "calls",
                                    "broadcast", "extra"}));
    if (line.text("by_way_of") == "extra" && now.mailboxes.at(mail).channels == 0) return false;
    line.set("hops", random.one_of({0, 0, 1, 5}));
    return true;
}

void apply_send(model& now, operation const& line) {
    now.mailboxes.at(line.id("mail")).quiet = false;
}

void send_packets(live_mail& live, operation const& line, traffic const& sent) {
    int const ranks = live.group.comm.size();
    int const rank = live.group.comm.rank();
    auto const hops = static_cast<std::int32_t>(line.value("hops"));
    for (int source = 0; source < ranks; ++source)
        for (int to = 0; to < ranks; ++to)
            for (number const value : sent.some(source, to)) {
                packet item{value, hops, 0};
                for (int at = to;; --item.hops) {
                    if (at == rank) live.due.packets.add(item.value + static_cast<number>(item.hops));
                    if (item.hops == 0) break;
                    at = next_of(item, ranks);
                }
            }
    for (int to = 0; to < ranks; ++to) {
        std::vector<packet> items;
        for (number const value : sent.some(rank, to)) items.push_back({value, hops, 0});
        if (line.seed() % 2 == 0)
            live.packets.send(to, items);
        else
            for (packet const& each : items) live.packets.send(to, each);
    }
    if (line.fails_by("handler_throws") && session::fails_here(line, live.group.comm))
        live.packets.send(rank, packet{0, 0, line.number});
}

void send_batches(live_mail& live, traffic const& sent) {
    int const ranks = live.group.comm.size();
    int const rank = live.group.comm.rank();
    for (int source = 0; source < ranks; ++source)
        for (number const value : sent.some(source, rank))
            live.due.batches.add(mixed({value, static_cast<number>(source)}));
    std::vector<int> destinations;
    std::vector<number> items;
    for (int to = 0; to < ranks; ++to)
        for (number const value : sent.some(rank, to)) {
            destinations.push_back(to);
            items.push_back(value);
        }
    live.batches.send(destinations, items);
}

void send_texts(live_mail& live, operation const& line, traffic const& sent) {
    int const ranks = live.group.comm.size();
    int const rank = live.group.comm.rank();
    // Some are longer than any buffer.
    auto const text_of_value = [](number value) {
        return item_of<std::string>(value) + std::string(value % 1009 == 0 ? 300'000 : value % 64, 'z');
    };
    for (int source = 0; source < ranks; ++source)
        for (number const value : sent.some(source, rank))
            live.due.texts.add(static_cast<number>(std::hash<std::string>()(text_of_value(value))));
    for (int to = 0; to < ranks; ++to)
        for (number const value : sent.some(rank, to))
            live.texts.send(to, brittle_text{text_of_value(value), 0});
    if (line.fails_by("message_decoding_throws") && session::fails_here(line, live.group.comm))
        live.texts.send(rank, brittle_text{"poison", line.number});
}

void send_counts(live_mail& live, operation const& line, traffic const& sent) {
    int const ranks = live.group.comm.size();
    int const rank = live.group.comm.rank();
    for (int source = 0; source < ranks; ++source)
        for (number const value : sent.some(source, rank))
            live.due.counts[static_cast<std::int64_t>(value % 50)] += static_cast<std::int64_t>(value % 7);
    try {
        for (int to = 0; to < ranks; ++to)
            for (number const value : sent.some(rank, to))
                live.counts.send(
                    to, {static_cast<std::int64_t>(value % 50), static_cast<std::int64_t>(value % 7)});
        if (line.fails_by("merge_throws") && session::fails_here(line, live.group.comm))
            for (int i = 0; i < 2; ++i) live.counts.send((rank + 1) % ranks, {-line.number, 1});
    } catch (planned_fault const&) {
        // What merges in a send throws there; elsewhere it is an error of the phase.
        if (!live.fault || !live.fault->fails_by("merge_throws")) throw;
    }
}

void send_calls(live_mail& live, operation const& line, traffic const& sent) {
    int const ranks = live.group.comm.size();
    int const rank = live.group.comm.rank();
    for (int source = 0; source < ranks; ++source)
        for (number const value : sent.some(source, rank)) live.due.calls.add(value);
    for (int to = 0; to < ranks; ++to)
        for (number const value : sent.some(rank, to)) {
            if (value % 2 == 0)
                live.mail.async(
                    to,
                    [](weft::mailbox& on, number item) {
                        live_mail::mailboxes_here.at(&on)->seen.calls.add(item);
                    },
                    value);
            else
                live.mail.async(
                    to,
                    [](weft::mailbox& on, std::string const& text) {
                        live_mail::mailboxes_here.at(&on)->seen.calls.add(std::stoull(text));
                    },
                    std::to_string(value));
        }
    if (line.fails_by("handler_asks") && session::fails_here(line, live.group.comm))
        live.mail.async(
            rank,
            [](weft::mailbox& on, int const& whom) {
                (void)live_mail::mailboxes_here.at(&on)->questions.ask(
                    std::array{whom}, std::array{number{1}});
            },
            rank);
    if (line.fails_by("async_throws") && session::fails_here(line, live.group.comm))
        live.mail.async(
            rank, [](int const& poison) { brittle::throw_poison(poison); }, line.number);
}

void broadcast_items(live_mail& live, traffic const& sent) {
    int const ranks = live.group.comm.size();
    int const rank = live.group.comm.rank();
    for (int source = 0; source < ranks; ++source)
        for (number const value : sent.some(source, source)) {
            live.due.packets.add(value);
            live.due.texts.add(static_cast<number>(std::hash<std::string>()(std::to_string(value))));
        }
    for (number const value : sent.some(rank, rank)) {
        live.packets.broadcast({value, 0, 0});
        live.texts.broadcast({std::to_string(value), 0});
    }
}

void send_extra(live_mail& live, operation const& line, traffic const& sent) {
    if (live.extra.empty()) return; // the channel was left out of the program
    int const ranks = live.group.comm.size();
    int const rank = live.group.comm.rank();
    auto const place = line.seed() % live.extra.size();
    for (int source = 0; source < ranks; ++source)
        for (number const value : sent.some(source, rank)) live.due.extra.add(mixed({value, place}));
    for (int to = 0; to < ranks; ++to)
        for (number const value : sent.some(rank, to)) live.extra[place].send(to, value);
}

void run_send(session& of, operation const& line) {
    live_mail& live = *of.mailboxes.at(line.id("mail"));
    traffic const sent(line, live.group.name);
    // A second fault of a phase is left out.
    bool const poisons = line.has("fault") && !line.fails_by("no_such_rank") && !live.fault;
    if (poisons) live.fault = line;
    operation now = line;
    if (line.has("fault") && !poisons) now.arguments.erase("fault");
    std::string const way = line.text("by_way_of");
    if (way == "packets") send_packets(live, now, sent);
    if (way == "batches") send_batches(live, sent);
    if (way == "texts") send_texts(live, now, sent);
    if (way == "counts") send_counts(live, now, sent);
    if (way == "calls") send_calls(live, now, sent);
    if (way == "broadcast") broadcast_items(live, sent);
    if (way == "extra") send_extra(live, line, sent);
    if (line.fails_by("no_such_rank") && session::fails_here(line, live.group.comm)) {
        bool thrown = false;
        try {
            live.packets.send(live.group.comm.size(), packet{});
        } catch (weft::usage_error const&) { thrown = true; }
        of.check(thrown, line, "a message to a rank that is none was taken");
    }
}

} // namespace

extern verb const send_verb;
verb const send_verb{"send", 14, draw_send, apply_send, run_send};

} // namespace random_programs
