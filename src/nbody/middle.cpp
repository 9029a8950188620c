#include "middle.hpp"

#include <protocol/gated_sums.hpp>

#include <weft/collective/arrays.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

namespace weft::nbody {

namespace {

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

/// Map a coordinate to an integer of the same order, and back.
std::uint64_t order_of(double coordinate) noexcept {
    auto const bits = std::bit_cast<std::uint64_t>(coordinate + 0.0); // -0 becomes 0
    return (bits & sign_bit) != 0 ? ~bits : bits | sign_bit;
}
double coordinate_of(std::uint64_t order) noexcept {
    return std::bit_cast<double>((order & sign_bit) != 0 ? order & ~sign_bit : ~order);
}

constexpr int bits_a_round = 11;
constexpr int rounds = 4;
constexpr std::size_t digits = std::size_t{1} << bits_a_round;

/// The search for one quartile along an axis.
struct search {
    std::size_t axis = 0;
    std::int64_t place = 0;   // place among the coordinates with the prefix
    std::uint64_t prefix = 0; // leading bits of the quartile's order
};

} // namespace

std::array<double, 3> middle_of(gate& call, std::span<particle const> particles) {
    std::array<search, 9> searches;
    std::vector<std::int64_t> counts;
    call.guard([&] { counts.resize(searches.size() * digits); });
    std::int64_t const all = sum(call, static_cast<std::int64_t>(particles.size()));
    std::array<double, 3> middle{};
    if (all == 0) return middle;
    for (std::size_t s = 0; s < searches.size(); ++s) {
        auto const quarter = static_cast<std::int64_t>(s % 3 + 1);
        searches[s] = {s / 3, (all - 1) / 4 * quarter + (all - 1) % 4 * quarter / 4};
    }
    int known = 0;
    for (int round = 0; round < rounds; ++round, known += bits_a_round) {
        counts.assign(counts.size(), 0);
        int const shift = 64 - known - bits_a_round;
        for (particle const& each : particles)
            for (std::size_t s = 0; s < searches.size(); ++s) {
                std::uint64_t const order = order_of(each.position[searches[s].axis]) >> shift;
                if (order >> bits_a_round == searches[s].prefix) ++counts[s * digits + order % digits];
            }
        all_reduce(call.comm(), std::span(counts), std::plus<>());
        for (std::size_t s = 0; s < searches.size(); ++s) {
            std::size_t digit = 0;
            while (searches[s].place >= counts[s * digits + digit])
                searches[s].place -= counts[s * digits + digit++];
            searches[s].prefix = searches[s].prefix << bits_a_round | digit;
        }
    }
    for (std::size_t d = 0; d < 3; ++d) {
        double quartile[3];
        for (std::size_t q = 0; q < 3; ++q)
            quartile[q] = coordinate_of(searches[3 * d + q].prefix << (64 - known));
        // A shift rounds: it must save more digits than it loses.
        if (std::abs(quartile[1]) > 8 * (quartile[2] - quartile[0])) middle[d] = quartile[1];
    }
    return middle;
}

} // namespace weft::nbody
