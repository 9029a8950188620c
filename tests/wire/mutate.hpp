/// Corrupts encodings at random and decodes them: each decodes to some value or throws `wire_error`, with
/// memory proportional to the bytes.
#pragma once

#include "samples.hpp"

#include <random>

namespace weft::testing {

/// Returns the bytes with one to four corruptions, of the kinds made by a broken sender.
inline std::vector<std::byte> mutated(std::vector<std::byte> bytes, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    auto const below = [&](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
    for (std::size_t times = 1 + below(4); times > 0; --times) {
        auto const at = static_cast<std::ptrdiff_t>(below(bytes.size() + 1));
        bool const inside = at < static_cast<std::ptrdiff_t>(bytes.size());
        switch (below(6)) {
        case 0: // a flipped bit
            if (inside) bytes[static_cast<std::size_t>(at)] ^= std::byte{1} << below(8);
            break;
        case 1: // a random byte
            if (inside) bytes[static_cast<std::size_t>(at)] = static_cast<std::byte>(below(256));
            break;
        case 2: // inserted bytes
            bytes.insert(bytes.begin() + at, 1 + below(9), static_cast<std::byte>(below(256)));
            break;
        case 3: // a lost byte
            if (inside) bytes.erase(bytes.begin() + at);
            break;
        case 4: // a length of up to 64 bits
            bytes.insert(bytes.begin() + at, 1 + below(9), std::byte{0xff});
            break;
        default: // truncation
            bytes.resize(static_cast<std::size_t>(at));
        }
    }
    return bytes;
}

/// Decodes `rounds` corruptions of a value. A decoded value is encoded again, which reads all of it.
template <class T>
void expect_corruption_handled(T const& value, std::uint64_t first_seed, std::uint64_t rounds) {
    buffer const good = encoded(value);
    std::vector<std::byte> const original(good.data(), good.data() + good.size());
    for (std::uint64_t seed = first_seed; seed < first_seed + rounds; ++seed) {
        std::vector<std::byte> const bad = mutated(original, seed);
        allocation_count::restart();
        std::size_t const before = allocation_count::live;
        try {
            T const survivor = decode<T>(std::span(bad));
            ASSERT_NO_THROW((void)decode<T>(encoded(survivor).bytes())) << "seed " << seed;
        } catch (wire_error const&) {
            // the expected result of most
        } catch (std::exception const& caught) {
            FAIL() << "seed " << seed << " throws another exception: " << caught.what();
        }
        // The largest element here has 512 bytes and takes at least one on the wire; a vector grows by
        // doubling.
        ASSERT_LE(allocation_count::peak - before, 4096 * (bad.size() + 1)) << "seed " << seed;
        ASSERT_EQ(allocation_count::live, before) << "seed " << seed;
    }
}

} // namespace weft::testing
