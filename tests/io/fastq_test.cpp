#include <weft/io/fastq.hpp>

#include "packed_bytes.hpp"
#include "shared_folder.hpp"

#include <weft/collective/gather.hpp>

namespace weft_test {
namespace {

class fastq : public with_folder {
protected:
    using reads = std::vector<std::string>;

    static std::string text_of(weft::fastq_read const& read) {
        return std::string(read.name) + "|" + std::string(read.letters) + "|" + std::string(read.qualities);
    }
    reads of_all(std::filesystem::path const& file, std::int64_t block = 1 << 20) {
        reads mine;
        (void)weft::read_text(world(), {file.string()},
            [&](weft::text_part const& part) {
                weft::for_each_read(
                    part.text, [&](weft::fastq_read const& each) { mine.push_back(text_of(each)); });
            },
            {.fastq = true, .block_bytes = block});
        return weft::all_gatherv(world(), std::move(mine));
    }
    std::string complaint_of(std::string const& text) {
        try {
            (void)of_all(file("wrong.fq", text));
        } catch (weft::io_error const& wrong) { return wrong.what(); }
        return "none";
    }
};

TEST_F(fastq, reads_come_whole_whatever_their_qualities) {
    auto chance = random(3);
    for (char const* const end : {"\n", "\r\n"}) {
        std::string text;
        reads expected;
        for (int i = 0; i < 700; ++i) {
            std::string letters;
            std::string qualities;
            for (std::uint64_t n = chance() % 40; n > 0; --n) {
                letters += "ACGTN"[chance() % 5];
                qualities += "@+#I"[chance() % 4]; // lines of them look like all others
            }
            std::string const name = "@+read " + std::to_string(i);
            text += '@' + name + end + letters + end + '+' + (i % 2 == 0 ? name : "") + end + qualities + end;
            expected.push_back(name + "|" + letters + "|" + qualities);
        }
        std::filesystem::path const plain = file("a.fq", text);
        for (std::int64_t const block : {1, 30, 500, 1 << 20})
            EXPECT_EQ(of_all(plain, block), expected) << block;
        auto packed = of_all(file("a.fq.gz", gzip(text)), 300);
        std::ranges::sort(packed);
        auto sorted_reads = expected;
        std::ranges::sort(sorted_reads);
        EXPECT_EQ(packed, sorted_reads);
        EXPECT_EQ(of_all(file("b.fq", text + end + end)), expected); // empty lines at the end
        EXPECT_EQ(of_all(file("c.fq", text.substr(0, text.size() - std::string(end).size()))), expected);
    }
    EXPECT_EQ(of_all(file("none.fq", "")), reads());
}

TEST_F(fastq, errors_tell_file_line_and_column) {
    std::string good;
    for (int i = 0; i < 300; ++i) good += "@r\nACGT\n+\nIIII\n";
    EXPECT_NE(complaint_of(good + "@r\nACGT\n+\nIII\n" + good)
                  .find("wrong.fq:1204:1: expected 4 qualities, one for each letter, found 3"),
        std::string::npos);
    EXPECT_NE(complaint_of("@r\nAC\n-\nII\n")
                  .find("wrong.fq:3:1: expected '+' and a repeated name or none, found \"-\""),
        std::string::npos);
    EXPECT_NE(
        complaint_of(">r\nAC\n").find("wrong.fq:1:1: expected '@' and the name of a read, found \">r\""),
        std::string::npos);
    EXPECT_NE(complaint_of(good + "@cut\nACGT\n").find("wrong.fq:"), std::string::npos);
    EXPECT_THROW((void)weft::read_text(world(), {file("a.fq", good).string()}, [](auto const&) {},
                     {.quoted = true, .fastq = true}),
        weft::usage_error);
}

} // namespace
} // namespace weft_test
