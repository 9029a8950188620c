#include <weft/detail/containers/xxhash.hpp>

#include <array>

namespace weft::detail {

std::uint64_t xxh_blocks(std::span<std::byte const> bytes, std::uint64_t seed) noexcept {
    std::array<std::uint64_t, 4> sums{
        seed + xxh_primes[0] + xxh_primes[1], seed + xxh_primes[1], seed, seed - xxh_primes[0]};
    std::byte const* at = bytes.data();
    for (std::size_t block = 0; block < bytes.size() / 32; ++block)
        for (std::uint64_t& sum : sums) {
            sum = xxh_round(sum, xxh_word(at));
            at += sizeof sum;
        }
    std::uint64_t hash =
        std::rotl(sums[0], 1) + std::rotl(sums[1], 7) + std::rotl(sums[2], 12) + std::rotl(sums[3], 18);
    for (std::uint64_t const sum : sums) hash = (hash ^ xxh_round(0, sum)) * xxh_primes[0] + xxh_primes[3];
    return hash;
}

} // namespace weft::detail
