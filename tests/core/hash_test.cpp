#include <weft/detail/core/hash.hpp>

#include <harness/mpi_test.hpp>

#include <bit>
#include <cstdint>
#include <set>
#include <span>
#include <string>

using weft::detail::hash_of;
using weft::detail::mixed;

namespace {

std::uint64_t hash_of_text(std::string const& text) {
    return hash_of(std::as_bytes(std::span(text)));
}

TEST(hash, a_bit_of_the_argument_changes_about_half_of_the_result) {
    for (std::uint64_t const value : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0x123456789ABCDEF}})
        for (int bit = 0; bit < 64; ++bit) {
            int const changed = std::popcount(mixed(value) ^ mixed(value ^ (std::uint64_t{1} << bit)));
            EXPECT_GE(changed, value == 0 && bit == 0 ? 1 : 10) << value << " " << bit;
            EXPECT_LE(changed, 54) << value << " " << bit;
        }
}

TEST(hash, texts_that_differ_have_other_hashes) {
    std::set<std::uint64_t> seen;
    std::string text;
    for (int length = 0; length < 40; ++length) {
        seen.insert(hash_of_text(text));
        text += static_cast<char>(0);
    }
    for (char const* const each : {"ab", "ba", "a", "b", "abc"}) seen.insert(hash_of_text(each));
    EXPECT_EQ(seen.size(), 45u);
    EXPECT_EQ(hash_of_text("rounds"), hash_of_text("rounds"));
}

} // namespace
