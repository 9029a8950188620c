/// The census by dissemination (src/protocol/census/census.cpp) as a model: two in a row on one control
/// tag.
///
/// In the model, and in the engine:
/// - `window_pair`, how often each rank is counted = `census::held_`
/// - `rounds_of` = `census::plan_rounds`
/// - `round` of a rank, a step "hears" = `census::current_` and the loop of `census::step`
/// - `link`, one for each sender and round, the oldest value first = `round::outgoing`, and that MPI
///   keeps messages of a pair and tag in order
/// - a step "leaves" = `census::step` says done: all rounds heard, all sends complete
/// - `synchronous` = a send is complete at once, or only when its receive was posted, as `enter` does
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace weft_test {

enum class census_fault {
    none,
    leaves_a_round_early,
    drops_a_contribution,
    keeps_one_window,
    takes_the_newest
};

struct census_model {
    static constexpr int most_ranks = 7;
    static constexpr int most_rounds = 3;
    static constexpr int censuses = 2;
    using counts = std::array<std::uint8_t, most_ranks>; // by the counted rank

    struct window_pair {
        counts n;
        counts n_plus_1;
        std::uint8_t census; // the census to which they belong
    };
    struct rank_state {
        std::uint8_t census; // the current one, or the next to enter
        std::uint8_t entered;
        std::uint8_t round;
        window_pair held;
    };
    /// The messages to the receiver of this rank in a round.
    struct link {
        std::uint8_t under_way;
        std::array<window_pair, censuses> values; // the oldest first
    };
    struct state {
        std::array<rank_state, most_ranks> rank;
        std::array<std::array<link, most_rounds>, most_ranks> to; // by sender and round
        std::uint8_t wrong;                                       // index of a sentence of `complaint`
    };
    struct round {
        int distance;
        bool odd;
        bool keep_both;
    };

    int ranks = 2;
    bool synchronous = false;
    census_fault fault = census_fault::none;

    [[nodiscard]] std::vector<round> rounds_of() const {
        std::vector<round> made;
        int n = 0;
        int digit = 0;
        while (ranks >> (digit + 1) != 0) ++digit;
        for (; digit >= 0; --digit) {
            bool const odd = (ranks >> digit & 1) != 0;
            bool const keep_both = (ranks & ((1 << digit) - 1)) != 0;
            if (n != 0 || keep_both) made.push_back({odd ? n + 1 : n, odd, keep_both});
            n = 2 * n + (odd ? 1 : 0);
        }
        return made;
    }

    [[nodiscard]] state initial() const { return {}; }

    template <class Emit>
    void each_next(state const& now, Emit&& emit) const {
        std::vector<round> const rounds = rounds_of();
        for (int r = 0; r < ranks; ++r) {
            rank_state const& mine = now.rank[at(r)];
            if (mine.census == censuses) continue;
            if (mine.entered == 0)
                enter(now, r, rounds, emit);
            else if (hears_enough(mine, rounds))
                leave(now, r, rounds, emit);
            if (mine.entered != 0 && mine.round < rounds.size()) hear(now, r, rounds, emit);
        }
    }

    [[nodiscard]] std::string complaint(state const& now) const {
        static constexpr std::array<char const*, 4> sentences{"", "a rank leaves before all have entered",
            "a rank is not counted once", "a message of another census is heard"};
        return sentences[now.wrong];
    }

    [[nodiscard]] bool is_over(state const& now) const {
        for (int r = 0; r < ranks; ++r) {
            if (now.rank[at(r)].census != censuses) return false;
            for (link const& each : now.to[at(r)])
                if (each.under_way != 0) return false;
        }
        return true;
    }

    /// Returns the least of all rotations, since rounds only depend on distances.
    [[nodiscard]] state canonical(state const& of) const {
        state least = of;
        for (int by = 1; by < ranks; ++by) {
            state const other = rotated(of, by);
            if (std::memcmp(&other, &least, sizeof least) < 0) least = other;
        }
        return least;
    }

private:
    static std::size_t at(int place) { return static_cast<std::size_t>(place); }
    [[nodiscard]] int away(int rank, int distance) const { return (rank + distance + ranks) % ranks; }

    [[nodiscard]] bool hears_enough(rank_state const& mine, std::span<round const> rounds) const {
        return mine.round + (fault == census_fault::leaves_a_round_early ? 1u : 0u) >= rounds.size();
    }

    void send(state& next, int r, std::size_t in) const {
        link& way = next.to[at(r)][in];
        way.values[way.under_way++] = next.rank[at(r)].held;
    }

    template <class Emit>
    void enter(state const& now, int r, std::span<round const> rounds, Emit& emit) const {
        state next = now;
        rank_state& mine = next.rank[at(r)];
        mine.entered = 1;
        mine.round = 0;
        mine.held = {};
        mine.held.n[at(r)] = 1;
        mine.held.census = mine.census;
        if (rounds.front().odd) {
            mine.held.n_plus_1 = mine.held.n;
            mine.held.n = {};
        }
        send(next, r, 0);
        emit("enters", next);
    }

    template <class Emit>
    void hear(state const& now, int r, std::span<round const> rounds, Emit& emit) const {
        std::size_t const in = now.rank[at(r)].round;
        round const& how = rounds[in];
        int const source = away(r, -how.distance);
        if (now.to[at(source)][in].under_way == 0) return;
        state next = now;
        link& way = next.to[at(source)][in];
        --way.under_way;
        std::size_t const oldest = fault == census_fault::takes_the_newest ? way.under_way : 0;
        window_pair const incoming = way.values[oldest];
        if (oldest == 0) way.values[0] = way.values[1];
        way.values[1] = {};
        rank_state& mine = next.rank[at(r)];
        if (incoming.census != mine.census) next.wrong = 3;
        counts const newest = how.odd ? mine.held.n_plus_1 : mine.held.n;
        mine.held.n = sum(newest, incoming.n);
        if (how.keep_both) mine.held.n_plus_1 = sum(newest, incoming.n_plus_1);
        if (how.keep_both && fault == census_fault::drops_a_contribution)
            mine.held.n_plus_1 = incoming.n_plus_1;
        if (fault == census_fault::keeps_one_window) mine.held.n_plus_1 = mine.held.n;
        if (++mine.round < rounds.size()) send(next, r, mine.round);
        emit("hears", next);
    }

    template <class Emit>
    void leave(state const& now, int r, std::span<round const> rounds, Emit& emit) const {
        // A receive is posted once its rank has entered that census; messages of a link stay in order.
        rank_state const& mine = now.rank[at(r)];
        for (std::size_t in = 0; synchronous && in < rounds.size(); ++in) {
            rank_state const& receiver = now.rank[at(away(r, rounds[in].distance))];
            if (receiver.census < mine.census || (receiver.census == mine.census && receiver.entered == 0))
                return;
        }
        state next = now;
        for (int other = 0; other < ranks; ++other) {
            rank_state const& each = now.rank[at(other)];
            if (each.census < mine.census || (each.census == mine.census && each.entered == 0))
                next.wrong = 1;
            if (mine.held.n[at(other)] != 1 && next.wrong == 0) next.wrong = 2;
        }
        next.rank[at(r)] = {static_cast<std::uint8_t>(mine.census + 1), 0, 0, {}};
        emit("leaves", next);
    }

    static counts sum(counts a, counts const& b) {
        for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<std::uint8_t>(std::min(a[i] + b[i], 3));
        return a;
    }

    [[nodiscard]] state rotated(state const& of, int by) const {
        state made = of;
        auto const turned = [&](counts const& from) {
            counts to{};
            for (int r = 0; r < ranks; ++r) to[at(away(r, by))] = from[at(r)];
            return to;
        };
        auto const turn = [&](window_pair& held) {
            held = {turned(held.n), turned(held.n_plus_1), held.census};
        };
        for (int r = 0; r < ranks; ++r) {
            rank_state& mine = made.rank[at(away(r, by))];
            mine = of.rank[at(r)];
            turn(mine.held);
            auto& links = made.to[at(away(r, by))];
            links = of.to[at(r)];
            for (link& each : links)
                for (window_pair& value : each.values) turn(value);
        }
        return made;
    }
};

} // namespace weft_test
