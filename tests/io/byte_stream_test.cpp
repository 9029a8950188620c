#include <io/packed/byte_stream.hpp>
#include <io/packed_bytes.hpp>
#include <io/shared_folder.hpp>

#include <weft/core/error.hpp>

#include <functional>
#include <string>

using namespace weft::io;
using weft::file_handle;
using weft_test::with_folder;

namespace {

class byte_stream_of_file : public with_folder {
protected:
    static std::string unpacked(std::filesystem::path const& file, std::size_t piece = 700) {
        file_handle opened = file_handle::open_to_read(file);
        packing const packed = packing_of(opened);
        auto const stream = open_stream(std::move(opened), packed);
        std::string text;
        std::string buffer(piece, '\0');
        while (std::size_t const got = stream->read(buffer.data(), buffer.size()))
            text.append(buffer, 0, got);
        EXPECT_EQ(stream->consumed(), static_cast<std::int64_t>(std::filesystem::file_size(file)));
        return text;
    }

    static std::string complaint(std::filesystem::path const& file) {
        try {
            (void)unpacked(file);
        } catch (weft::io_error const& caught) {
            std::string text = caught.what();
            EXPECT_EQ(text.find('\n'), text.npos);
            EXPECT_TRUE(text.starts_with(file.string() + ": ")) << text;
            return text.substr(std::min(text.size(), file.string().size() + 2));
        }
        return "nothing was thrown";
    }

    static std::string sample(std::size_t bytes) {
        std::string text;
        for (std::size_t i = 0; text.size() < bytes; ++i) text += std::to_string(i * i) + "\n";
        return text;
    }
};

using packer = std::function<std::string(std::string_view, std::size_t)>;
packer const packers[] = {weft_test::gzip, weft_test::bzip2, weft_test::xz, weft_test::zstd};

TEST_F(byte_stream_of_file, what_was_packed_comes_out) {
    for (std::size_t bytes : {0, 1, 5000, 700'000})
        for (packer const& pack : packers) {
            std::string const text = sample(bytes);
            auto const packed = file("text", pack(text, 60'000));
            EXPECT_EQ(unpacked(packed), text);
            EXPECT_EQ(unpacked(packed, 100'000), text);
        }
}

TEST_F(byte_stream_of_file, members_follow_each_other) {
    std::string const one = sample(3000), two = sample(100);
    for (packer const& pack : packers)
        EXPECT_EQ(unpacked(file("text", pack(one, 999) + pack("", 1) + pack(two, 7))), one + two);
}

TEST_F(byte_stream_of_file, zeros_behind_gzip_are_padding) {
    std::string const text = sample(1000);
    EXPECT_EQ(unpacked(file("text", weft_test::gzip(text) + std::string(600'000, '\0'))), text);
}

TEST_F(byte_stream_of_file, cut_anywhere_it_is_no_longer_whole) {
    for (packer const& pack : packers) {
        std::string const whole = pack(sample(3000), 999);
        for (std::size_t left : {whole.size() - 1, whole.size() - 13, whole.size() / 2, std::size_t{20}}) {
            std::string const text = complaint(file("text", whole.substr(0, left)));
            EXPECT_NE(text.find("stream, found its end missing after " + std::to_string(left) + " bytes"),
                text.npos)
                << text;
        }
    }
}

TEST_F(byte_stream_of_file, damage_is_found) {
    std::string gzip = weft_test::gzip(sample(3000));
    gzip[gzip.size() - 6] ^= 1; // the checksum
    EXPECT_EQ(complaint(file("text", gzip)),
        "expected a sound gzip stream, found a corrupt one: incorrect data check (copy the file again)");
    std::string xz = weft_test::xz(sample(3000));
    xz[xz.size() - 20] ^= 1; // the index
    EXPECT_EQ(complaint(file("text", xz)),
        "expected a sound xz stream, found a corrupt one: its data or checksum (copy the file again)");
    EXPECT_EQ(complaint(file("text", weft_test::zstd(sample(3000)) + "more")),
        "expected a sound zstd stream, found a corrupt one: Unknown frame descriptor (copy the file again)");
    std::string bzip2 = weft_test::bzip2(sample(3000), 3000);
    bzip2[bzip2.size() / 2] ^= 1;
    EXPECT_EQ(complaint(file("text", bzip2)),
        "expected a sound bzip2 stream, found a corrupt one: its data or checksum (copy the file again)");
    EXPECT_EQ(complaint(file("text", weft_test::bzip2("text\n") + "more")),
        "expected a sound bzip2 stream, found a corrupt one: something else follows it (copy the file "
        "again)");
    EXPECT_EQ(complaint(file("text", weft_test::gzip("text\n") + "more")),
        "expected a sound gzip stream, found a corrupt one: incorrect header check (copy the file again)");
}

TEST_F(byte_stream_of_file, other_archives_are_refused) {
    EXPECT_EQ(complaint(file("text", "PK\x03\x04zip")),
        "expected text, plain or packed by gzip, bzip2, xz or "
        "zstd, found a zip archive (unpack it with unzip)");
    EXPECT_EQ(complaint(file("text", "\x04\x22\x4d\x18lz4")),
        "expected text, plain or packed by gzip, bzip2, xz or zstd, found an lz4 stream (unpack it with lz4 "
        "-d)");
    for (char const* mark : {"\xff\xfe", "\xfe\xff"})
        EXPECT_EQ(complaint(file("text", mark + std::string("a"))),
            "expected text, plain or packed by gzip, bzip2, xz or zstd, found UTF-16 (convert it by iconv -f "
            "UTF-16 -t UTF-8)");
}

TEST_F(byte_stream_of_file, files_that_cannot_be_read) {
    EXPECT_EQ(complaint(path("nothing")),
        "cannot read: No such file or directory (check the path; every rank must see the file)");
    EXPECT_EQ(complaint(path("")), "cannot read: Is a directory (give the path of a file)");
    EXPECT_EQ(complaint("/dev/null"),
        "cannot read: expected a regular file, found a pipe or a device (write its "
        "content to a file first)");
}

} // namespace
