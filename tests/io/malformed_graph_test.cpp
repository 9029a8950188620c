#include <io/packed_bytes.hpp>
#include <io/shared_folder.hpp>

#include <weft/core/error.hpp>
#include <weft/io/read_graph.hpp>

#include <string>
#include <vector>

using namespace weft_test;

namespace {

class malformed_graph : public with_folder {
protected:
    /// What reading complains of, without the name of the file; every rank must say the same.
    static std::string complaint(std::filesystem::path const& file, weft::read_options const& options) {
        try {
            (void)weft::read_graph(world(), file, options);
        } catch (weft::io_error const& caught) {
            std::string const text = caught.what();
            EXPECT_EQ(text.find('\n'), text.npos) << text;
            EXPECT_TRUE(text.starts_with(file.string() + ":")) << text;
            return text.substr(std::min(text.size(), file.string().size() + 1));
        }
        return "nothing was thrown";
    }
};

struct bad_file {
    char const* name;
    std::string content;
    char const* complaint; ///< Behind "FILE:".
    bool weights = false;
};

std::string operator""_s(char const* text, std::size_t size) {
    return {text, size};
}

std::string matrix(std::string const& kind, std::string const& rest) {
    return "%%MatrixMarket matrix coordinate " + kind + "\n" + rest;
}

std::vector<bad_file> const bad_files{
    // Formats that are not read
    {"g.dot", "digraph G {\n a -> b;\n}\n",
        "1: expected a graph in a format that is read, found DOT (Graphviz); save it as GraphML (.graphml), "
        "an "
        "edge list, CSV or MatrixMarket"},
    {"g.gml", "graph [\n node [ id 1 ]\n]\n",
        "1: expected a graph in a format that is read, found GML; save it as GraphML (.graphml), an edge "
        "list, "
        "CSV or MatrixMarket"},
    {"g.dat", "*Vertices 2\n1 \"a\"\n2 \"b\"\n*Edges\n1 2\n",
        "1: expected a graph in a format that is read, found Pajek; save it as GraphML (.graphml), an edge "
        "list, "
        "CSV or MatrixMarket"},
    {"g.txt", "1 2\n2 3 4 5\n3 4\n",
        "2: expected an edge in each line, and as many numbers as in the others, found more of them; write "
        "an "
        "adjacency list as edges, or as METIS's .graph (or set the format to an edge list, whose lines are "
        "read "
        "up to the weight)"},
    // MatrixMarket: header
    {"g.mtx", "",
        "1: expected the banner \"%%MatrixMarket matrix coordinate ...\", found the end of the file"},
    {"g.mtx", "1 2 3\n", "1: expected the banner \"%%MatrixMarket matrix coordinate ...\", found \"1\""},
    {"g.mtx", "%%MatrixMarket vector coordinate real general\n",
        "1: expected the object \"matrix\", found \"vector\""},
    {"g.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n",
        "1: expected the layout \"coordinate\" (dense arrays are not graphs), found \"array\""},
    {"g.mtx", "%%MatrixMarket matrix coordinate quaternion general\n",
        "1: expected the field pattern, integer, real or complex, found \"quaternion\""},
    {"g.mtx", "%%MatrixMarket matrix coordinate real\n",
        "1: expected the symmetry general, symmetric, skew-symmetric or hermitian, found the end of the "
        "line"},
    {"g.mtx", "%%MatrixMarket matrix coordinate real general extra\n",
        "1: expected the end of the line, found \"extra\""},
    {"g.mtx", matrix("real general", "% only comments\n"),
        "3: expected the number of rows, found the end of the file"},
    {"g.mtx", matrix("real general", "%\n\n10 ten 3\n"), "4: expected the number of columns, found \"ten\""},
    {"g.mtx", matrix("real general", "10 10\n"),
        "2: expected the number of entries, found the end of the line"},
    {"g.mtx", matrix("real general", "10 -10 1\n"), "2: expected the number of columns, found \"-10\""},
    {"g.mtx", matrix("real general", "10 10 1 1\n"), "2: expected the end of the line, found \"1\""},
    {"g.mtx", matrix("real symmetric", "2 3 1\n1 1 1\n"),
        "2: expected as many rows as columns in a symmetric matrix, found 2 and 3"},
    {"g.mtx", matrix("pattern general", "0 3 1\n1 1\n"),
        "2: expected no entries in an empty matrix, found \"1\""},
    // MatrixMarket: entries
    {"g.mtx", matrix("pattern general", "1000 1000 2\n1 1\n7 abc\n"),
        "4: expected a column index in 1..1000, found \"abc\""},
    {"g.mtx", matrix("pattern general", "9 9 2\r\n1 1\r\n\r\n0 1\r\n"),
        "5: expected a row index in 1..9, found \"0\""},
    {"g.mtx", matrix("pattern general", "9 9 1\n10 1\n"), "3: expected a row index in 1..9, found \"10\""},
    {"g.mtx", matrix("pattern general", "9 9 1\n1 99999999999999999999\n"),
        "3: expected a column index in 1..9, found \"99999999999999999999\""},
    {"g.mtx", matrix("pattern general", "9 9 1\n-1 1\n"), "3: expected a row index in 1..9, found \"-1\""},
    {"g.mtx", matrix("pattern general", "9 9 1\n1\n"),
        "3: expected a column index in 1..9, found the end of the line"},
    {"g.mtx", matrix("pattern general", "9 9 1\n1 1 5\n"), "3: expected the end of the line, found \"5\""},
    {"g.mtx", matrix("real general", "9 9 1\n1 1\n"), "3: expected a real value, found the end of the line"},
    {"g.mtx", matrix("real general", "9 9 1\n1 1 one\n"), "3: expected a real value, found \"one\""},
    {"g.mtx", matrix("real general", "9 9 1\n1 1 1.2.3\n"), "3: expected a real value, found \"1.2.3\"",
        true},
    {"g.mtx", matrix("integer general", "9 9 1\n1 1 1.5\n"), "3: expected an integer value, found \"1.5\""},
    {"g.mtx", matrix("complex general", "9 9 1\n1 1 1.5\n"),
        "3: expected the imaginary part of a value, found the end of the line"},
    {"g.mtx", matrix("complex general", "9 9 1\n1 1 1.5 1\n"),
        "1: expected real values where weights are asked for, found complex ones", true},
    {"g.mtx", matrix("real skew-symmetric", "9 9 2\n2 1 5\n3 3 5\n"),
        "4: expected zeros alone on the diagonal of a skew-symmetric matrix, found \"3\""},
    {"g.mtx", matrix("pattern general", "9 9 3\n1 1\n2 2\n"),
        "5: expected entry 3 of 3, found the end of the file"},
    {"g.mtx", matrix("pattern general", "9 9 3\n1 1\n2 2"),
        "4: expected entry 3 of 3, found the end of the file"},
    {"g.mtx", matrix("pattern general", "9 9 2\n1 1\n2 2\n\n3 3\n4 4\n"),
        "6: expected the end of the file after 2 entries, found another"},
    // Edge lists
    {"g.txt", "1 2\n3\n", "2: expected a second label, found the end of the line"},
    {"g.txt", "# one\n1 2\n\n  a  \n4 5\n", "4: expected a second label, found the end of the line"},
    {"g.txt", "1 2\n3 4\n5 \x01garbage\n", "3: expected a label of text, found \"\\x01garbage\""},
    {"g.txt", "1 2 0.5\n3 4\n", "2: expected a weight in the third column, found the end of the line", true},
    {"g.txt", "1 2 0.5\n3 4 heavy\n", "2: expected a weight in the third column, found \"heavy\"", true},
    {"g.txt", "1 2\n3 \0 4\n"_s, "2: expected text, found a zero byte (is it a binary file?)"},
    {"g.txt", "1 2\r3 4\r",
        "1: expected lines that end in LF or CRLF, found a CR alone (convert the line ends)"},
    {"g.dat", "1 2\n3\n",
        "2: expected a second label, found the end of the line (the suffix does not tell the format, so this "
        "was read "
        "as an edge list; set it)"},
    // METIS
    {"g.graph", "", "1: expected the number of vertices, found the end of the file"},
    {"g.graph", "% comment\n\n2 1\n", "2: expected the number of vertices, found the end of the line"},
    {"g.graph", "3\n", "1: expected the number of edges, found the end of the line"},
    {"g.graph", "2 1 2\n2\n1\n", "1: expected a format of up to three digits 0 or 1, found \"2\""},
    {"g.graph", "2 1 10 x\n", "1: expected the number of weights of a vertex, found \"x\""},
    {"g.graph", "2 1 11 1 9\n", "1: expected the end of the line, found \"9\""},
    {"g.graph", "3 2\n2\n1 4\n2\n", "3: expected a neighbour in 1..3, found \"4\""},
    {"g.graph", "3 2\n2\n1 3\n0\n", "4: expected a neighbour in 1..3, found \"0\""},
    {"g.graph", "3 2\n2\n1 x3\n2\n", "3: expected a neighbour in 1..3, found \"x3\""},
    {"g.graph", "3 2 1\n2 5\n1 5 3\n2 5\n", "3: expected the weight of an edge, found the end of the line"},
    {"g.graph", "3 2 1\n2 5\n1 5 3 y\n2 5\n", "3: expected the weight of an edge, found \"y\"", true},
    {"g.graph", "2 1 10 2\n7 7 2\n7\n",
        "3: expected a size or weight of the vertex, found the end of the line"},
    {"g.graph", "3 1 10\n7 2\n7 1\n\n", "4: expected a size or weight of the vertex, found an empty line"},
    {"g.graph", "5 2\n2\n1 3\n2\n", "5: expected the line of vertex 4 of 5, found the end of the file"},
    {"g.graph", "3 2\n% c\n2\n1 3\n2\n\n1\n",
        "7: expected the end of the file after the lines of 3 vertices, found another"},
    {"g.graph", "% c\n3 3\n2\n1 3\n2\n",
        "2: expected 6 neighbours in all, two for each of the 3 edges declared here, found 4"},
    {"g.graph", "4 2\n2 3\n1\n4\n\n",
        "2: expected the neighbour 3 of vertex 1 to list 1 as well, found it in this line only"},
    // DIMACS
    {"g.gr", "", "1: expected the line \"p problem vertices edges\", found the end of the file"},
    {"g.gr", "c hello\n1 2\n", "2: expected the line \"p problem vertices edges\", found \"1\""},
    {"g.gr", "p max 3 2\n",
        "1: expected one of the problems tw, td, tww, ds, cep, edge, edges, col, sp, found \"max\""},
    {"g.gr", "p tw 3 x\n", "1: expected the number of edges, found \"x\""},
    {"g.gr", "p tw 3 1\n1 4\n", "2: expected a vertex in 1..3, found \"4\""},
    {"g.gr", "p tw 3 1\n1 2 3\n", "2: expected the end of the line, found \"3\""},
    {"g.gr", "p tw 3 1\n1 2\np tw 3 1\n", "3: expected one \"p\" line in the file, found \"p\""},
    {"g.gr", "p sp 3 1\n1 2 3\n", "2: expected an arc \"a u v length\", found \"1\""},
    {"g.gr", "p sp 3 1\na 1 2\n", "2: expected the length of an arc, found the end of the line"},
    {"g.gr", "p col 3 1\na 1 2\n", "2: expected an edge \"e u v\", found \"a\""},
    {"g.gr", "p tw 3 2\n1 2\nc end\n", "4: expected edge 2 of 2, found the end of the file"},
    {"g.gr", "p tw 3 1\n1 2\nc\n2 3\n", "4: expected the end of the file after 1 edge, found another"},
};

TEST_F(malformed_graph, the_complaint_is_exact_plain_and_packed) {
    for (bad_file const& bad : bad_files) {
        SCOPED_TRACE(bad.content);
        for (std::int64_t const block : {1, 1 << 20}) {
            weft::read_options const options{.weights = bad.weights, .block_bytes = block};
            EXPECT_EQ(complaint(file(bad.name, bad.content), options), bad.complaint);
            EXPECT_EQ(complaint(file(bad.name, zstd(bad.content, 10)), options), bad.complaint);
        }
    }
}

TEST_F(malformed_graph, lists_whose_lines_would_be_edges) {
    auto const unlike = [](std::string const& found) {
        return "expected labels with blanks between them, found " + found;
    };
    std::string const csv = "; set the format to CSV where commas or the like separate labels";
    std::string const letters = "expected two labels in each line, found the letter ";
    struct unlike_file {
        std::string content;
        std::string complaint;
    };
    for (unlike_file const& each :
        std::vector<unlike_file>{{"# of pairs\n1, 2\n2, 3\n", "2: " + unlike("\"1,\"" + csv)},
            {"1 2;\n2 3;\n", "1: " + unlike("\"2;\"; leave out the separator at the ends of lines")},
            {"1,2\n", "1: " + unlike("\"1,2\"" + csv)}, {"1::2::5\n", "1: " + unlike("\"1::2::5\"" + csv)},
            {"1| 2\n", "1: " + unlike("\"1|\"" + csv)}, {"a b\nc, d\n", "2: " + unlike("\"c,\"" + csv)},
            {"1: 2 3\n2: 1\n", "1: " + unlike("\"1:\"; write a vertex and its neighbours as edges")},
            {"1 -> 2\n", "1: " + unlike("\"->\"; write a blank alone between labels")},
            {"a -- b\n", "1: " + unlike("\"--\"; write a blank alone between labels")},
            {"(1, 2)\n(2, 3)\n",
                "1: " + unlike("an edge in brackets; write labels without brackets and commas")},
            {"[1 2]\n", "1: " + unlike("an edge in brackets; write labels without brackets and commas")},
            {"\"New York\" Rome\n", "1: " + unlike("a label in quotes with a blank; set the format to CSV, "
                                                   "or write tabs between labels into a .tsv")},
            {"<a> <knows> <b> .\n",
                "1: " + unlike("a statement of RDF; write its subject and object as an edge")},
            {"// of pairs\na b\n", "1: " + unlike("a comment by \"//\"; write # before comments")},
            {"e 1 2\ne 2 3\n", "1: " + letters}, {"a 1 2 5\na 2 3 6\n", "1: " + letters},
            {"v 0 1\nv 1 1\ne 0 1 7\n", "1: " + letters}}) {
        SCOPED_TRACE(each.content);
        EXPECT_EQ(
            complaint(file("g.txt", each.content), {}).substr(0, each.complaint.size()), each.complaint);
        EXPECT_EQ(complaint(file("g.txt", each.content), {.format = weft::graph_format::edge_list})
                      .find("expected labels"),
            std::string::npos);
    }
    std::string tar = "g.txt" + std::string(252, 'x') + "ustar\n";
    EXPECT_EQ(
        complaint(file("g.tar", tar), {}), "1: expected text, found a tar archive (unpack it with tar -x)");
    EXPECT_EQ(complaint(file("g.tar.gz", gzip(tar)), {}),
        "1: expected text, found a tar archive (unpack it with tar -x)");
    for (std::string const fine :
        {"a 1\nb 2\n", "a 1 0.5\ne 2 0.5\n", "\"a\" \"b\"\n", "-1 -2\n", "e 1 2\n", "(a) (b)\n"})
        EXPECT_EQ(complaint(file("g.txt", fine), {}), "nothing was thrown") << fine;
    EXPECT_EQ(complaint(file("g.tsv", "New York, NY\tRome;\n"), {}), "nothing was thrown");
}

TEST_F(malformed_graph, a_line_of_counts_is_told) {
    auto const said_of = [](std::filesystem::path const& path) {
        std::string said;
        (void)weft::read_graph(world(), path, {.warn = [&](std::string const& text) { said = text; }});
        return said;
    };
    std::string const said = said_of(file("g.txt", "3 2\n1 2\n2 3\n"));
    EXPECT_EQ(said.find("if it is a line of counts, write # before it") != said.npos, world().rank() == 0)
        << said;
    EXPECT_EQ(said_of(file("g.txt", "3 2\n1 2\n2 3\n1 3\n")), "");
    EXPECT_EQ(said_of(file("g.txt", "3 2 1\n1 2 1\n2 3 1\n")), "");
}

TEST_F(malformed_graph, the_lowest_line_wins) {
    std::string content;
    for (int line = 1; line <= 400; ++line) content += line % 50 == 0 ? "lonely\n" : "1 2\n";
    std::string text = content;
    text.replace(text.find("lonely"), 6, "  3   ");
    for (std::int64_t const block : {1, 100, 1 << 20}) {
        weft::read_options const options{.block_bytes = block};
        for (std::string const& packed : {content, gzip(content), xz(content)})
            EXPECT_EQ(complaint(file("g.txt", packed), options),
                "50: expected a second label, found the end of the line");
        EXPECT_EQ(complaint(file("g.txt", text), options),
            "50: expected a second label, found the end of the line");
    }
}

TEST_F(malformed_graph, packed_files_that_are_cut) {
    std::string content;
    for (int line = 1; line <= 4000; ++line) content += "1 2\n";
    std::string const whole = gzip(content);
    for (std::size_t const left : {whole.size() / 2, whole.size() - 4})
        for (std::int64_t const block : {50, 1 << 20})
            EXPECT_EQ(complaint(file("g.txt.gz", whole.substr(0, left)), {.block_bytes = block}),
                " expected a whole gzip stream, found its end missing after " + std::to_string(left) +
                    " bytes (copy the file again)");
    // A bad line before the cut, and behind what the header is looked for in.
    content.clear();
    for (int line = 1; line <= 40'000; ++line) content += line == 20'000 ? "lonely\n" : "1 2\n";
    EXPECT_EQ(complaint(file("g.txt.gz", gzip(content).substr(0, 150'000)), {.block_bytes = 5000}),
        "20000: expected a second label, found the end of the line");
}

TEST_F(malformed_graph, files_that_are_not_there) {
    EXPECT_EQ(complaint(path("no.mtx"), {}),
        " cannot read: No such file or directory (check the path; every rank must see the file)");
    EXPECT_EQ(complaint(path("."), {}), " cannot read: Is a directory (give the path of a file)");
}

} // namespace
