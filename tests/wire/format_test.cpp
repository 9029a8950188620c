#include <weft/wire/wire.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace {

std::vector<int> encoding_of(auto const& value) {
    weft::buffer out;
    weft::encode(out, value);
    std::vector<int> bytes;
    for (std::byte const each : out.bytes()) bytes.push_back(std::to_integer<int>(each));
    return bytes;
}

struct no_bytes {
    static void wire(auto& archive, auto&) { archive(); }
};

} // namespace

TEST(WireFormat, RunsOfBareValuesAreALengthAndTheirBytes) {
    EXPECT_EQ(encoding_of(std::vector<std::uint16_t>{1, 2}), (std::vector<int>{2, 1, 0, 2, 0}));
    EXPECT_EQ(encoding_of(std::string("ab")), (std::vector<int>{2, 'a', 'b'}));
}

TEST(WireFormat, BitsArePacked) {
    EXPECT_EQ(encoding_of(std::vector<bool>(9, true)), (std::vector<int>{2, 7, 255, 1}));
}

TEST(WireFormat, ListsOfNothingAreFilledUp) {
    std::vector<no_bytes> const three(3);
    EXPECT_EQ(encoding_of(three), (std::vector<int>{3, 0, 0, 0}));
    weft::buffer out;
    weft::encode(out, three);
    EXPECT_EQ(weft::decode<std::vector<no_bytes>>(out.bytes()).size(), 3u);
}
