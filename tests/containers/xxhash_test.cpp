#include <weft/detail/containers/xxhash.hpp>

#include <harness/mpi_test.hpp>

#include <string>
#include <string_view>

namespace weft_test {
namespace {

std::uint64_t hash_of_text(std::string_view text, std::uint64_t seed = 0) {
    return weft::detail::xxh64(std::as_bytes(std::span(text.data(), text.size())), seed);
}

TEST(xxhash, values_are_those_of_the_reference) {
    EXPECT_EQ(hash_of_text(""), 0xEF46DB3751D8E999U);
    EXPECT_EQ(hash_of_text("a"), 0xD24EC4F1A98C6E5BU);
    EXPECT_EQ(hash_of_text("abc"), 0x44BC2CF5AD770999U);
    EXPECT_EQ(hash_of_text("Nobody inspects the spammish repetition"), 0xFBCEA83C8A378BF1U);
}

} // namespace
} // namespace weft_test
