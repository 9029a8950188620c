#include <weft/detail/core/even_shares.hpp>
#include <weft/nbody/plummer.hpp>

#include <core/counter_random.hpp>

#include <weft/core/error.hpp>
#include <weft/extend/protocol/gate.hpp>

#include <cmath>
#include <numbers>
#include <string>

namespace weft {

namespace {

/// The random numbers of one particle, from 0 to 1.
class uniform_numbers {
public:
    uniform_numbers(std::uint64_t seed, std::int64_t index)
        : bits_(seed, static_cast<std::uint64_t>(index)) {}
    double operator()() { return static_cast<double>(bits_(next_++) >> 11) * 0x1p-53; }

private:
    counter_random bits_;
    std::uint64_t next_ = 0;
};

std::array<double, 3> in_any_direction(double length, uniform_numbers& random) {
    double const z = 2 * random() - 1;
    double const angle = 2 * std::numbers::pi * random();
    double const across = std::sqrt(1 - z * z);
    return {length * across * std::cos(angle), length * across * std::sin(angle), length * z};
}

particle star(plummer_options const& options, std::int64_t index) {
    constexpr double scale = 3 * std::numbers::pi / 16; // gives the system an energy of -1/4
    // The outermost thousandth of the mass extends to infinity, and is left out.
    constexpr double most_mass = 0.999;
    uniform_numbers random(options.seed, index);
    double const inner = most_mass * random();
    double const radius = 1 / std::sqrt(std::pow(inner, -2.0 / 3) - 1);
    double share = 0; // of the escape velocity; rejection from q^2 (1 - q^2)^(7/2), which is less than 0.1
    double chance = 0;
    do {
        share = random();
        chance = 0.1 * random();
    } while (chance > share * share * std::pow(1 - share * share, 3.5));
    double const speed = share * std::sqrt(2.0) * std::pow(1 + radius * radius, -0.25);
    particle made;
    made.position = in_any_direction(inner > 0 ? radius * scale : 0, random);
    made.velocity = in_any_direction(speed / std::sqrt(scale), random);
    made.mass = 1 / static_cast<double>(options.particles);
    made.index = index;
    made.id = index + 1;
    made.kind = 4;
    return made;
}

} // namespace

std::vector<particle> generate_plummer(communicator const& comm, plummer_options const& options) {
    gate call(comm, "generate_plummer");
    call.same("particles", options.particles).same("seed", options.seed);
    std::vector<particle> stars;
    agreed(call, [&] {
        if (options.particles < 0)
            throw usage_error(
                "plummer: " + std::to_string(options.particles) + " particles; expected 0 or more");
        auto const [first, last] = detail::even_shares(options.particles, comm.size())[comm.rank()];
        stars.reserve(static_cast<std::size_t>(last - first));
        for (std::int64_t index = first; index < last; ++index) stars.push_back(star(options, index));
    });
    return stars;
}

} // namespace weft
