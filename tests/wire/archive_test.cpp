#include <weft/wire/archive.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

TEST(WireArchive, LengthsOfAllSizesComeBack) {
    for (std::uint64_t const length : {0ull, 1ull, 127ull, 128ull, 16383ull, 16384ull, 70000ull}) {
        weft::buffer bytes;
        weft::wire_writer(bytes).length(length);
        bytes.resize(bytes.size() + length); // as many bytes as it promises
        weft::wire_reader reader(bytes.bytes());
        EXPECT_EQ(reader.length(1), length);
        EXPECT_EQ(reader.remaining(), length);
    }
}

TEST(WireArchive, ALengthThatCannotBeLeftIsRefused) {
    weft::buffer bytes;
    weft::wire_writer(bytes).length(3);
    bytes.resize(bytes.size() + 23);
    EXPECT_THROW((void)weft::wire_reader(bytes.bytes()).length(8), weft::wire_error);
    EXPECT_EQ(weft::wire_reader(bytes.bytes()).length(7), 3u);
}

TEST(WireArchive, TagsAreBelowTheirBound) {
    weft::buffer bytes;
    weft::wire_writer(bytes).tag(5);
    EXPECT_EQ(weft::wire_reader(bytes.bytes()).tag(6, "one of six"), 5);
    EXPECT_THROW((void)weft::wire_reader(bytes.bytes()).tag(5, "one of five"), weft::wire_error);
    EXPECT_THROW((void)weft::wire_reader({}).tag(5, "one of five"), weft::wire_error);
}

TEST(WireArchive, BytesAreReadInPlaceAndNeverBeyondTheEnd) {
    weft::buffer bytes;
    weft::wire_writer(bytes).bytes("abcde", 5);
    weft::wire_reader reader(bytes.bytes());
    EXPECT_EQ(reader.bytes(2, "two letters"), bytes.data());
    EXPECT_EQ(reader.position(), 2u);
    EXPECT_THROW((void)reader.bytes(4, "four letters"), weft::wire_error);
}

TEST(WireArchive, FillingIsSkippedOnlyOverZeros) {
    weft::buffer bytes;
    weft::wire_writer writer(bytes);
    writer.fill_to(4);
    EXPECT_EQ(writer.position(), 4u);
    weft::wire_reader reader(bytes.bytes());
    reader.skip_to(4);
    EXPECT_NO_THROW(reader.finish());
    bytes.data()[3] = std::byte{1};
    EXPECT_THROW(weft::wire_reader(bytes.bytes()).skip_to(4), weft::wire_error);
    EXPECT_THROW(weft::wire_reader(bytes.bytes()).skip_to(5), weft::wire_error);
}

TEST(WireArchive, NestingIsCounted) {
    weft::wire_reader reader({});
    for (int level = 0; level < weft::wire_nesting_limit; ++level) reader.enter();
    EXPECT_THROW(reader.enter(), weft::wire_error);
    reader.leave();
    EXPECT_NO_THROW(reader.enter());
}
