#include <weft/detail/collective/merged_values.hpp>

#include "merges.hpp"

#include <harness/mpi_test.hpp>

TEST(merged_values, are_written_read_and_combined_by_number) {
    weft_test::merged_texts texts;
    weft::detail::merged_values& values = texts;
    texts.add("a");
    weft::buffer bytes;
    values.write(0, bytes);
    std::size_t const copy = values.read(bytes.bytes());
    values.combine(copy, 0);
    EXPECT_EQ(texts.at(copy), "(aa)");
}
