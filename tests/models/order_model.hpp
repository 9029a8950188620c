/// The order of channels (src/mailbox/mail_router.cpp, long_transfers.cpp) as a model: messages of a pair
/// are handled in the order of sending, on routes too, and where long ones travel beside the buffers.
///
/// In the model, and in the engine:
/// - `link`, the oldest first = the buffers from one rank to the next, each worked off before the one
///   behind it
/// - a run that is long = an announcement in a buffer; the data go from its sender to its receiver
///   directly
/// - a step "passes on" = `mail_router::pass_on`, where the buffer has room
/// - a step "asks", `most_under_way` = `long_transfers::ask` and its limit
/// - `transfer`, steps "answer comes" and "data come" = `take_answers` with `send_data`; the requests of
///   `ask`
/// - a step "handles" = `mail_router::deliver`
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace weft_test {

enum class order_fault { none, overtakes_long_messages, asks_within_the_limit_only, passes_on_the_newest };

/// All ranks but the last send to the last one; with a hop, through the last but one.
struct order_model {
    static constexpr std::size_t most_ranks = 4;
    static constexpr std::size_t room = 2; // runs of a link

    struct run {
        std::uint8_t source;
        std::uint8_t number; // from 1
        std::uint8_t is_long;
    };
    struct link {
        std::uint8_t runs;
        std::array<run, room> all;
    };
    enum transfer : std::uint8_t { none, asked, answered, here };
    struct state {
        std::array<link, most_ranks> from;            // by the rank that fills it
        std::array<transfer, most_ranks> announced;   // by source: the requested long message
        std::array<std::uint8_t, most_ranks> sent;    // by source
        std::array<std::uint8_t, most_ranks> handled; // by source
        std::uint8_t wrong;
    };

    int ranks = 2;
    bool hops = false;
    int messages = 3;       ///< of each source
    int most_under_way = 0; ///< long messages; a message above the limit is sent alone
    order_fault fault = order_fault::none;

    [[nodiscard]] state initial() const { return {}; }

    template <class Emit>
    void each_next(state const& now, Emit&& emit) const {
        for (int source = 0; source + 1 < ranks; ++source) {
            send(now, source, emit);
            transfer const how = now.announced[at(source)];
            if (how != asked && how != answered) continue;
            state next = now;
            next.announced[at(source)] = how == asked ? answered : here;
            emit(how == asked ? "an answer comes" : "data come", next);
        }
        for (int from = 0; from + 1 < ranks; ++from) {
            if (now.from[at(from)].runs == 0) continue;
            if (leads_to_hop(from))
                pass_on(now, from, emit);
            else
                work_off(now, from, emit);
        }
    }

    [[nodiscard]] std::string complaint(state const& now) const {
        return now.wrong != 0 ? "a message overtakes another of its pair" : "";
    }

    [[nodiscard]] bool is_over(state const& now) const {
        for (int source = 0; source + 1 < ranks; ++source)
            if (now.handled[at(source)] != messages) return false;
        return true;
    }

    /// Ranks have fixed places on the routes, so states cannot be renumbered.
    [[nodiscard]] state canonical(state const& of) const { return of; }

private:
    static std::size_t at(int place) { return static_cast<std::size_t>(place); }
    [[nodiscard]] bool leads_to_hop(int from) const { return hops && from + 2 < ranks; }

    static void append(link& to, run what) { to.all[to.runs++] = what; }
    static run take(link& from, std::size_t place) {
        run const taken = from.all[place];
        for (std::size_t i = place; i + 1 < from.runs; ++i) from.all[i] = from.all[i + 1];
        from.all[--from.runs] = {};
        return taken;
    }

    template <class Emit>
    void send(state const& now, int source, Emit& emit) const {
        if (now.sent[at(source)] == messages || now.from[at(source)].runs == room) return;
        for (std::uint8_t is_long = 0; is_long < 2; ++is_long) {
            state next = now;
            std::uint8_t const number = ++next.sent[at(source)];
            append(next.from[at(source)], {static_cast<std::uint8_t>(source), number, is_long});
            emit(is_long != 0 ? "announces" : "sends", next);
        }
    }

    template <class Emit>
    void pass_on(state const& now, int from, Emit& emit) const {
        if (now.from[at(ranks - 2)].runs == room) return;
        state next = now;
        std::size_t const newest = now.from[at(from)].runs - 1u;
        std::size_t const which = fault == order_fault::passes_on_the_newest ? newest : 0;
        append(next.from[at(ranks - 2)], take(next.from[at(from)], which));
        emit("passes on", next);
    }

    template <class Emit>
    void work_off(state const& now, int from, Emit& emit) const {
        run const first = now.from[at(from)].all[0];
        transfer const how = first.is_long != 0 ? now.announced[first.source] : here;
        if (how == none) ask(now, first.source, emit);
        if (how == here) handle(now, from, 0, emit);
        if (how != here && fault == order_fault::overtakes_long_messages)
            for (std::size_t behind = 1; behind < now.from[at(from)].runs; ++behind)
                if (now.from[at(from)].all[behind].is_long == 0) handle(now, from, behind, emit);
    }

    template <class Emit>
    void ask(state const& now, std::uint8_t source, Emit& emit) const {
        int under_way = 0;
        for (transfer const each : now.announced)
            if (each == asked || each == answered) ++under_way;
        bool const is_alone = under_way == 0 && fault != order_fault::asks_within_the_limit_only;
        if (!is_alone && under_way + 1 > most_under_way) return;
        state next = now;
        next.announced[source] = asked;
        emit("asks", next);
    }

    template <class Emit>
    void handle(state const& now, int from, std::size_t place, Emit& emit) const {
        state next = now;
        run const taken = take(next.from[at(from)], place);
        if (taken.is_long != 0) next.announced[taken.source] = none;
        if (++next.handled[taken.source] != taken.number) next.wrong = 1;
        emit("handles", next);
    }
};

} // namespace weft_test
