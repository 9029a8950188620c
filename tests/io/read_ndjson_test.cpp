#include <io/shared_folder.hpp>

#include <io/packed_bytes.hpp>

#include <weft/collective/gather.hpp>
#include <weft/core/error.hpp>
#include <weft/io/read_ndjson.hpp>

#include <algorithm>
#include <random>

using namespace weft_test;

namespace {

using texts = std::vector<std::string>;

class ndjson_files : public with_folder {
protected:
    /// A line for each record of all ranks: its values, each after the letter of its kind, and a bar between
    /// paths.
    static texts values_of(
        std::vector<std::string> const& files, texts const& paths, std::int64_t block_bytes = 1 << 20) {
        constexpr std::string_view letters = "0bnt{[";
        texts mine;
        (void)weft::read_ndjson(world(), files,
            [&](weft::json_row const& row) {
                auto& line = mine.emplace_back();
                for (std::size_t i = 0; i < row.size(); ++i) {
                    if (i > 0) line += '|';
                    for (auto const& each : row[i])
                        (line += letters[static_cast<std::size_t>(each.kind)]) += each.text;
                }
            },
            {.paths = paths, .block_bytes = block_bytes});
        return weft::all_gatherv(world(), std::move(mine));
    }
    static void expect_complaint(std::string const& file, std::string const& complaint) {
        try {
            (void)weft::read_ndjson(world(), {file},
                [](weft::json_row const& row) {
                    (void)row.one(0).whole();
                    (void)row.one(1).real();
                },
                {.paths = {"id", "in.x"}});
            FAIL() << "no error; expected " << complaint;
        } catch (weft::io_error const& caught) { EXPECT_EQ(caught.what(), file + complaint); }
    }
};

TEST_F(ndjson_files, have_values_at_paths) {
    auto const a =
        file("a.ndjson", "\xef\xbb\xbf"
                         R"({"id": 1, "user": {"name": "Ada", "age": 36}, "tags": ["x", "y"]})"
                         "\r\n\n  \t\n"
                         R"( {"tags":[],"user":{"name":"\"Al\u00e4n\"\n"},"id":1152921504606846977})"
                         "\n"
                         R"({"other": {"id": 3}, "tags": [{"t": [1]}, 2.50, null, true],"id":-0} )");
    EXPECT_EQ(values_of({a}, {"id", "user.name", "tags[]", "user"}),
        (texts{R"(n1|tAda|txty|{{"name": "Ada", "age": 36})",
            "n1152921504606846977|t\"Al\xc3\xa4n\"\n||{{\"name\":\"\\\"Al\\u00e4n\\\"\\n\"}",
            R"(n-0||{{"t": [1]}n2.500nullbtrue|)"}));
    EXPECT_EQ(values_of({a}, {"tags[].t[]", "tags[].t", "tags"}),
        (texts{R"(||[["x", "y"])", "||[[]", R"(n1|[[1]|[[{"t": [1]}, 2.50, null, true])"}));
}

TEST_F(ndjson_files, have_values_of_any_kind_on_a_line) {
    auto const a = file("a.ndjson", "[1,2]\n7\n\"a\"\nnull\n{\"x\":1,\"x\":2}\n[[3]]\n");
    EXPECT_EQ(values_of({a}, {"[]", "x", "[][]"}), (texts{"n1n2||", "||", "||", "||", "|n1n2|", "[[3]||n3"}));
}

TEST_F(ndjson_files, give_whole_records_without_paths) {
    std::string text;
    for (int i = 0; i < 300; ++i) text += " {\"i\": " + std::to_string(i) + "}\r\n";
    auto const a = file("a.ndjson", text);
    std::vector<std::pair<std::int64_t, std::string>> mine;
    auto const read = weft::read_ndjson(world(), {a.string()}, [&](weft::json_row const& row) {
        EXPECT_EQ(row.size(), 0U);
        EXPECT_EQ(row.file(), 0U);
        mine.emplace_back(row.offset(), row.text());
    });
    EXPECT_EQ(read.files, texts{a.string()});
    EXPECT_EQ(read.bytes, std::ssize(text));
    auto const all = weft::all_gatherv(world(), std::move(mine));
    ASSERT_EQ(all.size(), 300U);
    for (auto const& [offset, record] : all)
        EXPECT_EQ(text.substr(static_cast<std::size_t>(offset), record.size()), record);
    EXPECT_EQ(all.back().second, "{\"i\": 299}");
}

