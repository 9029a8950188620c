#include <io/formats/parse_metis.hpp>
#include <io/text/line_parser.hpp>
#include <io/text/name_table.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

using namespace weft::io;
using weft::edge;
using weft::edge_list;

namespace {

/// Lines as `line_chunks` would give them; what stands behind them must not matter.
class padded_text {
public:
    explicit padded_text(std::string const& lines)
        : text_(lines + std::string(text_padding, '9')), size_(lines.size()) {}
    [[nodiscard]] std::string_view lines() const { return {text_.data(), size_}; }

private:
    std::string text_;
    std::size_t size_;
};

std::int64_t offset_of_bad_field(line_parser& parser, std::string const& lines) {
    edge_list graph;
    padded_text const text(lines);
    try {
        parser.parse(text.lines(), graph);
    } catch (malformed const& bad) { return bad.offset; }
    return -1;
}

TEST(line_parser, appends_block_after_block) {
    auto const parser = make_number_list_parser({}, weight_use::none);
    edge_list graph;
    for (char const* lines : {"1 2\n", "# 3 4\n\n", "5\t-6 7\r\n8 9\n"})
        parser->parse(padded_text(lines).lines(), graph);
    EXPECT_EQ(graph.edges, (std::vector<edge>{{1, 2}, {5, -6}, {8, 9}}));
    EXPECT_TRUE(graph.weights.empty());
}

TEST(line_parser, points_at_the_bad_field) {
    graph_header header;
    header.rows = header.columns = 9;
    EXPECT_EQ(offset_of_bad_field(*make_matrix_market_parser(header, weight_use::none), "1 1\n2 10\n"), 6);
    EXPECT_EQ(offset_of_bad_field(*make_dimacs_parser(header, weight_use::none), "1 1\nc\n1 1 1\n"), 10);
    EXPECT_EQ(offset_of_bad_field(*make_number_list_parser(header, weight_use::none), "1 2\n3  \n"), 7);
}

TEST(line_parser, stops_at_a_label_of_text) {
    edge_list graph;
    EXPECT_THROW(
        make_number_list_parser({}, weight_use::none)->parse(padded_text("1 2\n3 x\n").lines(), graph),
        text_label);
    EXPECT_EQ(graph.edges, (std::vector<edge>{{1, 2}}));
}

TEST(line_parser, metis_lines_count_from_where_the_parser_starts) {
    graph_header header;
    header.rows = 9;
    metis_parser parser(header, weight_use::none);
    edge_list graph;
    parser.parse(padded_text("2\n% no line\n\n1 3\n\n \n").lines(), graph);
    EXPECT_EQ(graph.edges, (std::vector<edge>{{0, 1}, {2, 0}, {2, 2}}));
    EXPECT_EQ(parser.lines(), 5);
    EXPECT_EQ(parser.lines_with_text(), 2);
    EXPECT_EQ(parser.last_with_text(), 3);
    parser.restart();
    parser.parse(padded_text("9\n").lines(), graph);
    EXPECT_EQ(graph.edges.back(), (edge{0, 8}));
}

TEST(line_parser, a_name_keeps_its_index) {
    name_table table;
    std::vector<std::string> names;
    for (int round = 0; round < 2; ++round)
        for (std::int64_t i = 0; i < 1000; ++i)
            EXPECT_EQ(table.index_of("name " + std::to_string(i), names), i);
    EXPECT_EQ(names.size(), 1000u);
    EXPECT_EQ(names[7], "name 7");
}

} // namespace
