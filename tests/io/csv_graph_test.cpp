#include <io/packed_bytes.hpp>
#include <io/shared_folder.hpp>
#include <io/text/csv_record.hpp>
#include <io/text/malformed.hpp>

#include <weft/core/error.hpp>
#include <weft/io/read_graph.hpp>

#include <random>
#include <string>
#include <vector>

using weft::edge_list;
using weft::vertex_naming;
using namespace weft_test;

namespace {

std::vector<std::string> split(std::string const& line, char separator = ',') {
    weft::io::csv_record record(separator);
    std::vector<std::string> texts;
    for (auto const& field : record.split(line)) texts.emplace_back(field.text);
    return texts;
}

class csv_graph : public with_folder {
protected:
    [[nodiscard]] edge_list read(std::string const& content, weft::read_options const& options = {}) const {
        return weft::read_graph(world(), file("g.csv", content), options);
    }

    [[nodiscard]] std::string complaint(
        std::string const& content, weft::read_options const& options = {.weights = true}) const {
        auto const path = file("g.csv", content);
        try {
            (void)weft::read_graph(world(), path, options);
        } catch (weft::io_error const& caught) {
            std::string const text = caught.what();
            EXPECT_TRUE(text.starts_with(path.string() + ":")) << text;
            return text.substr(path.string().size() + 1);
        }
        return "nothing was thrown";
    }
};

TEST(csv_record, fields_with_and_without_quotes) {
    using texts = std::vector<std::string>;
    EXPECT_EQ(split("a,b,c\n"), (texts{"a", "b", "c"}));
    EXPECT_EQ(split("a;b,c\r\n", ';'), (texts{"a", "b,c"}));
    EXPECT_EQ(split(" a b ,\t2 , \n"), (texts{"a b", "2", ""}));
    EXPECT_EQ(split("a\t\tb\n", '\t'), (texts{"a", "", "b"}));
    EXPECT_EQ(split("\"a,b\" , \"say \"\"no\"\"\",\"\"\n"), (texts{"a,b", "say \"no\"", ""}));
    EXPECT_EQ(split("\"\"\"\",\"\"\"x\"\"\",\"\"\"\"\"\"\n"), (texts{"\"", "\"x\"", "\"\""}));
    EXPECT_EQ(split(",\n"), (texts{"", ""}));
    EXPECT_EQ(split("no newline"), (texts{"no newline"}));
    EXPECT_EQ(split(""), (texts{""}));
}

TEST(csv_record, quotes_that_do_not_match) {
    for (char const* line : {"a,\"b\n", "\"a\"b,c\n", "\"\n", "\"\"\"\n", "a,\"b\"\"\n"})
        EXPECT_THROW((void)split(line), weft::io::malformed) << line;
}

TEST(csv_record, what_is_written_by_the_rules_is_read_again) {
    std::mt19937_64 next(11);
    for (int round = 0; round < 2000; ++round) {
        std::vector<std::string> fields(1 + next() % 5);
        std::string line;
        for (std::string& field : fields) {
            for (std::uint64_t length = next() % 6; length > 0; --length) field += "ab\",;| "[next() % 7];
            std::string escaped;
            for (char const c : field) escaped += c == '"' ? "\"\"" : std::string(1, c);
            line += (line.empty() ? "\"" : ",\"") + escaped + "\"";
        }
        EXPECT_EQ(split(line + "\n"), fields) << line;
    }
}

TEST_F(csv_graph, columns_by_their_usual_names) {
    for (char const* header : {"id,Source,kind,Target,Weight", "x,from,y,to,length", "a,src,b,\"dst\",w"}) {
        edge_list const graph =
            read(std::string(header) + "\n7,1,a,2,.5\n8,2,\"b,c\",3,4\n", {.weights = true});
        EXPECT_EQ(edges_of_all(graph), (std::vector<weighted_edge>{{1, 2, 0.5}, {2, 3, 4}}));
        EXPECT_EQ(graph.naming, vertex_naming::numbers);
        EXPECT_TRUE(graph.weighted);
        EXPECT_TRUE(graph.directed);
        EXPECT_EQ(graph.format, "CSV of columns 2, 4, 5 below a header");
    }
}

TEST_F(csv_graph, columns_that_are_asked_for) {
    std::string const content = "name;alter;ego;much\nx;1;2;3\ny;2;5;4\n";
    EXPECT_EQ(edges_of_all(read(content, {.weights = true, .columns = {"ego", "alter", "much"}})),
        (std::vector<weighted_edge>{{2, 1, 3}, {5, 2, 4}}));
    EXPECT_EQ(edges_of_all(read(content, {.weights = true, .columns = {"2", "3"}})),
        (std::vector<weighted_edge>{{1, 2, 1}, {2, 5, 1}}));
    EXPECT_EQ(edges_of_all(read("x;1;2;3\ny;2;5;4\n", {.weights = true, .columns = {"3", "2", "4"}})),
        (std::vector<weighted_edge>{{2, 1, 3}, {5, 2, 4}}));
    EXPECT_EQ(read(content, {.columns = {"name", "ego"}}).naming, vertex_naming::text);
}

TEST_F(csv_graph, without_names_the_first_columns_count) {
    EXPECT_EQ(edges_of_all(read("1,2\n3,4\n")), (std::vector<weighted_edge>{{1, 2, 1}, {3, 4, 1}}));
    EXPECT_EQ(edges_of_all(read("1|2|7|x\n3|4|8|y\n", {.weights = true})),
        (std::vector<weighted_edge>{{1, 2, 7}, {3, 4, 8}}));
    // Words above numbers are a header, words above words are not.
    EXPECT_EQ(edges_of_all(read("this,that,much\n1,2,7\n", {.weights = true})),
        (std::vector<weighted_edge>{{1, 2, 7}}));
    EXPECT_EQ(
        labels_of_all(read("adam,eve\neve,abel\n")), (std::vector<std::string>{"adam eve", "eve abel"}));
}

TEST_F(csv_graph, weights_of_an_unusual_name) {
    EXPECT_EQ(edges_of_all(read("from,to,minutes\n1,2,7\n2,3,8\n", {.weights = true})),
        (std::vector<weighted_edge>{{1, 2, 7}, {2, 3, 8}}));
    EXPECT_EQ(edges_of_all(read("line,from,to,minutes\nU1,1,2,7\nU1,2,3,8\n", {.weights = true})),
        (std::vector<weighted_edge>{{1, 2, 7}, {2, 3, 8}}));
    // Of several columns of numbers none is taken.
    EXPECT_FALSE(read("from,to,minutes,km\n1,2,7,5\n", {.weights = true}).weighted);
}

TEST_F(csv_graph, a_column_of_weights_that_is_said) {
    std::string const usual = "from,to,minutes,km\n1,2,7,5\n2,3,8,6\n";
    std::vector<weighted_edge> const by_km{{1, 2, 5}, {2, 3, 6}};
    EXPECT_EQ(edges_of_all(read(usual, {.weights = true, .weight = "km"})), by_km);
    EXPECT_EQ(edges_of_all(read(usual, {.weights = true, .weight = "4"})), by_km);
    EXPECT_EQ(edges_of_all(read(usual, {.weights = true, .columns = {"to", "from"}, .weight = "km"})),
        (std::vector<weighted_edge>{{2, 1, 5}, {3, 2, 6}}));
    // Without usual names the first two others are the ends.
    for (std::string const content :
        {"km,this,that\n5,1,2\n6,2,3\n", "this,km,that\n1,5,2\n2,6,3\n", "this,that,km\n1,2,5\n2,3,6\n"})
        EXPECT_EQ(edges_of_all(read(content, {.weights = true, .weight = "km"})), by_km) << content;
    EXPECT_EQ(edges_of_all(read("5,1,2\n6,2,3\n", {.weights = true, .weight = "1"})), by_km);
    EXPECT_EQ(complaint(usual, {.weight = "miles"}),
        "1: expected a column \"miles\", found \"from\", \"to\", \"minutes\", \"km\"");
    EXPECT_EQ(complaint("1,2\n", {.weight = "2"}), "1: expected three columns at least, found 2");
    EXPECT_EQ(complaint(usual, {.weight = "km", .header = weft::csv_header::no}),
        "1: expected numbers of columns where there is no header, found names");
    EXPECT_THROW((void)read(usual, {.columns = {"from", "to", "km"}, .weight = "km"}), weft::usage_error);
}

TEST_F(csv_graph, a_header_a_delimiter_and_a_decimal_point_that_are_said) {
    using texts = std::vector<std::string>;
    std::string const names = "city,town\nRome,Milan\nRome,Turin\nTurin,Milan\n";
    EXPECT_EQ(labels_of_all(read(names, {.header = weft::csv_header::yes})),
        (texts{"Rome Milan", "Rome Turin", "Turin Milan"}));
    EXPECT_EQ(labels_of_all(read("source,target\nu,v\n", {.header = weft::csv_header::no})),
        (texts{"source target", "u v"}));
    EXPECT_EQ(labels_of_all(read("a,b:c d\ne:f\n", {.delimiter = ':'})), (texts{"a,b c d", "e f"}));
    EXPECT_EQ(edges_of_all(read("from;to;w\n1;2;0,5\n2;3;1,5e1\n", {.weights = true, .decimal = ','})),
        (std::vector<weighted_edge>{{1, 2, 0.5}, {2, 3, 15}}));
    EXPECT_EQ(edges_of_all(weft::read_graph(
                  world(), file("g.txt", "1 2 3\n4 5 6\n"), {.weights = true, .delimiter = ' '})),
        (std::vector<weighted_edge>{{1, 2, 3}, {4, 5, 6}}));
    EXPECT_EQ(complaint("a,b\n", {.columns = {"a", "b"}, .header = weft::csv_header::no}),
        "1: expected numbers of columns where there is no header, found names");
    EXPECT_THROW((void)read("1,2\n", {.decimal = ';'}), weft::usage_error);
    std::string said;
    (void)read(names, {.warn = [&](std::string const& text) { said = text; }});
    EXPECT_EQ(said.find("is read as an edge") != std::string::npos, rank() == 0) << said;
    said.clear();
    (void)read("Rome,Milan\nRome,Turin\nTurin,Milan\nBari,Rome\n",
        {.warn = [&](std::string const& text) { said = text; }});
    EXPECT_EQ(said, "");
}

TEST_F(csv_graph, labels_that_are_text) {
    std::string content = "source,target\r\n";
    std::vector<std::string> expected;
    for (int i = 0; i < 200; ++i) {
        content +=
            std::to_string(i % 10) + ",\"" + (i == 150 ? "a \"\"b\"\", c" : std::to_string(i)) + "\"\r\n";
        expected.push_back(std::to_string(i % 10) + " " + (i == 150 ? "a \"b\", c" : std::to_string(i)));
    }
    for (std::int64_t const block : {1, 100, 1 << 20}) {
        EXPECT_EQ(labels_of_all(read(content, {.block_bytes = block})), expected);
        auto packed =
            labels_of_all(weft::read_graph(world(), file("g.csv.gz", gzip(content)), {.block_bytes = block}));
        std::ranges::sort(packed);
        auto in_order = expected;
        std::ranges::sort(in_order);
        EXPECT_EQ(packed, in_order);
    }
    // What is not printed as a number is none.
    EXPECT_EQ(labels_of_all(read("007,7\n")), (std::vector<std::string>{"007 7"}));
    EXPECT_EQ(read("0,-7\n").naming, vertex_naming::numbers);
    EXPECT_EQ(read("-0,7\n").naming, vertex_naming::text);
}

TEST_F(csv_graph, files_without_edges) {
    for (char const* content : {"", "\n \n", "source,target\n", "# nothing\n"})
        EXPECT_TRUE(edges_of_all(read(content)).empty()) << content;
}

TEST_F(csv_graph, complaints) {
    std::string const start = "source,target,weight\n1,2,3\n";
    EXPECT_EQ(complaint(start + "2,3\n"), "3: expected 3 fields, as in the first line, found 2");
    EXPECT_EQ(complaint(start + "2,3,4,5\n"), "3: expected 3 fields, as in the first line, found 4");
    EXPECT_EQ(complaint(start + "2,,4\n"), "3: expected a label, found an empty field");
    EXPECT_EQ(complaint(start + "2,x,y\n"), "3: expected a weight, found \"y\"");
    EXPECT_EQ(complaint(start + "2,3,\n"), "3: expected a weight, found an empty field");
    EXPECT_EQ(
        complaint(start + "2,\"3\n4\",1\n"), "3: expected a closing quote in the same line, found \"\"3\"");
    EXPECT_EQ(
        complaint(start + "2,\"3\"4,1\n"), "3: expected a separator behind the closing quote, found \"4,1\"");
    EXPECT_EQ(complaint(start + "2,3,-1\n", {.weights = true, .lengths = true}),
        "3: expected a weight that is finite and at least 0, found \"-1\"");
    EXPECT_EQ(complaint(start + "2,3,nan\n", {.weights = true, .lengths = true}),
        "3: expected a weight that is finite and at least 0, found \"nan\"");
    EXPECT_EQ(complaint(start, {.columns = {"source", "goal"}}),
        "1: expected a column \"goal\", found \"source\", \"target\", \"weight\"");
    EXPECT_EQ(complaint(start, {.columns = {"1", "4"}}), "1: expected a column 4, found 3 columns");
    EXPECT_EQ(
        complaint("alone\n"), "1: expected fields between commas, semicolons, tabs or bars, found \"alone\"");
    EXPECT_EQ(complaint("%%MatrixMarket matrix coordinate pattern general\n1 1 0\n", {.columns = {"a", "b"}}),
        "1: expected a CSV file where columns, a header, a delimiter or a decimal point are asked for, found "
        "another "
        "format");
    EXPECT_THROW((void)read(start, {.columns = {"source"}}), weft::usage_error);
}

TEST_F(csv_graph, mutated_files_are_read_or_refused) {
    // Whatever the bytes, at any number of ranks and in blocks of any size: the same edges or the same error.
    std::string const seed_text =
        "# a comment\nsource,\"target\",weight\n1,2,0.5\n\"3\",\"a \"\"b\"\"\",1e3\r\n\n 7 ,8,-2\n9,10,inf\n";
    std::mt19937_64 next(5);
    for (int round = 0; round < 100; ++round) {
        std::string text = seed_text;
        for (std::uint64_t changes = 1 + next() % 4; changes > 0 && !text.empty(); --changes) {
            std::size_t const place = next() % text.size();
            switch (next() % 4) {
            case 0:
                text[place] = static_cast<char>(next());
                break;
            case 1:
                text.erase(place, 1 + next() % 5);
                break;
            case 2:
                text.insert(place, 1, ",\"\n\r\t;|# 0"[next() % 10]);
                break;
            default:
                text.resize(place);
            }
        }
        auto const outcome = [&](std::int64_t block) {
            try {
                edge_list const graph = read(text, {.weights = true, .block_bytes = block});
                bool const as_text = graph.naming == vertex_naming::text;
                auto told = as_text ? labels_of_all(graph) : std::vector<std::string>();
                for (weighted_edge const& each : edges_of_all(graph)) {
                    told.push_back(std::to_string(each.weight));
                    if (!as_text)
                        told.push_back(std::to_string(each.source) + " " + std::to_string(each.target));
                }
                return told;
            } catch (weft::io_error const& caught) { return std::vector<std::string>{caught.what()}; }
        };
        EXPECT_EQ(outcome(1), outcome(1 << 20)) << text;
    }
}

} // namespace
