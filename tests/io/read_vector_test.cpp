#include <io/shared_folder.hpp>

#include <io/packed_bytes.hpp>

#include <weft/core/error.hpp>
#include <weft/frames/uniform_distribution.hpp>
#include <weft/io/read_vector.hpp>

using namespace weft_test;

namespace {

class vector_file : public with_folder {
protected:
    /// All ranks get their blocks of these numbers.
    static void expect_read(std::filesystem::path const& file, std::vector<double> const& all) {
        auto const mine = weft::read_vector(world(), file, std::ssize(all));
        weft::uniform_distribution const owners(std::ssize(all), size());
        EXPECT_EQ(
            mine, std::vector<double>(all.begin() + owners.begin(rank()), all.begin() + owners.end(rank())));
    }

    static void expect_complaint(
        std::filesystem::path const& file, std::int64_t count, std::string const& complaint) {
        try {
            (void)weft::read_vector(world(), file, count);
            FAIL() << "no error; expected " << complaint;
        } catch (weft::io_error const& caught) { EXPECT_EQ(caught.what(), file.string() + complaint); }
    }
};

TEST_F(vector_file, has_a_number_a_line) {
    expect_read(file("x", "1\n-2.5\n\n# three\n  3e2 \r\n% four\n4"), {1, -2.5, 300, 4});
    expect_read(file("x", ""), {});
    expect_read(file("x", "# nothing\n\n"), {});
}

TEST_F(vector_file, of_many_lines_plain_and_packed) {
    std::string text;
    std::vector<double> all;
    for (int i = 0; i < 30'000; ++i) {
        all.push_back(i * 0.5);
        text += std::to_string(all.back()) + std::string(static_cast<std::size_t>(i % 90), ' ') + "\n";
    }
    expect_read(file("x", text), all);
    expect_read(file("x.gz", gzip(text)), all);
}

TEST_F(vector_file, of_another_length_or_with_other_lines_is_an_error_on_all_ranks) {
    auto const bad = file("x", "1\n2\nthree\nfour\n");
    expect_complaint(bad, 4, ":3: expected a number, found \"three\"");
    expect_complaint(file("x", "1\n2 3\n"), 2, ":2: expected the end of the line, found \"3\"");
    expect_complaint(file("x", "1\n2\n"), 3, ":3: expected 3 numbers, found the end of the file after 2");
    expect_complaint(
        file("x", "1\n2\n\n3\n4\n"), 2, ":4: expected the end of the file after 2 numbers, found another");
    EXPECT_THROW((void)weft::read_vector(world(), path("missing"), 1), weft::io_error);
}

} // namespace
