#include <io/shared_folder.hpp>

#include <io/packed_bytes.hpp>

#include <weft/collective/gather.hpp>
#include <weft/core/error.hpp>
#include <weft/io/read_text.hpp>

#include <algorithm>
#include <filesystem>

using namespace weft_test;

namespace {

class text_files : public with_folder {
protected:
    /// The lines of all ranks, by rank.
    static std::vector<std::string> lines_of(
        std::vector<std::string> const& files, weft::text_options const& options = {}) {
        std::vector<std::string> mine;
        (void)weft::read_text(
            world(), files,
            [&](weft::text_part const& part) {
                weft::for_each_line(part.text, [&](std::string_view line) { mine.emplace_back(line); });
            },
            options);
        return weft::all_gatherv(world(), std::move(mine));
    }
    static void expect_complaint(
        std::string const& file, std::string const& wrong, std::string const& complaint) {
        try {
            (void)weft::read_text(world(), {file},
                [&](weft::text_part const& part) {
                    std::size_t const at = part.text.find(wrong);
                    if (at != part.text.npos)
                        throw weft::text_fault{part.text.data() + at, "expected no " + wrong};
                },
                {.block_bytes = 64});
            FAIL() << "no error";
        } catch (weft::io_error const& caught) { EXPECT_EQ(caught.what(), file + complaint); }
    }
};

TEST_F(text_files, have_each_line_once_and_in_order) {
    std::vector<std::string> all;
    std::string text;
    for (int i = 0; i < 5'000; ++i) {
        all.push_back(std::to_string(i) + std::string(static_cast<std::size_t>(i * 7 % 60), 'x'));
        text += all.back() + (i % 2 == 0 ? "\n" : "\r\n");
    }
    for (std::int64_t const block : {1, 1'000, 1 << 20})
        EXPECT_EQ(lines_of({file("a.txt", text)}, {.block_bytes = block}), all) << block;
    EXPECT_EQ(lines_of({file("a.txt", text.substr(0, text.size() - 1))}), all); // the last one without an end
    EXPECT_EQ(lines_of({file("empty.txt", "")}), std::vector<std::string>());
    EXPECT_EQ(lines_of({file("b.txt", "\n\nx")}), (std::vector<std::string>{"", "", "x"}));
}

TEST_F(text_files, of_many_kinds_are_read_together) {
    std::vector<std::string> all;
    auto const part = [&](int number) {
        std::string text;
        for (int i = 0; i < 300 * (number + 1); ++i) {
            all.push_back(std::to_string(number) + ":" + std::to_string(i));
            text += all.back() + "\n";
        }
        return text;
    };
    std::filesystem::path const folder = path("many");
    if (rank() == 0) std::filesystem::create_directories(folder / "not read");
    meet();
    (void)file("many/.hidden", "no\n");
    (void)file("many/a.txt", part(0));
    (void)file("many/b.txt.gz", gzip(part(1)));
    (void)file("many/c.txt", part(2));
    std::vector<std::string> files{folder.string(), file("d.txt.bz2", bzip2(part(3))).string()};
    for (int i = 0; i < size(); ++i) // as many packed files as ranks, at least: each is one rank's
        files.push_back(file("more" + std::to_string(i) + ".gz", gzip(part(4 + i))).string());
    for (std::size_t const count : {std::size_t{1}, std::size_t{2}, files.size()}) {
        auto got = lines_of(
            {files.begin(), files.begin() + static_cast<std::ptrdiff_t>(count)}, {.block_bytes = 500});
        std::vector<std::string> expected;
        for (std::string const& each : all) {
            int const number = std::stoi(each);
            if (number < (count == 1 ? 3 : count == 2 ? 4 : 4 + size())) expected.push_back(each);
        }
        std::ranges::sort(got);
        std::ranges::sort(expected);
        EXPECT_EQ(got, expected) << count;
    }
}

TEST_F(text_files, end_records_outside_of_quotes_only) {
    std::string text;
    for (int i = 0; i < 400; ++i) {
        std::string const number = std::to_string(i);
        text += i % 3 == 0 ? number + ",\"two\nlines \"\"of\"\"\n" + number + "\"\n" : number + ",one\n";
    }
    for (std::int64_t const block : {1, 50, 1 << 20}) {
        std::vector<std::string> mine;
        bool whole = true;
        auto const read = weft::read_text(world(), {file("a.csv", text)},
            [&](weft::text_part const& part) {
                whole = whole && std::ranges::count(part.text, '"') % 2 == 0 && part.text.ends_with('\n') &&
                        text.substr(static_cast<std::size_t>(part.offset), part.text.size()) == part.text;
                mine.emplace_back(part.text);
            },
            {.quoted = true, .block_bytes = block});
        EXPECT_TRUE(whole);
        EXPECT_TRUE(read.in_order);
        EXPECT_EQ(read.bytes, std::ssize(text));
        std::string joined;
        for (std::string const& each : weft::all_gatherv(world(), std::move(mine))) joined += each;
        EXPECT_EQ(joined, text);
    }
}

TEST_F(text_files, with_a_fault_name_the_first_one_with_line_and_column) {
    std::string text;
    for (int i = 0; i < 900; ++i)
        text += "line " + std::to_string(i) +
                (i >= 700 ? " b\xc3\xa4"
                            "d\n"
                          : "\n");
    std::string const complaint = ":701:10: expected no b\xc3\xa4"
                                  "d";
    expect_complaint(file("a.txt", text),
        "b\xc3\xa4"
        "d",
        complaint);
    expect_complaint(file("a.txt.gz", gzip(text)),
        "b\xc3\xa4"
        "d",
        complaint);
    expect_complaint(file("a.txt", text), "d\n", ":701:12: expected no d\n");
    EXPECT_THROW(lines_of({path("missing").string()}), weft::io_error);
    EXPECT_THROW(lines_of({}), weft::usage_error);
    EXPECT_THROW(lines_of({file("a.txt", "x")}, {.block_bytes = 0}), weft::usage_error);
    std::string const packed = gzip(text);
    EXPECT_THROW(lines_of({file("cut.gz", packed.substr(0, packed.size() / 2))}), weft::io_error);
}

} // namespace
