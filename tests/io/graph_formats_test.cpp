#include "documented_formats.hpp"

#include <io/formats/graph_formats.hpp>

#include <gtest/gtest.h>

#include <set>

namespace {

using namespace weft::io;

TEST(graph_formats, have_a_row_each_in_the_documentation) {
    std::set<std::string> documented;
    for (auto const& row : weft_test::documented_rows("Graphs"))
        if (row[0] != "HDF5")
            for (std::string const& each : weft_test::endings_in(row[1])) documented.insert(each);
    std::set<std::string> known;
    for (graph_format_row const& each : graph_formats())
        known.insert(each.suffixes.begin(), each.suffixes.end());
    EXPECT_EQ(known, documented);
}

TEST(graph_formats, are_told_by_their_suffixes) {
    for (graph_format_row const& each : graph_formats())
        for (std::string_view const suffix : each.suffixes) {
            EXPECT_EQ(format_of_suffix("a" + std::string(suffix), false), each.format) << suffix;
            EXPECT_EQ(format_of_suffix("a" + std::string(suffix) + ".GZ", true), each.format) << suffix;
        }
    EXPECT_EQ(format_of_suffix("a.dot", true), weft::graph_format::automatic);
}

} // namespace
