#include "usual_reduction.hpp"

#include <weft/core/error.hpp>

#include <bit>

namespace weft::tool {

namespace {

/// The ranks that take part in a recursive halving: a power of two, numbered without gaps.
struct halving_ranks {
    int power;
    int extra; ///< this many pairs of ranks at the begin are one: its odd one hands its array over

    explicit halving_ranks(int ranks)
        : power(static_cast<int>(std::bit_floor(static_cast<unsigned>(ranks)))), extra(ranks - power) {}
    [[nodiscard]] bool is_out(int rank) const { return rank < 2 * extra && rank % 2 == 1; }
    [[nodiscard]] bool has_guest(int rank) const { return rank < 2 * extra && rank % 2 == 0; }
    [[nodiscard]] int number_of(int rank) const { return rank < 2 * extra ? rank / 2 : rank - extra; }
    [[nodiscard]] int rank_of(int number) const { return number < extra ? 2 * number : number + extra; }
};

std::vector<reduction_step> along_tree(int rank, int ranks, std::int64_t bytes) {
    std::vector<reduction_step> steps;
    for (int mask = 1; mask < ranks; mask *= 2) {
        if ((rank & mask) != 0) {
            steps.push_back({.to = rank - mask, .sent_bytes = bytes});
            break;
        }
        if (rank + mask < ranks)
            steps.push_back({.from = rank + mask, .received_bytes = bytes, .combined_bytes = bytes});
    }
    return steps;
}

/// Each rank that takes part has a share of the sum in the end.
std::vector<reduction_step> by_halving(halving_ranks const& who, int rank, std::int64_t bytes) {
    if (who.is_out(rank)) return {{.to = rank - 1, .sent_bytes = bytes}};
    std::vector<reduction_step> steps;
    if (who.has_guest(rank))
        steps.push_back({.from = rank + 1, .received_bytes = bytes, .combined_bytes = bytes});
    std::int64_t mine = bytes;
    for (int mask = who.power / 2; mask > 0; mask /= 2) {
        mine = (mine + 1) / 2;
        int const peer = who.rank_of(who.number_of(rank) ^ mask);
        steps.push_back({peer, mine, peer, mine, mine});
    }
    return steps;
}

std::vector<reduction_step> halved_and_gathered(int rank, int ranks, std::int64_t bytes) {
    halving_ranks const who(ranks);
    auto steps = by_halving(who, rank, bytes);
    if (who.is_out(rank)) return steps;
    int const number = who.number_of(rank);
    for (int mask = 1; mask < who.power; mask *= 2) {
        std::int64_t const gathered = bytes * mask / who.power;
        if ((number & mask) != 0) {
            steps.push_back({.to = who.rank_of(number - mask), .sent_bytes = gathered});
            break;
        }
        steps.push_back({.from = who.rank_of(number + mask), .received_bytes = gathered});
    }
    return steps;
}

std::vector<reduction_step> halved(int rank, int ranks, std::int64_t bytes) {
    halving_ranks const who(ranks);
    auto steps = by_halving(who, rank, bytes);
    if (who.is_out(rank)) steps.push_back({.from = rank - 1, .received_bytes = bytes / ranks});
    if (who.has_guest(rank)) steps.push_back({.to = rank + 1, .sent_bytes = bytes / ranks});
    return steps;
}

std::vector<reduction_step> in_pairs(int rank, int ranks, std::int64_t bytes) {
    std::vector<reduction_step> steps;
    std::int64_t const share = bytes / ranks;
    for (int distance = 1; distance < ranks; ++distance)
        steps.push_back({(rank + distance) % ranks, share, (rank - distance + ranks) % ranks, share, share});
    return steps;
}

} // namespace

std::vector<reduction_step> usual_reduction(
    std::string const& algorithm, int rank, int ranks, std::int64_t bytes) {
    if (algorithm == "binomial") return along_tree(rank, ranks, bytes);
    if (algorithm == "rabenseifner") return halved_and_gathered(rank, ranks, bytes);
    if (algorithm == "halving") return halved(rank, ranks, bytes);
    if (algorithm == "pairwise") return in_pairs(rank, ranks, bytes);
    throw usage_error("no reduction is known by the name \"" + algorithm + "\"");
}

} // namespace weft::tool
