/// The parameters of an adversarial network.
#pragma once

#include <array>
#include <random>

namespace weft_test {

struct adversary {
    enum class taste { any, newest, oldest };

    double denial = 0.2; ///< probability that `test` or `probe` withholds a result
    double eager = 0.5;  ///< probability that a standard send is buffered
    taste next = taste::any;

    /// Draws parameters at random.
    static adversary drawn(std::mt19937_64& random) {
        std::uniform_real_distribution<double> chance;
        adversary made;
        made.denial = 0.6 * chance(random) * chance(random);
        made.eager = chance(random);
        made.next = std::array{taste::any, taste::newest, taste::oldest}[random() % 3];
        return made;
    }
};

} // namespace weft_test
