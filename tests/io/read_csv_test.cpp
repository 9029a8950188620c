#include <io/shared_folder.hpp>

#include <io/packed_bytes.hpp>

#include <weft/collective/gather.hpp>
#include <weft/core/error.hpp>
#include <weft/io/read_csv.hpp>

#include <algorithm>
#include <random>

using namespace weft_test;

namespace {

using table = std::vector<std::vector<std::string>>;

class csv_files : public with_folder {
protected:
    /// The rows of all ranks, by rank.
    static table rows_of(std::vector<std::string> const& files, weft::csv_options const& options = {}) {
        table mine;
        (void)weft::read_csv(
            world(), files,
            [&](weft::csv_row const& row) {
                auto& fields = mine.emplace_back();
                for (std::size_t i = 0; i < row.size(); ++i) fields.emplace_back(row[i]);
            },
            options);
        return weft::all_gatherv(world(), std::move(mine));
    }
    static void expect_complaint(
        std::string const& file, std::string const& complaint, weft::csv_options const& options = {}) {
        try {
            (void)weft::read_csv(
                world(), {file},
                [](weft::csv_row const& row) {
                    if (row.size() > 1) (void)row.whole(0), (void)row.real(1);
                },
                options);
            FAIL() << "no error; expected " << complaint;
        } catch (weft::io_error const& caught) { EXPECT_EQ(caught.what(), file + complaint); }
    }
};

TEST_F(csv_files, are_as_rfc_4180_has_them) {
    EXPECT_EQ(
        rows_of({file("a.csv", "id,name\r\n1,\"Ada, \"\"Countess\"\"\"\r\n\r\n2,\"two\nlines\"\n3, x ")}),
        (table{{"1", "Ada, \"Countess\""}, {"2", "two\nlines"}, {"3", " x "}}));
    EXPECT_EQ(rows_of({file("a.csv", "\xef\xbb\xbf"
                                     "a;b\n\"\";2,5\n")}),
        (table{{"", "2,5"}}));
    EXPECT_EQ(rows_of({file("a.csv", "a\n\"\"\nx\n")}), (table{{""}, {"x"}}));
    EXPECT_EQ(rows_of({file("a.csv", "1\t2\n3\t\n")}, {.header = false}), (table{{"1", "2"}, {"3", ""}}));
    EXPECT_EQ(rows_of({file("a.csv", "a,b\n")}), table());
    EXPECT_EQ(rows_of({file("a.csv", "")}, {.header = false}), table());
}

TEST_F(csv_files, give_the_columns_that_are_asked_for) {
    auto const a = file("a.csv", "id,name,age\n1,Ada,36\n2,Alan,41\n").string();
    EXPECT_EQ(rows_of({a}, {.columns = {"age", "1"}}), (table{{"36", "1"}, {"41", "2"}}));
    EXPECT_EQ(weft::read_csv_head(world(), {a}, {.columns = {"age"}}).asked, std::vector<std::size_t>{2});
    expect_complaint(a, ":1:1: expected a column \"town\", found id, name, age", {.columns = {"town"}});
    expect_complaint(file("b.csv", "a,a\n"),
        ":1:1: expected one column \"a\", found two (ask for it by its number)", {.columns = {"a"}});
}

TEST_F(csv_files, of_random_fields_are_read_back_at_any_size_of_block) {
    std::mt19937 random(4180);
    std::string_view const letters = "ab,\"\n\r ;\xc3\xa4";
    table all;
    std::string text = "x,y,z\n";
    for (int i = 0; i < 700; ++i) {
        auto& row = all.emplace_back();
        for (int column = 0; column < 3; ++column) {
            auto& field = row.emplace_back();
            for (auto left = random() % 9; left > 0; --left) field += letters[random() % letters.size()];
            if (column > 0) text += ',';
            text += '"';
            for (char const c : field) text += c == '"' ? std::string("\"\"") : std::string(1, c);
            text += '"';
        }
        text += i % 2 == 0 ? "\n" : "\r\n";
    }
    auto const a = file("a.csv", text).string();
    for (std::int64_t const block : {1, 37, 4'096}) EXPECT_EQ(rows_of({a}, {.block_bytes = block}), all);
    table packed = rows_of({file("a.csv.gz", gzip(text)).string()}, {.block_bytes = 200});
    std::ranges::sort(packed);
    std::ranges::sort(all);
    EXPECT_EQ(packed, all);
}

TEST_F(csv_files, of_one_table_have_one_header) {
    auto const a = file("a.csv", "id,x\n1,2\n").string();
    EXPECT_EQ(rows_of({a, file("b.csv", "id,x\n3,4\n").string()}), (table{{"1", "2"}, {"3", "4"}}));
    EXPECT_THROW(rows_of({a, file("b.csv", "id,y\n3,4\n").string()}), weft::io_error);
}

TEST_F(csv_files, with_faults_name_file_line_and_column) {
    std::string many = "id,x\n";
    for (int i = 0; i < 500; ++i) many += std::to_string(i) + ",\"0.5\n\"\n";
    expect_complaint(file("a.csv", "id,x\n1,2\n3\n"), ":3:1: expected 2 fields, found 1");
    expect_complaint(
        file("a.csv", "id,x\n1,2\nx,4\n"), ":3:1: expected a whole number of 64 bits, found \"x\"");
    expect_complaint(file("a.csv", many), ":2:3: expected a number, found \"0.5\\x0a\"");
    expect_complaint(file("a.csv", "id,x\n1,a\"b\n"), ":2:4: expected no quote inside a field that does not "
                                                      "begin with one, found \"a\"\" (put the field in "
                                                      "quotes, and double those inside)");
    expect_complaint(file("a.csv", "id,x\n1,\"2\" \n"),
        ":2:6: expected a delimiter behind the closing quote, found \" \"");
    expect_complaint(
        file("a.csv", "id,x\n1,\"2\n3,4\n"), ":2:3: expected a closing quote, found the end of the file");
    expect_complaint(
        file("a.csv", ""), ":1:1: expected a header with the names of columns, found the end of the file");
    EXPECT_THROW(rows_of({path("a.csv").string()}, {.delimiter = '"'}), weft::usage_error);
}

TEST_F(csv_files, tell_the_kinds_of_their_columns) {
    std::string text = "id,x,name,nothing\n";
    for (int i = 0; i < 400; ++i)
        text += std::to_string(1152921504606846976 + i) + (i == 77 ? ",1e3," : ",-2,") +
                (i == 5 ? "x" : "7") + ",\n";
    using kind = weft::csv_kind;
    EXPECT_EQ(weft::find_csv_kinds(world(), {file("a.csv", text).string()}),
        (std::vector<kind>{kind::whole, kind::real, kind::text, kind::text}));
}

} // namespace
