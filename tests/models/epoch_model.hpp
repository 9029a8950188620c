/// Epochs (include/weft/extend/core/epoch.hpp) as a model: exchanges in sequence, some of them open at once,
/// on reused tags, without a barrier between them.
///
/// In the model, and in the engine:
/// - a step "begins" = `epoch_ledger::open` and its rule
/// - `epoch % window` = `epoch_ledger::place_of`: epochs of one place have the same tags
/// - `under_way` = a synchronous send of `nbx` whose receive has not begun
/// - a step "enters" = `agreement::enter`, when the sends of this rank have been received
/// - a step "completes" = the census is done: `census_model` shows that all have entered then
/// - a step "receives" = `probe(any_source, tag)`: the oldest message of a sender with the tag, of any
///   epoch
#pragma once

#include "permutations.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace weft_test {

enum class epoch_fault { none, takes_the_whole_window, completes_alone, sends_standard };

struct epoch_model {
    static constexpr std::size_t most_ranks = 4;
    static constexpr std::size_t most_epochs = 5;

    enum standing : std::uint8_t { not_begun, begun, entered, closed };
    enum message : std::uint8_t { none, under_way };
    struct rank_state {
        std::array<standing, most_epochs> in;
        std::array<std::array<message, most_ranks>, most_epochs> to; // by epoch and destination
    };
    struct state {
        std::array<rank_state, most_ranks> rank;
        std::uint8_t wrong;
    };

    int ranks = 2;
    int window = 2;
    int epochs = 3;
    epoch_fault fault = epoch_fault::none;

    [[nodiscard]] state initial() const { return {}; }

    template <class Emit>
    void each_next(state const& now, Emit&& emit) const {
        for (int r = 0; r < ranks; ++r) {
            begin(now, r, emit);
            for (int e = 0; e < epochs; ++e) {
                standing const here = now.rank[at(r)].in[at(e)];
                if (here == begun) enter(now, r, e, emit);
                if (here == entered) complete(now, r, e, emit);
                if (here == begun || here == entered) receive(now, r, e, emit);
            }
        }
    }

    [[nodiscard]] std::string complaint(state const& now) const {
        static constexpr std::array<char const*, 3> sentences{
            "", "a message is received in another epoch", "an exchange completes without a message"};
        return sentences[now.wrong];
    }

    [[nodiscard]] bool is_over(state const& now) const {
        for (int r = 0; r < ranks; ++r)
            if (now.rank[at(r)].in[at(epochs - 1)] != closed || oldest_open(now.rank[at(r)]) != epochs)
                return false;
        return true;
    }

    [[nodiscard]] state canonical(state const& of) const {
        return least_of_all_numberings<most_ranks>(ranks, [&](auto const& number) {
            state made = of;
            for (int r = 0; r < ranks; ++r) {
                rank_state& mine = made.rank[at(number[at(r)])];
                mine = of.rank[at(r)];
                for (int e = 0; e < epochs; ++e)
                    for (int d = 0; d < ranks; ++d)
                        mine.to[at(e)][at(number[at(d)])] = of.rank[at(r)].to[at(e)][at(d)];
            }
            return made;
        });
    }

private:
    static std::size_t at(int place) { return static_cast<std::size_t>(place); }

    [[nodiscard]] int begun_by(rank_state const& of) const {
        int count = 0;
        while (count < epochs && of.in[at(count)] != not_begun) ++count;
        return count;
    }
    /// Returns the oldest open epoch, or the number of those begun if none is open.
    [[nodiscard]] int oldest_open(rank_state const& of) const {
        int oldest = 0;
        while (oldest < epochs && of.in[at(oldest)] == closed) ++oldest;
        return oldest;
    }

    /// Begins an epoch with messages to any subset of the other ranks.
    template <class Emit>
    void begin(state const& now, int r, Emit& emit) const {
        int const next_epoch = begun_by(now.rank[at(r)]);
        int const most_open = fault == epoch_fault::takes_the_whole_window ? window : window / 2;
        if (next_epoch == epochs || next_epoch - oldest_open(now.rank[at(r)]) >= most_open) return;
        for (unsigned to = 0; to < 1u << ranks; ++to) {
            if ((to >> r & 1u) != 0) continue;
            state next = now;
            next.rank[at(r)].in[at(next_epoch)] = begun;
            for (int d = 0; d < ranks; ++d)
                if ((to >> d & 1u) != 0) next.rank[at(r)].to[at(next_epoch)][at(d)] = under_way;
            emit(to == 0 ? "begins" : "begins and sends", next);
        }
    }

    template <class Emit>
    void enter(state const& now, int r, int e, Emit& emit) const {
        for (message const each : now.rank[at(r)].to[at(e)])
            if (each == under_way && fault != epoch_fault::sends_standard) return;
        state next = now;
        next.rank[at(r)].in[at(e)] = entered;
        emit("enters", next);
    }

    template <class Emit>
    void complete(state const& now, int r, int e, Emit& emit) const {
        state next = now;
        for (int other = 0; other < ranks; ++other) {
            standing const theirs = now.rank[at(other)].in[at(e)];
            if (theirs != entered && theirs != closed && fault != epoch_fault::completes_alone) return;
            if (now.rank[at(other)].to[at(e)][at(r)] == under_way) next.wrong = 2;
        }
        next.rank[at(r)].in[at(e)] = closed;
        emit("completes", next);
    }

    template <class Emit>
    void receive(state const& now, int r, int e, Emit& emit) const {
        for (int source = 0; source < ranks; ++source)
            for (int sent = e % window; sent < epochs; sent += window) {
                if (now.rank[at(source)].to[at(sent)][at(r)] != under_way) continue;
                state next = now;
                next.rank[at(source)].to[at(sent)][at(r)] = none;
                if (sent != e) next.wrong = 1;
                emit("receives", next);
                break; // later messages wait for this one
            }
    }
};

} // namespace weft_test
