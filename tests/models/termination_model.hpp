/// The end of a mailbox's phases (src/protocol/termination/termination.cpp) as a model: counted waves, two
/// phases without a barrier between them.
///
/// In the model, and in the engine:
/// - `sent` and `handled` of a rank = `termination::sent_` and `handled_`, end to end
/// - `waiting`, messages on their way to the rank, in no order = buffers, hops and slots of `mail_engine`
/// - hops of a message = a handler that sends two messages; with one, the fault of one wave cannot show
/// - a step "votes" = `termination::vote`, by ranks that drain
/// - `wave`, two of them = a wave is a census: `census_model` shows that its result has each rank once
/// - a step "ends a wave" = `termination::step`, at the time of each rank
/// - the phase of a message = not in the engine: it is for the complaint
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

namespace weft_test {

enum class termination_fault { none, compares_one_wave, remembers_what_was_sent, forgets_what_handlers_send };

struct termination_model {
    static constexpr std::size_t most_ranks = 4;
    static constexpr int phases = 2;
    static constexpr int most_hops = 1;

    struct rank_state {
        std::uint8_t phase;
        std::uint8_t drains;
        std::uint8_t voted;
        std::uint8_t wave; // the next one, modulo 2
        std::uint8_t handled_before;
        std::uint8_t sent;
        std::uint8_t handled;
        std::array<std::array<std::uint8_t, most_hops + 1>, phases> waiting; // by phase and remaining hops
    };
    struct wave_state {
        std::uint8_t votes;
        std::uint8_t ended; // number of ranks that have completed it
        std::uint8_t sent;
        std::uint8_t handled;
    };
    struct state {
        std::array<rank_state, most_ranks> rank;
        std::array<wave_state, 2> wave;
        std::array<std::uint8_t, phases> left; // messages that programs may still send
        std::uint8_t wrong;
    };

    int ranks = 2;
    std::array<std::uint8_t, phases> messages{2, 1}; ///< sent by programs in each phase; handlers send more
    termination_fault fault = termination_fault::none;

    [[nodiscard]] state initial() const {
        state made{};
        made.left = messages;
        return made;
    }

    template <class Emit>
    void each_next(state const& now, Emit&& emit) const {
        for (int r = 0; r < ranks; ++r) {
            rank_state const& mine = now.rank[at(r)];
            if (mine.phase == phases) continue;
            if (mine.drains == 0) work(now, r, emit);
            if (mine.drains != 0 && mine.voted == 0) vote(now, r, emit);
            if (mine.voted != 0 && now.wave[mine.wave].votes == ranks) end_wave(now, r, emit);
            for (int phase = 0; phase < phases; ++phase)
                for (int hops = 0; hops <= most_hops; ++hops)
                    if (mine.waiting[at(phase)][at(hops)] != 0) handle(now, r, phase, hops, emit);
        }
    }

    [[nodiscard]] std::string complaint(state const& now) const {
        return now.wrong != 0 ? "a rank ends its phase before a message of it was handled" : "";
    }

    [[nodiscard]] bool is_over(state const& now) const {
        return std::all_of(now.rank.begin(), now.rank.begin() + ranks,
            [](rank_state const& each) { return each.phase == phases && nothing_waits(each, phases - 1); });
    }

    /// Ranks do not depend on their numbers, so they are sorted: by a loop, for `std::sort` of so few makes
    /// GCC 12 warn of places beyond the array.
    [[nodiscard]] state canonical(state of) const {
        for (int r = 1; r < ranks; ++r)
            for (int place = r; place > 0; --place) {
                rank_state& before = of.rank[at(place - 1)];
                rank_state& after = of.rank[at(place)];
                if (std::memcmp(&before, &after, sizeof before) <= 0) break;
                std::swap(before, after);
            }
        return of;
    }

private:
    static std::size_t at(int place) { return static_cast<std::size_t>(place); }

    static bool nothing_waits(rank_state const& of, int last_phase) {
        for (int phase = 0; phase <= last_phase; ++phase)
            for (std::uint8_t const each : of.waiting[at(phase)])
                if (each != 0) return false;
        return true;
    }

    template <class Emit>
    void work(state const& now, int r, Emit& emit) const {
        std::uint8_t const phase = now.rank[at(r)].phase;
        state next = now;
        next.rank[at(r)].drains = 1;
        emit("drains", next);
        if (now.left[phase] == 0) return;
        for (int to = 0; to < ranks; ++to)
            for (int hops = 0; hops <= most_hops; ++hops) {
                next = now;
                --next.left[phase];
                ++next.rank[at(r)].sent;
                ++next.rank[at(to)].waiting[phase][at(hops)];
                emit("sends", next);
            }
    }

    template <class Emit>
    void handle(state const& now, int r, int phase, int hops, Emit& emit) const {
        state taken = now;
        --taken.rank[at(r)].waiting[at(phase)][at(hops)];
        ++taken.rank[at(r)].handled;
        if (hops == 0) return emit("handles", taken);
        for (int to = 0; to < ranks; ++to)
            for (int second = to; second < ranks; ++second) {
                state next = taken;
                if (fault != termination_fault::forgets_what_handlers_send) next.rank[at(r)].sent += 2;
                ++next.rank[at(to)].waiting[at(phase)][at(hops - 1)];
                ++next.rank[at(second)].waiting[at(phase)][at(hops - 1)];
                emit("handles and sends two", next);
            }
    }

    template <class Emit>
    void vote(state const& now, int r, Emit& emit) const {
        state next = now;
        rank_state& mine = next.rank[at(r)];
        wave_state& wave = next.wave[mine.wave];
        mine.voted = 1;
        ++wave.votes;
        wave.sent = static_cast<std::uint8_t>(wave.sent + mine.sent);
        wave.handled = static_cast<std::uint8_t>(wave.handled + mine.handled);
        emit("votes", next);
    }

    template <class Emit>
    void end_wave(state const& now, int r, Emit& emit) const {
        state next = now;
        rank_state& mine = next.rank[at(r)];
        wave_state& wave = next.wave[mine.wave];
        std::uint8_t const before =
            fault == termination_fault::compares_one_wave ? wave.handled : mine.handled_before;
        bool const quiet = wave.sent == before;
        mine.handled_before = fault == termination_fault::remembers_what_was_sent ? wave.sent : wave.handled;
        mine.voted = 0;
        mine.wave ^= 1;
        if (++wave.ended == ranks) wave = {};
        if (quiet) {
            for (int other = 0; other < ranks; ++other)
                if (!nothing_waits(next.rank[at(other)], mine.phase)) next.wrong = 1;
            mine.drains = 0;
            ++mine.phase;
        }
        emit(quiet ? "ends a wave and its phase" : "ends a wave", next);
    }
};

} // namespace weft_test
