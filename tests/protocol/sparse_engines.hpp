/// The engines of the sparse exchange under test, and their test traffic.
#pragma once

#include <adversary/runs.hpp>
#include <adversary/schedule.hpp>

#include <weft/extend/protocol/sparse_exchange.hpp>

#include <map>
#include <memory>
#include <ostream>
#include <string>

namespace weft_test {

/// One engine, as run by `sparse_exchange`. A new engine is another row of `sparse_engines`.
struct sparse_engine {
    std::string name;
    weft::protocol how = weft::protocol::nbx;
    weft::all_reduce_method census = weft::all_reduce_method::dissemination;
    bool one_at_a_time = false; ///< only one operation may be open

    friend std::ostream& operator<<(std::ostream& out, sparse_engine const& it) { return out << it.name; }
};

inline std::vector<sparse_engine> const sparse_engines{
    {"nbx", weft::protocol::nbx, weft::all_reduce_method::dissemination, false},
    {"nbx_with_collective_census", weft::protocol::nbx, weft::all_reduce_method::collective, true},
    {"pex", weft::protocol::pex, weft::all_reduce_method::dissemination, false},
    {"pcx", weft::protocol::pcx, weft::all_reduce_method::dissemination, false},
    {"pcx_with_reduce_scatter", weft::protocol::pcx, weft::all_reduce_method::collective, true},
    {"rsx", weft::protocol::rsx, weft::all_reduce_method::dissemination, false},
    {"store_and_forward", weft::protocol::store_and_forward, weft::all_reduce_method::dissemination, false},
    {"nbx_two_level", weft::protocol::nbx_two_level, weft::all_reduce_method::dissemination, false},
    {"pcx_two_level", weft::protocol::pcx_two_level, weft::all_reduce_method::dissemination, false},
};

/// Returns unequal nodes, or a single one, or one for each rank: drawn from a seed, as on all ranks.
inline std::vector<weft::topology> drawn_nodes(int ranks, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<int> node(static_cast<std::size_t>(ranks));
    auto const most = static_cast<unsigned>(std::array{1, 2, 3, ranks}[random() % 4]);
    for (int& each : node) each = static_cast<int>(random() % most);
    std::vector<weft::topology> made;
    for (int r = 0; r < ranks; ++r) made.emplace_back(r, node);
    return made;
}

/// Returns the setup of an engine on one rank, with low limits, so that they are reached.
inline weft::sparse_exchange_setup setup_of(
    sparse_engine const& engine, weft::epoch_tags tags, weft::topology const& nodes) {
    weft::sparse_exchange_setup chosen;
    chosen.tags = tags;
    chosen.how = engine.how;
    chosen.census = engine.census;
    chosen.nodes = &nodes;
    chosen.counter = tags.data;
    chosen.in_flight_bytes = 2500;
    chosen.header_above = 1000;
    return chosen;
}

/// The messages of each rank in each epoch: a function of the seed, known to every rank and the oracle.
class traffic {
public:
    traffic(int ranks, std::uint64_t seed) : ranks_(ranks), seed_(seed) {
        std::mt19937_64 random(seed);
        density_ = std::array{0u, 5u, 20u, 50u, 100u}[random() % 5];
        longest_ = std::array{0u, 1u, 50u, 3000u}[random() % 4];
    }

    [[nodiscard]] bool sends(int epoch, int source, int destination) const {
        return word(epoch, source, destination, 0) % 100 < density_;
    }

    [[nodiscard]] std::vector<std::byte> content(int epoch, int source, int destination) const {
        auto const size = static_cast<std::size_t>(word(epoch, source, destination, 1) % (longest_ + 1));
        std::vector<std::byte> made(size);
        auto const first = static_cast<unsigned>(131 * source + 31 * destination + 7 * epoch);
        for (std::size_t i = 0; i < size; ++i) made[i] = static_cast<std::byte>(first + i);
        return made;
    }

    [[nodiscard]] weft::message_list outgoing(int epoch, int source) const {
        weft::message_list made;
        for (int to = 0; to < ranks_; ++to) {
            if (!sends(epoch, source, to)) continue;
            auto const bytes = content(epoch, source, to);
            made.push_back({to, {}});
            made.back().data.append(bytes.data(), bytes.size());
        }
        std::mt19937_64 order(word(epoch, source, 0, 2));
        std::ranges::shuffle(made, order);
        return made;
    }

    /// Returns "" if exactly the messages of the oracle have arrived, ordered by source; else the error.
    [[nodiscard]] std::string judge(int epoch, int destination, weft::message_list const& received) const {
        auto next = received.begin();
        for (int from = 0; from < ranks_; ++from) {
            if (!sends(epoch, from, destination)) continue;
            std::string const what = "epoch " + std::to_string(epoch) + ": the message of rank " +
                                     std::to_string(from) + " to rank " + std::to_string(destination);
            if (next == received.end() || next->peer != from) return what + " is missing";
            auto const expected = content(epoch, from, destination);
            if (!std::ranges::equal(next->data.bytes(), expected)) return what + " has other content";
            ++next;
        }
        return next == received.end() ? ""
                                      : "a message that nobody sent, from rank " + std::to_string(next->peer);
    }

private:
    [[nodiscard]] std::uint64_t word(int epoch, int source, int destination, int what) const {
        // splitmix64 over the coordinates.
        std::uint64_t z = seed_;
        for (int const each : {epoch, source, destination, what}) {
            z += 0x9E3779B97F4A7C15ull + static_cast<std::uint64_t>(each);
            z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
            z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
            z ^= z >> 31;
        }
        return z;
    }

    int ranks_;
    std::uint64_t seed_;
    unsigned density_ = 0; // percentage of the pairs
    unsigned longest_ = 0; // bytes
};

} // namespace weft_test