/// A value and what the reader should say of it.
std::string random_json(std::mt19937& random, int depth, std::string& said) {
    auto const blanks = [&] { return std::string(random() % 3, ' '); };
    auto const kind = random() % (depth > 0 ? 6 : 4);
    std::string made;
    switch (kind) {
    case 0:
        made = "null", said += "0null";
        break;
    case 1:
        made = random() % 2 == 0 ? "true" : "false", said += "b" + made;
        break;
    case 2: {
        made = random() % 2 == 0 ? "-" : "";
        made += std::to_string(random() % 3 == 0 ? std::uint64_t{random()} << 32U : random() % 100);
        if (random() % 3 == 0) made += ".50";
        if (random() % 3 == 0) made += "e-7";
        said += "n" + made;
        break;
    }
    case 3: {
        made = "\"";
        said += "t";
        for (auto left = random() % 5; left > 0; --left) {
            constexpr std::array<std::pair<char const*, char const*>, 6> letters{{{"a", "a"}, {"\\\"", "\""},
                {"\xc3\xa4", "\xc3\xa4"}, {"\\ud83d\\ude00", "\xf0\x9f\x98\x80"}, {",", ","}, {"]}", "]}"}}};
            auto const& [spelled, meant] = letters[random() % letters.size()];
            made += spelled;
            said += meant;
        }
        made += '"';
        break;
    }
    default: {
        bool const is_list = kind == 4;
        std::string ignored;
        made = is_list ? "[" : "{";
        for (auto left = random() % 4; left > 0; --left) {
            made += blanks();
            if (!is_list) (made += "\"k\"") += blanks() + ":" + blanks();
            made += random_json(random, depth - 1, ignored) + blanks();
            if (left > 1) made += ",";
        }
        made += is_list ? "]" : "}";
        said += (is_list ? "[" : "{") + made;
    }
    }
    return made;
}

TEST_F(ndjson_files, of_random_values_are_read_back_at_any_size_of_block) {
    std::mt19937 random(8259);
    texts all;
    std::string text;
    for (int i = 0; i < 600; ++i) {
        std::string a;
        std::string b;
        text += "{\"b\":{\"x\" :" + random_json(random, 3, b) + "}, \"a\":[";
        for (auto left = random() % 3; left > 0; --left)
            text += random_json(random, 2, a) + (left > 1 ? " ," : "");
        std::string ignored;
        text += "],\"c\":" + random_json(random, 2, ignored) + (i % 2 == 0 ? "}\n" : " }\r\n");
        all.push_back(a + "|" + b);
    }
    auto const a = file("a.ndjson", text).string();
    for (std::int64_t const block : {1, 37, 4'096}) EXPECT_EQ(values_of({a}, {"a[]", "b.x"}, block), all);
    texts packed = values_of({file("a.ndjson.gz", gzip(text)).string()}, {"a[]", "b.x"}, 200);
    std::ranges::sort(packed);
    std::ranges::sort(all);
    EXPECT_EQ(packed, all);
}

TEST_F(ndjson_files, with_faults_name_file_line_and_column) {
    std::string many;
    for (int i = 0; i < 500; ++i)
        many += "{\"id\": " + std::to_string(i) + ", \"in\": {\"x\": 0.5}" + (i < 400 ? "}\n" : "\n");
    std::string const good = "{\"id\": 1, \"in\": {\"x\": 2e3}}\n";
    expect_complaint(file("a.ndjson", many), ":401:29: expected JSON, found a syntax error while parsing "
                                             "object - unexpected end of input; expected '}'");
    expect_complaint(
        file("a.ndjson", good + "{\"in\": {\"x\": 1}}\n"), ":2:1: expected one value at id, found none");
    expect_complaint(
        file("a.ndjson", good + "{\"id\": 1, \"id\": 2}\n"), ":2:17: expected one value at id, found 2");
    expect_complaint(file("a.ndjson", good + "\n{\"id\":   1.5}\n"),
        ":3:10: expected a whole number of 64 bits, found \"1.5\"");
    expect_complaint(file("a.ndjson", good + "{\"id\":9223372036854775808}\n"),
        ":2:7: expected a whole number of 64 bits, found \"9223372036854775808\"");
    expect_complaint(file("a.ndjson", good + "{\"in\": {\"x\": \"\xc3\xa4\", \"y\" : 1}, \"id\": 1}\n"),
        ":2:14: expected a number, found \"\xc3\xa4\"");
    EXPECT_THROW(values_of({path("a.ndjson").string()}, {"a..b"}), weft::usage_error);
    EXPECT_THROW(values_of({path("a.ndjson").string()}, {""}), weft::usage_error);
    EXPECT_THROW(values_of({path("a.ndjson").string()}, {"a[0]"}), weft::usage_error);
}

} // namespace
