#include <files/file_segments.hpp>
#include <files/placed_writer.hpp>

#include <io/shared_folder.hpp>

#include <weft/core/error.hpp>

#include <cstring>

using namespace weft_test;

namespace {

class segments_of_all : public with_folder {};

TEST_F(segments_of_all, lie_one_after_the_other_and_in_each_the_ranks) {
    std::string const mine(static_cast<std::size_t>(rank() + 1), static_cast<char>('a' + rank()));
    weft::file_segments segments;
    segments.add_once("head\n");
    segments.add(mine);
    segments.add_once("|");
    segments.add(1, [](weft::file_handle const& file, std::int64_t at, std::int64_t start) {
        EXPECT_EQ(at - start, rank());
        file.write("x", 1, start + size() - 1 - rank()); // in the other order
    });
    segments.add(std::string_view());
    segments.add_once("foot\n");
    weft::gate call(world(), "test");
    segments.write(call, path("file"));
    std::string expected = "head\n";
    for (int of = 0; of < size(); ++of)
        expected += std::string(static_cast<std::size_t>(of + 1), static_cast<char>('a' + of));
    EXPECT_EQ(content_of(path("file")),
        expected + "|" + std::string(static_cast<std::size_t>(size()), 'x') + "foot\n");
}

TEST_F(segments_of_all, have_a_writer_that_goes_where_it_is_told) {
    std::vector<int> const mine(200'000, rank()); // more than a piece
    weft::file_segments segments;
    segments.add(std::ssize(mine) * 8, weft::for_each_of(mine, [](int each) { return std::int64_t{each}; }));
    segments.add(16, weft::in_pieces([](weft::placed_writer& out, std::int64_t at, std::int64_t) {
        out.go_to(at + 8);
        out.put(std::int64_t{rank()});
        out.go_to(at);
        out.put(std::int64_t{-1});
    }));
    weft::gate call(world(), "test");
    segments.write(call, path("numbers"));
    std::string const bytes = content_of(path("numbers"));
    std::vector<std::int64_t> numbers(bytes.size() / 8);
    std::memcpy(numbers.data(), bytes.data(), bytes.size());
    std::vector<std::int64_t> expected;
    for (int of = 0; of < size(); ++of) expected.insert(expected.end(), mine.size(), of);
    for (int of = 0; of < size(); ++of) expected.insert(expected.end(), {-1, of});
    EXPECT_EQ(numbers, expected);
}

TEST_F(segments_of_all, of_a_call_that_failed_leave_the_file_alone) {
    (void)file("kept", "old");
    weft::gate call(world(), "test");
    weft::file_segments segments;
    segments.add_once("new");
    call.guard([] {
        if (rank() == size() - 1) throw weft::usage_error("wrong");
    });
    EXPECT_THROW(segments.write(call, path("kept")), weft::usage_error);
    EXPECT_EQ(content_of(path("kept")), "old");
    meet();
    weft::file_segments late;
    late.add(1, [](weft::file_handle const&, std::int64_t, std::int64_t) {
        if (rank() == 0) throw weft::usage_error("too late");
    });
    weft::gate again(world(), "test");
    EXPECT_THROW(late.write(again, path("kept")), weft::usage_error);
    EXPECT_EQ(content_of(path("kept")), "old");
    EXPECT_THROW(segments.write(again, path("no/folder")), weft::io_error);
}

} // namespace
